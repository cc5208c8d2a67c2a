// @vitest-environment happy-dom
/** promises 1.2: forms without a line of JavaScript. */
import nodeConsole from 'node:console';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNoCodeForms } from './no-code.ts';
import type { CardFormApi, CardFormOptions } from './types.ts';

const KEY = `pk_live_${'a'.repeat(32)}`;
const OTHER = `pk_live_${'b'.repeat(32)}`;
const SCRIPT = 'https://pay.example/partner/v1/card-form.js';

type Handler = (detail: never) => void;

/** A mounted form, with the means to act as the form. */
type Mounted = {
  target: unknown;
  options: CardFormOptions;
  updates: object[];
  /** Results of `update()`, in order; then null. */
  answers: object[];
  unmounted: boolean;
  /** Simulates that something other than `unmount()` removed the iframe. */
  take(): void;
  emit(name: string, detail: unknown): void;
};
let mounted: Mounted[];

/** Replaces the real `mount()`, whose frame happy-dom doesn't load. */
const mount = (target: string | Element, options: CardFormOptions) => {
  const handlers = new Map<string, Handler[]>();
  let settle: (result: object) => void = () => {};
  const result = new Promise<object>((resolve) => {
    settle = resolve;
  });
  const form: Mounted = {
    target,
    options,
    updates: [],
    answers: [],
    unmounted: false,
    take: () => settle({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null }),
    emit: (name, detail) => {
      for (const handler of handlers.get(name) ?? []) Reflect.apply(handler, null, [detail]);
      for (const handler of handlers.get('*') ?? []) Reflect.apply(handler, null, [name, detail]);
    },
  };
  mounted.push(form);
  return {
    result,
    on: (name: string, handler: Handler) => handlers.set(name, [...(handlers.get(name) ?? []), handler]),
    async update(changes: object) {
      form.updates.push(changes);
      return form.answers.shift() ?? null;
    },
    unmount: () => {
      form.unmounted = true;
      form.take();
    },
  };
};
/** Only for the compiler: elements use no more of an instance than is defined above. */
const isApi = (api: object): api is CardFormApi => 'mount' in api;

const formsOf = (attributes: Record<string, string>) => {
  const tag = document.createElement('script');
  for (const [name, value] of Object.entries({ src: SCRIPT, 'data-card-form': '', ...attributes }))
    tag.setAttribute(name, value);
  const api = { version: 'test', mount };
  if (!isApi(api)) throw new Error('unreachable');
  return createNoCodeForms(api, tag);
};
const put = (html: string): Element => {
  document.body.innerHTML = html;
  const element = document.querySelector('[data-card-form], card-form');
  if (!element) throw new Error(`nothing to mount in ${html}`);
  return element;
};
const WITH_KEY = { 'data-publishable-key': KEY };

const reports: string[] = [];
const warnings: unknown[] = [];
const submitted: string[] = [];

beforeEach(() => {
  mounted = [];
  vi.stubGlobal('reportError', ({ message }: Error) => reports.push(message));
  vi.spyOn(console, 'warn').mockImplementation((message) => void warnings.push(message));
  vi.spyOn(HTMLFormElement.prototype, 'requestSubmit').mockImplementation(function (this: HTMLFormElement) {
    submitted.push(
      new URLSearchParams([...new FormData(this)].map(([name, value]) => [name, `${value}`])).toString(),
    );
  });
});
afterEach(() => {
  reports.length = warnings.length = submitted.length = 0;
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const paid = { outcome: 'succeeded', paymentIntent: { id: 'lg_pi_1' } };

describe('an element', () => {
  it.each([
    ['<div data-card-form data-client-secret="lg_cs_1" data-theme="dark"></div>'],
    ['<card-form client-secret="lg_cs_1" theme="dark"></card-form>'],
    [`<card-form client-secret="lg_cs_1" theme="dark" publishable-key="${KEY}"></card-form>`],
  ])('is mounted with the key of the script tag: %s', (html) => {
    const element = put(html);
    formsOf(WITH_KEY).sync(element);
    expect(mounted).toMatchObject([
      {
        target: element,
        options: { publishableKey: KEY, clientSecret: 'lg_cs_1', appearance: { theme: 'dark' } },
      },
    ]);
    expect([...reports, ...warnings]).toEqual([]);
  });

  it('threat-model 2.2: with another key than the script tag is ignored, with one warning', () => {
    const element = put(
      `<div data-card-form data-client-secret="lg_cs_1" data-publishable-key="${OTHER}"></div>`,
    );
    const { sync } = formsOf(WITH_KEY);
    sync(element);
    expect(document.documentElement.outerHTML, 'its secret is removed anyway').not.toContain('lg_cs_1');
    sync(element);
    expect(mounted).toEqual([]);
    expect(element.innerHTML).toBe('');
    expect(warnings).toEqual([
      `publishable-key: expected the one on the script tag, ${KEY}; got ${OTHER}. The element is ignored.`,
    ]);
    element.removeAttribute('data-publishable-key');
    sync(element);
    expect(mounted).toHaveLength(1);
  });

  it.each([
    ['the old place of the key', `data-publishable-key="${KEY}"`, {}, `data-publishable-key="${KEY}"`],
    ['no key anywhere', '', {}, 'data-publishable-key="pk_live_…"'],
    [
      'a success URL',
      'data-success-url="/thanks"',
      WITH_KEY,
      `data-publishable-key="${KEY}" data-success-url="/thanks"`,
    ],
    [
      'both, on a pinned tag',
      `data-publishable-key="${KEY}" data-success-url="/thanks"`,
      { integrity: 'sha384-x', crossorigin: '' },
      `integrity="sha384-x" crossorigin data-publishable-key="${KEY}" data-success-url="/thanks"`,
    ],
  ])('threat-model 2.2: is rejected for %s, with the script tag to paste', (_, given, tag, wanted) => {
    const element = put(`<div data-card-form data-client-secret="lg_cs_1" ${given}></div>`);
    const { sync } = formsOf(tag);
    sync(element);
    expect(document.documentElement.outerHTML, 'its secret is removed anyway').not.toContain('lg_cs_1');
    sync(element);
    expect(mounted).toEqual([]);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toContain('expected on the script tag');
    expect(reports[0]).toContain(`Write <script src="${SCRIPT}" data-card-form ${wanted}></script>`);
    expect(element.querySelectorAll('[role=alert]')).toHaveLength(1);
    expect(element.textContent).toBe(`Card form does not load. ${reports[0]}`);
  });

  it('has its tag to paste on a page with Prototype.js, whose Array.from() takes no function', () => {
    const { from } = Array;
    vi.spyOn(Array, 'from').mockImplementation((items: Iterable<unknown> | ArrayLike<unknown>) =>
      from(items),
    );
    const element = put('<div data-card-form data-client-secret="lg_cs_1" data-success-url="/thanks"></div>');
    formsOf(WITH_KEY).sync(element);
    expect(reports[0]).toContain(`data-publishable-key="${KEY}" data-success-url="/thanks"></script>`);
  });

  it('loses its alert when it is corrected', () => {
    const element = put('<div data-card-form data-client-secret="lg_cs_1" data-success-url="/thanks"></div>');
    const { sync } = formsOf(WITH_KEY);
    sync(element);
    element.removeAttribute('data-success-url');
    sync(element);
    expect(element.textContent).toBe('');
    expect(mounted).toHaveLength(1);
  });

  it('without a client secret silently waits for one', () => {
    const element = put('<div data-card-form data-theme="dark"></div>');
    formsOf(WITH_KEY).sync(element);
    formsOf({}).sync(element);
    expect([mounted, reports, warnings, element.innerHTML]).toEqual([[], [], [], '']);
  });
});

describe('threat-model 2.2: the client secret', () => {
  it.each([
    ['data-client-secret', '<div data-card-form data-client-secret="lg_cs_1"></div>'],
    ['client-secret', '<card-form client-secret="lg_cs_1"></card-form>'],
  ])('is removed from the markup as soon as it is read: %s', (name, html) => {
    const element = put(html);
    const { sync } = formsOf(WITH_KEY);
    sync(element);
    expect(document.documentElement.outerHTML).not.toContain('lg_cs_1');

    // A framework renders it again: the form stays the same.
    element.setAttribute(name, 'lg_cs_1');
    sync(element);
    sync(element);
    expect(document.documentElement.outerHTML).not.toContain('lg_cs_1');
    expect(mounted).toMatchObject([{ unmounted: false, updates: [] }]);

    element.setAttribute(name, 'lg_cs_2');
    sync(element);
    expect(mounted).toMatchObject([{ unmounted: false, updates: [{ clientSecret: 'lg_cs_2' }] }]);
    expect(document.documentElement.outerHTML).not.toContain('lg_cs_2');
    element.setAttribute(name, '');
    sync(element);
    expect(mounted).toMatchObject([{ unmounted: true }]);
  });

  it('promises 1.6: another one is tried again until the form takes it, and no longer if the element is removed', async () => {
    vi.useFakeTimers();
    const hints: string[] = [];
    for (const isRemoved of [false, true]) {
      mounted = [];
      const element = put('<card-form client-secret="lg_cs_1"></card-form>');
      element.addEventListener('card-form:warning', (event) => hints.push(Reflect.get(event, 'detail').hint));
      const { sync, remove } = formsOf(WITH_KEY);
      sync(element);
      mounted[0]?.answers.push({ message: 'A payment is under way.', recovery: 'wait' });
      element.setAttribute('client-secret', 'lg_cs_2');
      sync(element);
      await vi.advanceTimersByTimeAsync(1000);
      if (isRemoved) remove(element);
      await vi.advanceTimersByTimeAsync(60_000);
      const asked = { clientSecret: 'lg_cs_2' };
      expect(mounted[0]?.updates).toEqual(isRemoved ? [asked] : [asked, asked]);
    }
    vi.useRealTimers();
    expect(hints).toEqual(['A payment is under way.', 'A payment is under way.']);
  });

  it('promises 1.6: another one after the payment mounts the form again', () => {
    const element = put('<card-form client-secret="lg_cs_1"></card-form>');
    const { sync } = formsOf(WITH_KEY);
    sync(element);
    mounted[0]?.emit('result', { outcome: 'canceled' });
    element.setAttribute('client-secret', 'lg_cs_2');
    sync(element);
    expect(mounted).toMatchObject([
      { unmounted: true },
      { options: { clientSecret: 'lg_cs_2' }, updates: [] },
    ]);
  });
});

describe('promises 1.12: an element that a library changed or put back', () => {
  const html = '<div data-card-form data-client-secret="lg_cs_1"></div>';

  it('gets its form again if the iframe was taken away, and once', async () => {
    const element = put(html);
    formsOf(WITH_KEY).sync(element);
    mounted[0]?.take();
    await Promise.resolve();
    await Promise.resolve();
    expect(mounted).toMatchObject([{}, { unmounted: false, options: { clientSecret: 'lg_cs_1' } }]);
  });

  it('gets none if it was removed itself, but keeps the secret for when it is inserted again', async () => {
    const element = put(html);
    const { sync, remove } = formsOf(WITH_KEY);
    sync(element);
    remove(element);
    await Promise.resolve();
    await Promise.resolve();
    expect(mounted).toMatchObject([{ unmounted: true }]);
    sync(element);
    expect(mounted).toMatchObject([{ unmounted: true }, { options: { clientSecret: 'lg_cs_1' } }]);
  });

  it('gets the payment of the element that it is a copy of, and the markup never has its secret', () => {
    const element = put(html);
    const { sync, remove } = formsOf(WITH_KEY);
    sync(element);
    const copy = element.cloneNode(true);
    if (!(copy instanceof Element)) throw new Error('unreachable');
    remove(element);
    element.replaceWith(copy);
    sync(copy);
    expect(mounted).toMatchObject([
      { unmounted: true },
      { target: copy, options: { clientSecret: 'lg_cs_1' } },
    ]);
    expect(document.documentElement.outerHTML).not.toContain('lg_cs_1');
  });

  it('says in its place and on the console that a copy of an earlier page has no secret, and takes dead frames away', () => {
    vi.spyOn(nodeConsole, 'error').mockImplementation(() => {}); // happy-dom logs that it doesn't load iframes
    const heard: unknown[] = [];
    const element = put(
      `<div data-card-form data-card-form-name="1-2-3-4"><iframe data-card-form-frame></iframe></div>`,
    );
    element.addEventListener('card-form:loaderror', (event) =>
      heard.push(Reflect.get(event, 'detail').reason),
    );
    const reload = vi.fn();
    vi.stubGlobal('location', { href: 'https://shop.example/', reload });
    formsOf(WITH_KEY).sync(element);
    expect(mounted).toEqual([]);
    expect(element.querySelector('iframe')).toBeNull();
    expect(element.textContent).toContain('(restored)');
    expect(heard).toEqual(['restored']);
    expect(reports).toEqual([expect.stringContaining('data-restored="reload"')]);
    expect(reload).not.toHaveBeenCalled();
    element.querySelector('button')?.click();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('loads the page again where the script tag says so, but never a page that came so from the server', () => {
    const reload = vi.fn();
    vi.stubGlobal('location', { href: 'https://shop.example/', reload });
    const element = put('<div data-card-form data-card-form-name="1-2-3-4"></div>');
    const { sync } = formsOf({ ...WITH_KEY, 'data-restored': 'reload' });
    sync(element, true);
    expect(reload).not.toHaveBeenCalled();
    expect(element.textContent).toContain('(restored)');
    sync(element);
    expect(reload).toHaveBeenCalledOnce();
  });
});

it('updates the options that can change, and only if they changed', () => {
  const element = put('<div data-card-form data-client-secret="lg_cs_1"></div>');
  const { sync } = formsOf(WITH_KEY);
  sync(element);
  sync(element);
  element.setAttribute('data-locale', 'de');
  sync(element);
  sync(element);
  element.setAttribute('data-button-type', 'donate');
  sync(element);
  element.removeAttribute('data-button-type');
  sync(element);
  expect(mounted).toMatchObject([
    { updates: [{ locale: 'de' }, { buttonType: 'donate' }, { buttonType: 'pay' }] },
  ]);
});

describe('threat-model 2.2: after the payment', () => {
  const inForm = '<form id="order"><div data-card-form data-client-secret="lg_cs_1"></div></form>';
  const assign = vi.fn();
  beforeEach(() => {
    assign.mockClear();
    vi.stubGlobal('location', { href: 'https://shop.example/checkout?a=b', assign });
  });
  const play = (html: string, tag: Record<string, string>, ...events: [string, unknown][]) => {
    const element = put(html);
    const heard: string[] = [];
    element.addEventListener('card-form:result', () => heard.push('result'));
    formsOf({ ...WITH_KEY, ...tag }).sync(element);
    for (const [name, detail] of events) mounted.at(-1)?.emit(name, detail);
    return heard;
  };
  const next = { 'data-success-url': '/thanks' };
  const bare = '<div data-card-form data-client-secret="lg_cs_1"></div>';

  it.each<[string, ...[string, unknown][]]>([
    ['paid already', ['result', paid]],
    ['being paid by another tab or an earlier page', ['processing', { pressed: false }], ['result', paid]],
    ['pressed, and not paid', ['processing', { pressed: true }], ['result', { outcome: 'failed' }]],
  ])('an intent found %s emits its event and does nothing else', (_, ...events) => {
    expect(play(inForm, next, ...events)).toEqual(['result']);
    expect(play(bare, next, ...events)).toEqual(['result']);
    expect([submitted, assign.mock.calls]).toEqual([[], []]);
  });

  it("a payment of this form submits the page's form, with the id of this payment only", () => {
    const elsewhere = '<input type="hidden" form="order" name="payment_intent" value="of-a-stranger">';
    play(elsewhere + inForm, next, ['processing', { pressed: true }], ['result', paid]);
    expect(submitted).toEqual(['payment_intent=lg_pi_1']);
    expect(assign).not.toHaveBeenCalled();
  });

  it('a payment of this form opens the success URL of the script tag, whatever <base> the markup has', () => {
    play(
      `<base href="https://evil.example/">${bare}`,
      next,
      ['processing', { pressed: true }],
      ['result', paid],
    );
    expect(assign.mock.calls).toEqual([['https://shop.example/thanks']]);
  });

  it.each([
    'javascript:alert(1)',
    'http://[',
    '//evil.example',
    'https://evil.example/',
    'http://shop.example/',
  ])('never to %s, and says so at once', (url) => {
    play(bare, { 'data-success-url': url }, ['processing', { pressed: true }], ['result', paid]);
    expect(reports).toEqual([
      expect.stringMatching(
        /^invalid_option: data-success-url: expected a page of this site, such as \/thanks; got /,
      ),
    ]);
    expect(assign).not.toHaveBeenCalled();
  });

  /** Pays in a form on a page with a second script tag. */
  const payBesideTag = (attributes: Record<string, string>) => {
    const other = document.createElement('script');
    for (const [name, value] of Object.entries({ ...WITH_KEY, ...attributes }))
      other.setAttribute(name, value);
    const { sync, compareTag } = formsOf({ ...WITH_KEY, ...next });
    sync(put(bare));
    compareTag(other);
    mounted.at(-1)?.emit('processing', { pressed: true });
    mounted.at(-1)?.emit('result', paid);
  };

  it.each([
    ['another success URL', { 'data-success-url': '/logout' }],
    ['no success URL', {}],
    ['another key', { ...next, 'data-publishable-key': OTHER }],
  ])('no page is opened if a second script tag has %s, and the page says so', (_, attributes) => {
    payBesideTag(attributes);
    expect(assign).not.toHaveBeenCalled();
    expect(reports).toEqual([
      expect.stringMatching(/expected the same on every script tag with data-card-form/),
    ]);
  });

  it('a second script tag with the same values changes nothing', () => {
    payBesideTag(next);
    expect(assign.mock.calls).toEqual([['https://shop.example/thanks']]);
    expect(reports).toEqual([]);
  });
});

describe('threat-model 2.2: a polluted prototype', () => {
  afterEach(() => {
    for (const name of ['successUrl', 'publishableKey', 'cardForm'])
      Reflect.deleteProperty(Object.prototype, name);
  });

  it('sets neither the account nor the next page where the script tag names none', () => {
    Reflect.set(Object.prototype, 'successUrl', '/logout');
    Reflect.set(Object.prototype, 'publishableKey', OTHER);
    const assign = vi.fn();
    vi.stubGlobal('location', { href: 'https://shop.example/', assign });
    const element = put('<div data-card-form data-client-secret="lg_cs_1"></div>');
    formsOf({}).sync(element);
    expect(mounted).toEqual([]);
    formsOf(WITH_KEY).sync(element);
    mounted.at(-1)?.emit('processing', { pressed: true });
    mounted.at(-1)?.emit('result', paid);
    expect(assign).not.toHaveBeenCalled();
  });
});
