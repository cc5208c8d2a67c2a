// @vitest-environment happy-dom
/** promises 1.1: a form from mount() to unmount(), as the page sees it. */

import nodeConsole from 'node:console';
import { MessageChannel as RealChannel, MessagePort as RealPort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENTS } from '../channel/events.ts';
import { ALLOW, REFERRER_POLICY, SANDBOX } from '../channel/iframe-attributes.ts';
import type { FrameMessage } from '../channel/messages.ts';
import { OPTIONS } from '../channel/options.ts';
import { keysOf } from '../channel/own-property.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import type { Init } from '../channel/read-options.ts';
import { developer } from './errors.ts';
import { createCardForm, type PageScript } from './form.ts';
import { whenBack } from './held-back.ts';
import { answer, retrieve } from './page.ts';
import type { CardFormError, CardFormInstance, CardFormOptions } from './types.ts';

// happy-dom loads no modules. These tests don't await explanations for developers.
vi.mock('./import-verified.ts', () => ({
  importVerified: async (src: string) =>
    src.endsWith('/page-gives.js') ? import('./page-gives.ts') : new Promise(() => {}),
}));

const PAY = 'https://pay.example';
const SRC = `${PAY}/partner/v1/card-form/0.1.0-abc/frame.html`;
const options: CardFormOptions = {
  publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`,
  clientSecret: 'lg_cs_one',
};
const hello = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release: '0.1.0-abc' };
/** The state while a payment is in flight. */
const SENT = { type: 'state', height: 10, classes: ['CardForm--complete'], sent: true } as const;
const READY = { type: 'ready', amountTotal: 1234, currency: 'eur' } as const;
const COMPLETE = { complete: true, invalid: [], missing: [], canPay: true };
const error = {
  type: 'card_error',
  code: 'payment_method_declined',
  message: 'Declined.',
  charged: 'no',
  recovery: 'use_other_card',
} as const;

/** The exports of the second file, with another service: in a test the file's address is not http. */
const PAGE: PageScript = {
  answer,
  start: () => undefined,
  explain: async () => undefined,
  retrieve,
  untilBack: (iframe, { sent }, emit, page) =>
    whenBack(iframe, PAY, sent, page, (message) => emit('loaderror', { reason: 'blocked', message })),
};
/** The second file; undefined if it doesn't load, as at the start of each test. */
let second: PageScript | undefined;
const load = async (): Promise<PageScript> => {
  if (!second) throw new Error('not found');
  return second;
};
const { mount } = createCardForm(`${PAY}/partner/v1/card-form/0.1.0-abc`, '0.1.0-abc', load);
/** Stand-ins for the windows of iframes, which happy-dom doesn't load. Any object that can post can be a source. */
const windows = new WeakMap<HTMLIFrameElement, MessagePort>();
const windowOf = (frame: HTMLIFrameElement | null | undefined) => {
  if (!frame?.isConnected) return null;
  const known = windows.get(frame);
  if (known) return known;
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  windows.set(frame, port1);
  return port1;
};
Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
  get(this: HTMLIFrameElement) {
    return windowOf(this);
  },
});
// As in browsers, an iframe that has not loaded yet has an empty document of the page's own origin.
Object.defineProperty(HTMLIFrameElement.prototype, 'contentDocument', { get: () => document });

/** The system's color scheme, as `matchMedia` returns it. */
const system = Object.assign(new EventTarget(), {
  matches: false,
  turn(dark: boolean) {
    system.matches = dark;
    system.dispatchEvent(new Event('change'));
  },
});

const forms: CardFormInstance[] = [];
const ports: { close(): void }[] = [];
let container: HTMLElement;

beforeEach(() => {
  // happy-dom logs to the process's console that it doesn't load iframes.
  vi.spyOn(nodeConsole, 'error').mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('origin', 'https://shop.example');
  second = undefined;
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('matchMedia', () => system);
  system.matches = false;
  vi.stubGlobal('MessageChannel', RealChannel); // happy-dom's transfers nothing
  document.documentElement.lang = 'en';
  document.body.innerHTML = '<main><div id="card-form"></div></main>';
  container = document.querySelector<HTMLElement>('#card-form') ?? document.body;
});

afterEach(() => {
  for (const form of forms.splice(0)) form.unmount();
  for (const port of ports.splice(0)) port.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const put = (target: string | Element = container, more: Partial<CardFormOptions> = {}) => {
  const form = mount(target, { ...options, ...more });
  forms.push(form);
  return form;
};

const frameIn = (element: ParentNode = container) => element.querySelector('iframe');

/** Lets the microtasks of an event run, and what they queue. */
const settle = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

/** A fake frame: posts messages to the page, and receives the page's port. */
const frameOf = (element: ParentNode = container) => {
  const source = windowOf(frameIn(element));
  if (!source) throw new Error('no frame');
  const postMessage = vi.spyOn(source, 'postMessage').mockImplementation(() => {});
  let received: Init | undefined;
  let port: RealPort | undefined;
  return {
    source,
    postMessage,
    init: () => received,
    heard: () => new Promise<unknown>((resolve) => port?.once('message', resolve)),
    hello: (event: MessageEventInit = {}) => {
      window.dispatchEvent(new MessageEvent('message', { data: hello, origin: PAY, source, ...event }));
      const call: readonly unknown[] | undefined = postMessage.mock.calls.at(-1);
      if (!call) return;
      received = call[0] === undefined ? undefined : JSON.parse(JSON.stringify(call[0]));
      const transferred = call[2];
      if (Array.isArray(transferred) && transferred[0] instanceof RealPort) {
        port = transferred[0];
        ports.push(port);
      }
    },
    say: async (...messages: FrameMessage[]) => {
      for (const message of messages) port?.postMessage(message);
      // A port delivers in its own task.
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      await settle();
    },
  };
};

/** The frame in there, which says hello. */
const connect = (element: ParentNode = container) => {
  const frame = frameOf(element);
  frame.hello();
  return frame;
};

/** A form whose frame has said hello. */
const open = (more: Partial<CardFormOptions> = {}) => {
  const form = put(container, more);
  return { form, frame: connect() };
};

/** Returns a mock of a handler that is added now. */
const heardBy = (form: CardFormInstance, event: 'loaderror' | 'result') => {
  const heard = vi.fn();
  form.on(event, heard);
  return heard;
};

describe('mounting', () => {
  it('creates one titled, sandboxed iframe of the release in the container, without name or secret', () => {
    put('#card-form');
    const frame = frameIn();
    expect(frame?.src).toBe(SRC);
    expect(frame?.title).toBe('Secure card form');
    expect(frame?.getAttribute('sandbox')).toBe(
      'allow-scripts allow-same-origin allow-forms allow-modals allow-popups',
    );
    expect(frame?.getAttribute('referrerpolicy')).toBe('origin');
    expect(frame?.getAttribute('loading')).toBeNull();
    expect(frame?.getAttribute('name')).toBeNull();
    expect(frame?.allow).toBe('autofill;payment;publickey-credentials-get');
    expect(frame?.style.display).toBe('block');
    expect(document.documentElement.outerHTML).not.toMatch(/lg_cs_|pk_live_/);
  });

  it('promises 1.1: calls of a form that was unmounted change nothing and throw nothing, even beside the next form', async () => {
    const former = put();
    former.unmount();
    put();
    expect(await former.update({ locale: 'fr', clientSecret: 'lg_cs_one' })).toBeNull();
    expect(() => former.focus()).not.toThrow();
    const frame = frameOf();
    frame.hello();
    expect(frame.init()).not.toHaveProperty('locale');
  });

  it('can be repeated right after unmount(), as in StrictMode', async () => {
    const first = put();
    first.unmount();
    expect(frameIn()).toBeNull();
    const second = put();
    expect(container.querySelectorAll('iframe')).toHaveLength(1);
    first.unmount(); // once more: must not touch the second
    expect(() => put()).toThrow(expect.objectContaining({ code: 'already_mounted' }));
    const frame = connect();
    await frame.say(READY);
    await second.ready;
    expect(await first.result).toMatchObject({ outcome: 'unknown', reason: 'unmounted' });
  });

  it('throws for a container or a payment that is mounted already', () => {
    put();
    const other = document.createElement('div');
    document.body.append(other);
    expect(() => put(container, { clientSecret: 'lg_cs_two' })).toThrow(
      expect.objectContaining({ code: 'already_mounted' }),
    );
    expect(() => put(other)).toThrow(expect.objectContaining({ code: 'already_mounted' }));
    expect(frameIn(other)).toBeNull();
    put(other, { clientSecret: 'lg_cs_two' });
  });

  it('promises 1.9: throws with a code whatever it is given', () => {
    const circular: Record<string, unknown> = { ...options };
    circular.self = circular;
    const wrong: readonly unknown[][] = [
      ['#card-form'],
      ['#card-form', null],
      ['#card-form', circular],
      ['#card-form', { ...options, signal: {} }],
      ['#card-form', { ...options, signal: 'leaving' }],
      ['#card-form', { ...options, amount: 5n }],
    ];
    for (const given of wrong) {
      expect(() => Reflect.apply(mount, null, given)).toThrow(
        expect.objectContaining({ name: 'CardFormError', code: 'invalid_option' }),
      );
    }
    put(); // nothing was registered
  });

  it("keeps the container's own content", () => {
    container.append('Loading…');
    put().unmount();
    expect(container.textContent).toBe('Loading…');
  });
});

describe('the handshake', () => {
  it("answers hello with the client secret and a port, to exactly the service's origin", () => {
    const { frame } = open({ locale: 'de', defaultValues: { billingDetails: { name: 'Ada' } } });
    expect(frame.postMessage.mock.calls).toHaveLength(1);
    const call: readonly unknown[] = frame.postMessage.mock.calls[0] ?? [];
    expect(call[0]).toEqual({
      channel: CHANNEL,
      protocol: PROTOCOL,
      ...options,
      locale: 'de',
      backdrop: expect.any(String),
      defaultValues: { billingDetails: { name: 'Ada' } },
    });
    expect(call[1]).toBe(PAY);
    expect(call[2]).toEqual([expect.any(RealPort)]);
  });

  it.each<[string, MessageEventInit]>([
    ['another window', { source: window }],
    ['another origin in the frame', { origin: 'https://evil.example' }],
    ['an origin with the same beginning', { origin: `${PAY}.evil.example` }],
    ['an own __proto__', { data: JSON.parse('{"__proto__":{"channel":"card-form"}}') }],
    ['another channel', { data: { ...hello, channel: 'chat' } }],
  ])('ignores %s', (_, event) => {
    put();
    const frame = frameOf();
    frame.hello(event);
    expect(frame.postMessage).not.toHaveBeenCalled();
    expect(frameIn()).not.toBeNull();
    expect(Reflect.get({}, 'channel')).toBeUndefined();
  });

  it.each([[''], ['0.1.0-other'], [undefined], [null], [7], [{}]])(
    'fails with version_mismatch for a frame of release %j at the address of the release',
    async (release) => {
      const form = put();
      const failed = heardBy(form, 'loaderror');
      const frame = frameOf();
      frame.hello({ data: { ...hello, release } });
      await settle();
      expect(failed).toHaveBeenCalledWith({ reason: 'version_mismatch', message: expect.any(String) });
      expect(frame.postMessage).not.toHaveBeenCalled();
      expect(frameIn()).toBeNull();
    },
  );

  it('connects each form to its own frame', () => {
    const other = document.createElement('div');
    document.body.append(other);
    put();
    put(other, { clientSecret: 'lg_cs_two' });
    const [one, two] = [frameOf(), frameOf(other)];
    one.hello();
    expect(two.postMessage).not.toHaveBeenCalled();
    two.hello();
    expect(one.init()?.clientSecret).toBe('lg_cs_one');
    expect(two.init()?.clientSecret).toBe('lg_cs_two');
    expect(one.postMessage).toHaveBeenCalledOnce();
  });

  it('posts what is behind the form, from front to back', () => {
    container.style.cssText =
      'color: rgb(1, 2, 3); background-color: rgba(0, 0, 0, 0.5); background-image: none';
    document.body.style.cssText = 'background-color: rgb(9, 9, 9); background-image: url(sky.png)';
    const { frame } = open();
    const layers = frame.init()?.backdrop?.split(';') ?? [];
    const at = layers.indexOf('rgb(9, 9, 9)');
    expect(layers[0]).toBe('rgb(1, 2, 3)');
    expect(layers.indexOf('rgba(0, 0, 0, 0.5)')).toBeGreaterThan(0);
    expect([at > layers.indexOf('rgba(0, 0, 0, 0.5)'), layers[at - 1]]).toEqual([true, '?']); // an image in front of it
    document.body.style.cssText = '';
  });
});

describe('promises 1.1: a page that is replaced and mounts again in the same task', () => {
  it.each([
    ['another container', () => document.createElement('div')],
    ['the same container, put elsewhere without its content', () => container],
  ])('has one form, in %s, and the former is told', async (_, next) => {
    const former = put();
    container.remove();
    container.replaceChildren();
    const box = next();
    document.body.append(box);
    const form = put(box);
    expect(await former.result).toMatchObject({ reason: 'unmounted' });
    expect(box.querySelectorAll('iframe')).toHaveLength(1);
    await settle();
    frameOf(box).hello(); // the end of the first form has not affected this one
    form.unmount();
    expect(() => put(box)).not.toThrow();
  });
});

describe('threat-model 2.8: a polluted prototype decides nothing', () => {
  /** Hostile values of the right kind for each option. */
  const POLLUTED = {
    ...Object.fromEntries(keysOf(OPTIONS).map((name) => [name, 'of a stranger'])),
    clientSecret: 'lg_cs_of_a_stranger',
    publishableKey: `pk_live_${'9'.repeat(32)}`,
    fetchClientSecret: async () => 'lg_cs_of_a_stranger',
    beforePay: async () => true,
    signal: AbortSignal.abort(),
  };
  afterEach(() => {
    for (const name of keysOf(POLLUTED)) Reflect.deleteProperty(Object.prototype, name);
  });
  /** The `init` of the frame, after fetching the page's own secret if it gave none. */
  const toldTo = async (
    given: Pick<CardFormOptions, 'clientSecret'> | Pick<CardFormOptions, 'fetchClientSecret'>,
  ) => {
    const { publishableKey } = options;
    const form = mount(container, Object({ publishableKey, ...given }));
    const frame = connect();
    const [init]: readonly (readonly unknown[])[] = frame.postMessage.mock.calls;
    await settle();
    form.unmount();
    return Object.entries(Object(init?.[0]));
  };

  it.each(keysOf(POLLUTED))('%s', async (name) => {
    for (const given of [{ clientSecret: 'lg_cs_mine' }, { fetchClientSecret: async () => 'lg_cs_mine' }]) {
      const wanted = await toldTo(given);
      Reflect.set(Object.prototype, name, POLLUTED[name]);
      const told = await toldTo(given);
      Reflect.deleteProperty(Object.prototype, name);
      expect(told).toEqual(wanted);
    }
  });

  it('a payment without a secret of the page is refused, whatever the prototype has', () => {
    Reflect.set(Object.prototype, 'clientSecret', 'lg_cs_of_a_stranger');
    const { publishableKey } = options;
    expect(() => mount(container, Object({ publishableKey }))).toThrow(/clientSecret/);
  });

  it('update() gives the form no payment of a stranger', async () => {
    const form = put();
    const frame = frameOf();
    frame.hello();
    const heard = frame.heard();
    Reflect.set(Object.prototype, 'clientSecret', 'lg_cs_of_a_stranger');
    form.update({ locale: 'fr' });
    Reflect.deleteProperty(Object.prototype, 'clientSecret');
    expect(await heard).toEqual({ type: 'update', locale: 'fr', clientSecret: true });
  });

  it.each(keysOf(EVENTS))('the event %s is heard, with the detail that the frame gave', async (name) => {
    Reflect.set(Object.prototype, name, 'of a stranger');
    const heard: unknown[] = [];
    const form = put();
    form.on(name, (detail) => heard.push(detail));
    const frame = connect();
    await frame.say(Object({ type: name, marked: 1 }));
    form.unmount();
    Reflect.deleteProperty(Object.prototype, name);
    // The detail of `loaderror` comes from the loader.
    expect(heard).toEqual([name === 'loaderror' ? expect.anything() : { type: name, marked: 1 }]);
  });
});

describe("an iframe in the page's own HTML", () => {
  const early = (changed: Readonly<Record<string, string>> = {}) => {
    const frame = document.createElement('iframe');
    const attributes = {
      'data-card-form-frame': '',
      src: `${PAY}/partner/v1/card-form/frame`,
      sandbox: SANDBOX,
      allow: ALLOW,
      referrerpolicy: REFERRER_POLICY,
      ...changed,
    };
    for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
    container.append(frame);
    Object.defineProperty(frame, 'contentDocument', { configurable: true, value: null }); // it has loaded
    const source = windowOf(frame);
    if (!source) throw new Error('no frame');
    return { frame, posted: vi.spyOn(source, 'postMessage').mockImplementation(() => {}) };
  };
  const kept = () => frameIn()?.src === `${PAY}/partner/v1/card-form/frame`;

  it('that has loaded is asked to say hello again, by a message without data, and is kept', () => {
    const { frame, posted } = early();
    put();
    const [[word, origin] = []]: readonly (readonly unknown[])[] = posted.mock.calls;
    expect([word, origin]).toEqual([{ channel: CHANNEL }, PAY]);
    expect(container.querySelectorAll('iframe')).toHaveLength(1);
    frameOf().hello({ data: { ...hello, again: true } });
    expect(frameOf().postMessage).toHaveBeenCalledTimes(2); // hello request and init
    expect(frameIn()).toBe(frame);
  });

  it.each([
    { sandbox: '' },
    { sandbox: 'allow-scripts allow-same-origin allow-top-navigation' },
    { name: 'pay' },
    { allow: 'camera *' },
    { referrerpolicy: 'unsafe-url' },
  ])('threat-model 1.7: is replaced unless it has exactly our attributes: %j', (changed) => {
    const { frame, posted } = early(changed);
    put();
    expect(container.querySelectorAll('iframe')).toHaveLength(1);
    expect(frame.isConnected).toBe(false);
    expect(posted).not.toHaveBeenCalled();
    expect(frameIn()?.getAttribute('sandbox')).toContain('allow-modals');
  });

  it('that has said hello before is not connected again by the repeated hello', () => {
    early();
    const { frame } = open();
    frame.hello({ data: { ...hello, again: true } });
    expect(frame.postMessage).toHaveBeenCalledTimes(2);
    frame.hello(); // while a reload is
    expect(frame.postMessage).toHaveBeenCalledTimes(3);
  });

  it('can be the target itself, and is removed with the form', () => {
    const form = put(early().frame);
    frameOf().hello();
    expect(kept()).toBe(true);
    form.unmount();
    expect(frameIn()).toBeNull();
  });

  it("of another release is replaced by the loader's own and receives nothing but the hello request", () => {
    const { posted } = early();
    put();
    frameOf().hello({ data: { ...hello, release: '0.0.9-old' } });
    expect(posted).toHaveBeenCalledOnce();
    expect(container.querySelectorAll('iframe')).toHaveLength(1);
    expect(frameIn()?.src).toBe(SRC);
    expect(kept()).toBe(false);
  });
});

describe('methods', () => {
  it.each<[string, (form: CardFormInstance) => void, object]>([
    [
      'update()',
      (form) => form.update({ locale: 'fr', readOnly: true }),
      { type: 'update', locale: 'fr', readOnly: true, clientSecret: true },
    ],
    ['focus(field)', (form) => form.focus('email'), { type: 'focus', field: 'email' }],
    ['focus()', (form) => form.focus(), { type: 'focus' }],
    ['blur()', (form) => form.blur(), { type: 'blur' }],
    ['clear()', (form) => form.clear(), { type: 'clear' }],
    ['submit()', (form) => form.submit(), { type: 'submit' }],
  ])('%s is posted to the frame', async (_, call, message) => {
    const { form, frame } = open();
    const heard = frame.heard();
    call(form);
    expect(await heard).toEqual(message);
  });

  it('update() takes what mount() takes: elements of the page stay in the page, and functions do', async () => {
    const { form, frame } = open();
    const field = Object.assign(document.createElement('input'), { fiber: {} });
    Reflect.set(field.fiber, 'node', field);
    const heard = frame.heard();
    form.update({ appearance: { theme: 'dark', from: { field } } });
    expect(await heard).toEqual({
      type: 'update',
      appearance: { theme: 'dark', from: true },
      clientSecret: true,
    });
    frame.hello();
    expect(frame.init()?.appearance).toEqual({ theme: 'dark', from: true });
  });

  it('update() throws as mount() does if its options cannot be read, or have a secret key', () => {
    const { form } = open();
    const circular: Record<string, unknown> = {};
    circular.translations = circular;
    for (const [given, code] of [
      [circular, 'invalid_option'],
      [{ locale: 5n }, 'invalid_option'],
      [{ clientSecret: 'sk_live_1' }, 'secret_key_exposed'],
    ])
      expect(() => Reflect.apply(form.update, null, [given])).toThrow(expect.objectContaining({ code }));
  });

  it('update() cannot post a message of another type', async () => {
    const { form, frame } = open();
    const heard = frame.heard();
    form.update(Object.assign({ locale: 'fr' }, { type: 'submit' }));
    expect(await heard).toMatchObject({ type: 'update', locale: 'fr' });
  });

  it('update() before the frame connects, or is reloaded, changes the options of init', async () => {
    const form = put(container, { locale: 'de' });
    expect(await form.update({ locale: 'fr', clientSecret: 'lg_cs_2' })).toBeNull();
    const frame = connect();
    expect(frame.init()).toMatchObject({ locale: 'fr', clientSecret: 'lg_cs_2' });
  });

  it("on('*') hears every public event with its name, after the event's own handlers, and nothing internal", async () => {
    const form = put();
    const heard: unknown[] = [];
    const stop = form.on('*', (...event) => heard.push(event));
    form.on('decline', () => heard.push('decline'));
    const frame = connect();
    const processing = { type: 'processing', pressed: true } as const;
    await frame.say(READY, { ...SENT, sent: false }, { type: 'decline', error }, processing);
    await frame.say({ type: 'error', error });
    const pending = form.diagnostics();
    const validation = form.validate();
    await frame.say({ type: 'loaderror' }); // also answers both requests
    await Promise.all([pending, validation]);
    form.unmount();
    await settle();
    expect(heard).toEqual([
      ['ready', READY],
      'decline',
      ['decline', { type: 'decline', error }],
      ['processing', processing],
      ['error', error],
      ['loaderror', { reason: 'timeout', message: `timeout: ${SRC}` }],
    ]);
    stop();
  });

  it("once('*') hears the next event of any name, and off('*') removes a handler", async () => {
    const form = put();
    const [next, removed] = [vi.fn(), vi.fn()];
    form.once('*', next);
    form.on('*', removed);
    form.off('*', removed);
    const frame = connect();
    await frame.say(READY, { type: 'escape' });
    expect(next.mock.calls).toEqual([['ready', READY]]);
    expect(removed).not.toHaveBeenCalled();
  });

  it('diagnostics() resolves to the answer of the frame', async () => {
    const { form, frame } = open();
    await settle();
    const asked = frame.heard();
    const answer = form.diagnostics();
    expect(await asked).toMatchObject({
      type: 'diagnostics',
      release: '0.1.0-abc',
      timeOrigin: performance.timeOrigin,
      timings: { mounted: expect.any(Number) },
    });
    const diagnostics = {
      release: '0.1.0-abc',
      timings: { mounted: 1, typeable: 2 },
      presses: { incomplete: 1 },
      troubles: { offline: 1 },
      entries: [{ at: 0, event: 'opened' }],
    };
    await frame.say({ type: 'diagnostics', diagnostics });
    expect(await answer).toEqual(diagnostics);
  });

  it('diagnostics() without a frame resolves to the time of mount() and the load error, if there is one', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(1234.5);
    const form = put();
    const nothing = {
      release: '0.1.0-abc',
      timings: { mounted: 1234.5 },
      presses: {},
      troubles: {},
      entries: [],
    };
    expect(await form.diagnostics()).toEqual(nothing);
    const failure = { ...nothing, entries: [{ at: 0, event: 'loaderror', what: `timeout: ${SRC}` }] };
    vi.advanceTimersByTime(10_000);
    expect(await form.diagnostics()).toEqual(failure);
    container.querySelector('button')?.click();
    const frame = connect();
    await settle();
    const pending = form.diagnostics(); // then the frame is removed
    await frame.say({ type: 'loaderror' });
    expect(await pending).toEqual(failure);
    form.unmount();
    expect(await form.diagnostics()).toEqual(failure);
  });

  const ALL_MISSING = {
    complete: false,
    invalid: [],
    missing: ['card', 'name', 'email', 'country', 'line1'],
    canPay: false,
  };
  const UNKNOWN = { outcome: 'unknown', reason: 'unmounted', paymentIntent: null };

  it('validate() resolves to the answer of the frame', async () => {
    const { form, frame } = open();
    await settle();
    const heard = frame.heard();
    const answer = form.validate();
    expect(await heard).toEqual({ type: 'validate' });
    await frame.say({ type: 'validate', ...COMPLETE });
    expect(await answer).toMatchObject(COMPLETE);
  });

  it('refresh() is posted to the frame, and resolves with what the buyer then sees', async () => {
    const form = put();
    const heard = vi.fn();
    form.on('*', heard);
    const frame = connect();
    await settle();
    const posted = frame.heard();
    const refreshed = form.refresh();
    expect(await posted).toEqual({ type: 'refresh' });
    const status = { outcome: 'canceled', paymentIntent: { id: 'lg_pi_1' } };
    await frame.say({ type: 'refresh', refresh: status } as unknown as FrameMessage);
    expect(await refreshed).toEqual(status);
    expect(heard).not.toHaveBeenCalled();
  });

  it('validate() and refresh() without a frame resolve at once: all is missing, and the outcome is unknown', async () => {
    const form = put();
    const answers = () => Promise.all([form.validate(), form.refresh()]);
    expect(await answers()).toEqual([ALL_MISSING, UNKNOWN]);
    vi.advanceTimersByTime(10_000); // no hello: an alert replaces the frame
    expect(await answers()).toEqual([ALL_MISSING, UNKNOWN]);
    form.unmount();
    expect(await answers()).toEqual([ALL_MISSING, UNKNOWN]);
  });

  it.each<[string, (form: CardFormInstance, frame: ReturnType<typeof frameOf>) => unknown]>([
    ['is unmounted', (form) => form.unmount()],
    ['cannot load a script', (_, frame) => frame.say({ type: 'loaderror' })],
    ['is reloaded', (_, frame) => frame.hello()],
  ])('questions to a frame that %s are answered without it', async (_, leave) => {
    const { form, frame } = open();
    await settle();
    const swapped = form.update({ clientSecret: 'lg_cs_2' });
    const [validation, diagnostics, status] = [form.validate(), form.diagnostics(), form.refresh()];
    await leave(form, frame);
    expect(await swapped, 'no payment was sent').toBeNull();
    expect([await validation, await status]).toEqual([ALL_MISSING, UNKNOWN]);
    expect(await diagnostics).toMatchObject({ release: '0.1.0-abc', presses: {} });
  });

  describe('update({ clientSecret })', () => {
    const REFUSED: CardFormError = {
      type: 'invalid_request_error',
      code: 'payment_in_progress',
      message: 'A payment is under way.',
      charged: 'unknown',
      recovery: 'wait',
    };
    /** The frame's answer for a page that cannot load the second file. */
    const LOST: CardFormError = { ...REFUSED, code: 'script_failed', recovery: 'retry' };
    beforeEach(() => {
      second = PAGE;
    });

    it('is posted at once, and resolves with what the frame answers, one call after the other', async () => {
      const { form, frame } = open();
      await settle();
      const heard = frame.heard();
      const answers = [form.update({ clientSecret: 'lg_cs_2' }), form.update({ locale: 'fr' })];
      expect(await heard).toEqual({ type: 'update', clientSecret: 'lg_cs_2' });
      await frame.say({ type: 'update', updated: REFUSED, clientSecret: 'lg_cs_one', update: LOST });
      expect(await answers[0]).toEqual(REFUSED);
      await frame.say({ type: 'update', updated: null, clientSecret: 'lg_cs_one', update: LOST });
      expect(await answers[1]).toBeNull();
    });

    it('a frame that is loaded again gets the secret that the form has', async () => {
      const { form, frame } = open();
      const swapped = form.update({ clientSecret: 'lg_cs_2' });
      await frame.say({ type: 'update', updated: null, clientSecret: 'lg_cs_2', update: LOST });
      expect(await swapped).toBeNull();
      const refused = form.update({ clientSecret: 'lg_cs_3' });
      await frame.say({ type: 'update', updated: REFUSED, clientSecret: 'lg_cs_2', update: LOST });
      expect(await refused).toEqual(REFUSED);
      frame.hello();
      expect(frame.init()).toMatchObject({ clientSecret: 'lg_cs_2' });
    });

    it('promises 1.9: without the second file, the calls get the error that the frame has for this case', async () => {
      const { form, frame } = open();
      await settle();
      second = undefined;
      const waiting = [form.update({ clientSecret: 'lg_cs_2' }), form.update({ locale: 'fr' })];
      await frame.say({ type: 'update', updated: null, clientSecret: 'lg_cs_2', update: LOST });
      expect(await Promise.all(waiting)).toEqual([LOST, LOST]);
    });

    it.each([[null], [''], [undefined], [42], ['pi_secret'], ['lg_cs_']])(
      'throws invalid_option for %j, as mount() does, and the form keeps what it has',
      async (clientSecret) => {
        const form = put();
        const call = () => Reflect.apply(form.update, null, [{ clientSecret, locale: 'fr' }]);
        const mistake = {
          name: 'CardFormError',
          code: 'invalid_option',
          message: /^invalid_option: clientSecret/,
        };
        expect(call).toThrow(
          expect.objectContaining({ ...mistake, message: expect.stringMatching(mistake.message) }),
        );
        const frame = frameOf();
        frame.hello();
        expect(frame.init()).toMatchObject({ clientSecret: 'lg_cs_one' });
        expect(frame.init()).not.toHaveProperty('locale');
        expect(call).toThrow('invalid_option');
      },
    );

    it('throws already_mounted for the secret of another form, and takes its own', async () => {
      container.innerHTML = '<div></div><div></div>';
      const [one, two] = container.children;
      if (!one || !two) throw new Error('no places');
      const form = put(one);
      const other = put(two, { clientSecret: 'lg_cs_two' });
      expect(() => form.update({ clientSecret: 'lg_cs_two' })).toThrow('already_mounted');
      expect(() => form.update({ clientSecret: 'lg_cs_one' })).not.toThrow();
      other.unmount();
      expect(() => form.update({ clientSecret: 'lg_cs_two' })).not.toThrow();
      expect(() => put(two)).not.toThrow();
      expect(() => put(two, { clientSecret: 'lg_cs_two' })).toThrow('already_mounted');
    });
  });

  it("the container has the form's classes beside its own while the form is mounted", async () => {
    container.className = 'mine';
    const { form, frame } = open();
    await frame.say({ ...SENT, classes: ['CardForm--empty', 'CardForm--focus'] });
    expect(container.className).toBe('mine CardForm--empty CardForm--focus');
    await frame.say({ ...SENT, classes: ['CardForm--complete'] });
    expect(container.className).toBe('mine CardForm--complete');
    form[Symbol.dispose]();
    expect(container.className).toBe('mine');
  });

  it('signal unmounts the form when it aborts, and mount() throws if it has aborted already', async () => {
    const leaving = new AbortController();
    const form = put(container, { signal: leaving.signal });
    leaving.abort();
    expect(frameIn()).toBeNull();
    expect(await form.result).toMatchObject({ reason: 'unmounted' });
    expect(() => put(container, { signal: leaving.signal })).toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    );
    put(); // nothing was registered
  });
});

describe('a document in the iframe that does not say hello', () => {
  beforeEach(() => {
    second = PAGE;
  });
  const arrives = async () => {
    frameIn()?.dispatchEvent(new Event('load'));
    await settle();
  };
  const pass = async (time: number) => {
    vi.advanceTimersByTime(time);
    await settle();
  };

  it('within two seconds of its load fails with http', async () => {
    const form = put();
    const failed = heardBy(form, 'loaderror');
    await arrives();
    await pass(1_999);
    expect(frameIn()).not.toBeNull();
    await pass(1);
    expect(failed).toHaveBeenCalledWith({ reason: 'http', message: `http: ${SRC}` });
  });

  it('fails at once if the second file does not load either', async () => {
    second = undefined;
    const form = put();
    const failed = heardBy(form, 'loaderror');
    await arrives();
    expect(failed).toHaveBeenCalledWith({ reason: 'http', message: `http: ${SRC}` });
  });

  it('in place of ours is removed after two seconds, and the result is unknown', async () => {
    const { form, frame } = open();
    await frame.say(READY);
    await arrives();
    await pass(60_000);
    expect(frameIn()).not.toBeNull(); // one document, one hello
    await arrives();
    await frame.say(READY); // from our document, already on its way
    await pass(1_999);
    expect(frameIn()).not.toBeNull();
    await pass(1);
    expect(frameIn()).toBeNull();
    expect(container.querySelector('[role=alert]')).not.toBeNull();
    expect(await form.result).toEqual({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
  });

  it('yet, is accepted as soon as it does, before or after its load event', async () => {
    for (const before of [0, 1, 3]) {
      const form = put();
      for (let i = 0; i < before; i++) await arrives();
      const frame = connect();
      await arrives();
      await frame.say(READY);
      await pass(60_000);
      expect(frameIn(), `${before} before`).not.toBeNull();
      form.unmount();
    }
  });

  it('is not waited for any more after unmount()', async () => {
    const form = put();
    frameOf().hello();
    await arrives();
    await arrives();
    form.unmount();
    await pass(60_000);
    expect(container.innerHTML).toBe('');
  });

  describe('promises 1.14: while the address is held back does not count', () => {
    /** Ways of the page to change the iframe's address, followed by the document that results. */
    const AWAY: Record<string, (iframe: HTMLIFrameElement) => void> = {
      'src="about:blank"': (iframe) => {
        iframe.src = 'about:blank';
      },
      'src=""': (iframe) => iframe.removeAttribute('src'),
      'a srcdoc': (iframe) => {
        iframe.srcdoc = '<p>Accept cookies to see this.</p>';
      },
      'src="https://shop.example/placeholder"': (iframe) => {
        iframe.src = 'https://shop.example/placeholder';
      },
    };
    const takeAway = async (
      how: (iframe: HTMLIFrameElement) => void = (iframe) => iframe.removeAttribute('src'),
    ) => {
      const iframe = frameIn();
      if (iframe) how(iframe);
      await arrives();
    };
    const giveBack = async () => {
      const iframe = frameIn();
      iframe?.removeAttribute('srcdoc');
      if (iframe) iframe.src = SRC;
      await settle();
    };
    const alerts = () => container.querySelectorAll('[role=alert]').length;

    it('however it is taken away, for as long as it is, and as often: the form starts when it is back', async () => {
      for (const [what, how] of Object.entries(AWAY)) {
        if (what === 'a srcdoc') continue; // happy-dom loads its document late; see held-back.spec.ts
        for (const time of [300, 9_999, 600_000]) {
          const form = put();
          for (let i = 0; i < 3; i++) {
            await takeAway(how);
            await pass(time);
            await giveBack();
            const frame = connect();
            await arrives();
            await frame.say(READY);
            await pass(60_000);
            expect(frame.init()?.clientSecret, `${what}, ${time} ms, ${i}`).toBe(options.clientSecret);
            expect(alerts(), `${what}, ${time} ms, ${i}`).toBe(0);
          }
          form.unmount();
        }
      }
    });

    it('time limits run from the address on', async () => {
      const form = put();
      const failed = heardBy(form, 'loaderror');
      await takeAway();
      await pass(9_999);
      await giveBack();
      await pass(9_999);
      expect(failed).not.toHaveBeenCalled();
      await pass(1);
      expect(failed).toHaveBeenCalledExactlyOnceWith({ reason: 'timeout', message: `timeout: ${SRC}` });
    });

    it('buyer and page learn once, after ten seconds, what the iframe has in its place', async () => {
      for (const [what, how] of Object.entries(AWAY)) {
        const form = put();
        const failed = heardBy(form, 'loaderror');
        await takeAway(how);
        await arrives();
        await pass(9_999);
        expect(alerts(), what).toBe(0);
        await pass(60_000);
        expect(alerts(), what).toBe(1);
        expect(failed).toHaveBeenCalledExactlyOnceWith({ reason: 'blocked', message: what });
        form.unmount();
        await settle();
        expect(container.innerHTML, what).toBe('');
      }
    });

    it('"Try again" loads the form into an iframe of its own', async () => {
      put();
      const held = frameIn();
      await takeAway();
      await pass(10_000);
      container.querySelector('button')?.click();
      await settle();
      expect(frameIn()).not.toBe(held);
      expect(frameIn()?.src).toBe(SRC);
      expect(alerts()).toBe(0);
    });

    it('nothing waits for it with a payment in flight', async () => {
      const { form, frame } = open();
      await arrives();
      await frame.say(SENT);
      await takeAway();
      await pass(2_000);
      expect(frameIn()).toBeNull();
      await pass(60_000);
      expect(container.querySelectorAll('iframe, button')).toHaveLength(0);
      expect(await form.result).toMatchObject({ outcome: 'unknown' });
    });
  });
});

describe('a frame that was reloaded', () => {
  it('connects again once, with a new port', async () => {
    const { form, frame } = open();
    frame.hello();
    expect(frame.postMessage).toHaveBeenCalledTimes(2);
    await frame.say(READY);
    await form.ready;
  });

  it('is removed the second time, with an alert and no button', async () => {
    const form = put();
    const heard = heardBy(form, 'result');
    const frame = frameOf();
    for (let i = 0; i < 3; i++) frame.hello();
    expect(frame.postMessage).toHaveBeenCalledTimes(2);
    expect(await form.result).toEqual({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
    expect(heard).not.toHaveBeenCalled();
    expect(container.querySelector('[role=alert]')).not.toBeNull();
    expect(container.querySelector('button')).toBeNull();
  });

  it('is removed at once with a payment in flight, and the page gets a result event', async () => {
    const { form, frame } = open();
    const heard = heardBy(form, 'result');
    await frame.say(SENT);
    frame.hello();
    await settle();
    expect(frame.postMessage).toHaveBeenCalledOnce();
    expect(heard).toHaveBeenCalledWith({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
    expect(frameIn()).toBeNull();
  });

  it('to one of another release is removed with a payment in flight, too', async () => {
    const { form, frame } = open();
    await frame.say(SENT);
    frame.hello({ data: { ...hello, release: '0.1.0-other' } });
    expect(frameIn()).toBeNull();
    expect(container.querySelector('button')).toBeNull();
    expect(await form.result).toMatchObject({ outcome: 'unknown', reason: 'unmounted' });
  });

  it('connects again if the payment before has ended', async () => {
    const { frame } = open();
    await frame.say(SENT, { ...SENT, sent: false });
    frame.hello();
    expect(frame.postMessage).toHaveBeenCalledTimes(2);
  });
});

describe('promises 1.1: a prerendered page: everything counts from its activation', () => {
  const prototype = Object.getPrototypeOf(document);
  beforeEach(() => {
    Object.defineProperty(prototype, 'prerendering', { configurable: true, value: true });
  });
  afterEach(() => {
    Reflect.deleteProperty(prototype, 'prerendering');
  });
  const activate = () => {
    Reflect.deleteProperty(prototype, 'prerendering');
    document.dispatchEvent(new Event('prerenderingchange'));
  };

  it('the time limit and the client secret', async () => {
    const fetchClientSecret = vi.fn(async () => 'lg_cs_1');
    const form = put(container, { clientSecret: undefined, fetchClientSecret });
    const failed = heardBy(form, 'loaderror');
    container.append('a change of the page');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([failed, fetchClientSecret].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
    activate();
    await vi.advanceTimersByTimeAsync(9999);
    expect(fetchClientSecret).toHaveBeenCalledOnce();
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ reason: 'timeout' }));
  });

  it('after unmount() nothing begins', async () => {
    const fetchClientSecret = vi.fn(async () => 'lg_cs_1');
    put(container, { clientSecret: undefined, fetchClientSecret }).unmount();
    activate();
    await settle();
    expect(frameIn()).toBeNull();
    expect(fetchClientSecret).not.toHaveBeenCalled();
  });

  it('without its container the form is unmounted', async () => {
    const form = put();
    container.remove();
    activate();
    expect(await form.result).toMatchObject({ reason: 'unmounted' });
    expect(frameIn()).toBeNull();
  });
});

describe('fetchClientSecret', () => {
  /** The next message that the frame receives. */
  const told = async (frame: ReturnType<typeof frameOf>, ...messages: FrameMessage[]) => {
    const heard = frame.heard();
    await frame.say(...messages);
    return heard;
  };

  it('is called while the frame loads, and its secret is posted when the frame asks', async () => {
    const fetchClientSecret = vi.fn(async () => 'lg_cs_1');
    put(container, { clientSecret: undefined, fetchClientSecret });
    await settle();
    expect(fetchClientSecret).toHaveBeenCalledOnce();
    const frame = connect();
    expect(frame.init()).toMatchObject({ clientSecret: true, fetchClientSecret: true });
    expect(await told(frame, { type: 'secret', anew: false })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_1',
    });
    expect(fetchClientSecret).toHaveBeenCalledOnce();
  });

  it('beside a clientSecret is called only when the frame asks for another one', async () => {
    const fetchClientSecret = vi.fn(async () => 'lg_cs_2');
    const { frame } = open({ fetchClientSecret });
    expect(frame.init()).toMatchObject({ clientSecret: options.clientSecret, fetchClientSecret: true });
    expect(fetchClientSecret).not.toHaveBeenCalled();
    expect(await told(frame, { type: 'secret', anew: true })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_2',
    });
    // A reloaded frame gets the second secret, not the first.
    const reloaded = connect();
    expect(reloaded.init()).toMatchObject({ clientSecret: true });
    expect(await told(reloaded, { type: 'secret', anew: false })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_2',
    });
    expect(fetchClientSecret).toHaveBeenCalledOnce();
  });

  it("that rejects is reported as the page's error, and the frame learns that there is no secret", async () => {
    const errors: unknown[] = [];
    const listen = (reason: unknown) => errors.push(reason);
    process.on('unhandledRejection', listen);
    const failure = new Error('The shop is closed.');
    const answers = [Promise.reject(failure), Promise.resolve('lg_cs_1')];
    answers[0]?.catch(() => {});
    const { frame } = open({
      clientSecret: undefined,
      fetchClientSecret: async () => (await answers.shift()) ?? '',
    });
    expect(await told(frame, { type: 'secret', anew: false })).toEqual({ type: 'secret' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(errors).toContain(failure);
    expect(await told(frame, { type: 'secret', anew: true })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_1',
    });
  });

  it('allows two forms on a page, since their secrets are not known yet', () => {
    container.innerHTML = '<div></div><div></div>';
    for (const place of container.children) {
      put(place, { clientSecret: undefined, fetchClientSecret: async () => 'lg_cs_1' });
    }
    expect(container.querySelectorAll('iframe')).toHaveLength(2);
  });

  it('promises 1.1: of a payment that has a form rejects with already_mounted, and that frame gets no secret', async () => {
    const mistakes: unknown[] = [];
    const listen = (reason: unknown) => mistakes.push(reason);
    process.on('unhandledRejection', listen);
    container.innerHTML = '<div></div><div></div>';
    const [first = container, second = container] = container.children;
    const given = put(first);
    put(second, { clientSecret: undefined, fetchClientSecret: async () => 'lg_cs_one' });
    const frame = connect(second);
    expect(await told(frame, { type: 'secret', anew: false })).toEqual({ type: 'secret' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect(mistakes).toContainEqual(
      expect.objectContaining({ name: 'CardFormError', code: 'already_mounted' }),
    );
    given.unmount();
    expect(await told(frame, { type: 'secret', anew: true })).toEqual({
      type: 'secret',
      clientSecret: 'lg_cs_one',
    });
    expect(() => put(first)).toThrow(expect.objectContaining({ code: 'already_mounted' }));
  });

  it('of another payment frees the one before; a form that is gone takes none', async () => {
    container.innerHTML = '<div></div><div></div>';
    const [first = container, second = container] = container.children;
    put(first, { fetchClientSecret: async () => 'lg_cs_2' });
    const frame = connect(first);
    await told(frame, { type: 'secret', anew: true });
    put(second).unmount();
    expect(() => put(second, { clientSecret: 'lg_cs_2' })).toThrow(
      expect.objectContaining({ code: 'already_mounted' }),
    );
    put(second, { clientSecret: undefined, fetchClientSecret: async () => 'lg_cs_3' }).unmount();
    await settle();
    put(second, { clientSecret: 'lg_cs_3' });
  });
});

describe('a question of the frame for the second file', () => {
  const QUESTIONS: readonly FrameMessage[] = [
    { type: 'covers', lines: [{ left: 0, top: 0.5, length: 1, height: 0.1 }] },
    { type: 'beforepay', press: 1, amountTotal: 1234, currency: 'usd' },
    { type: 'font', font: 0 },
    { type: 'search', search: 1, query: '12 Orchard', country: 'US' },
  ];
  const [COVERS, BEFORE_PAY, FONT, SEARCH] = QUESTIONS;
  const ask = async (question: FrameMessage | undefined, more: Partial<CardFormOptions> = {}) => {
    const { form, frame } = open(more);
    const heard = frame.heard();
    if (question) await frame.say(question);
    return { form, heard: await heard, init: frame.init(), iframe: frameIn() };
  };

  it.each(QUESTIONS)(
    '$type: an answer without fields if the file does not load or throws',
    async (question) => {
      const { form, heard } = await ask(question);
      expect(heard).toEqual({ type: question.type });
      form.unmount();
      const broken = async () => {
        throw new Error('no such thing');
      };
      second = { ...PAGE, answer: broken };
      expect((await ask(question)).heard).toEqual({ type: question.type });
    },
  );

  it('is passed to it with the iframe, and its answer is posted', async () => {
    const answer = vi.fn(async () => ({ covers: ['over' as const], pointer: null }));
    second = { ...PAGE, answer };
    const { heard, iframe } = await ask(COVERS);
    expect(heard).toEqual({ type: 'covers', covers: ['over'], pointer: null });
    const call: readonly unknown[] = answer.mock.calls[0] ?? [];
    expect(call.slice(0, 2)).toEqual([COVERS, iframe]);
  });

  it('promises 1.10: beforePay is called with the total that was pressed, and its answer is posted', async () => {
    second = PAGE;
    const beforePay = vi.fn(async () => true);
    const { heard, init } = await ask(BEFORE_PAY, { beforePay });
    expect(init?.beforePay).toBe(true);
    expect(heard).toEqual({ type: 'beforepay', press: 1, allowed: true });
    expect(beforePay).toHaveBeenCalledExactlyOnceWith({ amountTotal: 1234, currency: 'usd' });
  });

  it('threat-model 1.6: fonts of the page are fetched when the frame asks for them, and their bytes are posted', async () => {
    second = PAGE;
    vi.stubGlobal('fetch', async () => new Response(Uint8Array.of(1, 2)));
    const { heard } = await ask(FONT, { fonts: [{ family: 'Brand', src: '/brand.woff2' }] });
    expect(heard).toEqual({ type: 'font', font: 0, bytes: Uint8Array.of(1, 2).buffer });
  });

  it('promises 1.8: addressLookup is asked with what the frame asks, and its answer is posted', async () => {
    second = PAGE;
    const suggestions = [{ label: 'Here', address: { line1: '12 Orchard Lane' } }];
    const addressLookup = vi.fn(async () => suggestions);
    const { heard, init } = await ask(SEARCH, { addressLookup });
    expect(init?.addressLookup).toBe(true);
    expect(heard).toEqual({ type: 'search', search: 1, suggestions });
    const signal = expect.any(AbortSignal);
    expect(addressLookup).toHaveBeenCalledExactlyOnceWith({ query: '12 Orchard', country: 'US', signal });
  });
});

it('retrieve() is answered by the second file; unknown if that does not load', async () => {
  const { retrieve: ask } = createCardForm(`${PAY}/partner/v1/card-form/0.1.0-abc`, '0.1.0-abc', load);
  const given = { publishableKey: options.publishableKey, clientSecret: 'lg_cs_9' };
  expect(await ask(given)).toMatchObject({ outcome: 'unknown' });
  const status = { outcome: 'unknown', reason: 'unresolved', paymentIntent: null } as const;
  const asked = vi.fn(async () => status);
  second = { ...PAGE, retrieve: asked };
  expect(await ask(given)).toMatchObject({ outcome: 'unknown' });
  expect(asked).toHaveBeenCalledExactlyOnceWith(given);
});

describe('a message of the frame', () => {
  it('sets the height', async () => {
    const { frame } = open();
    await frame.say({ ...SENT, height: 612 });
    expect(frameIn()?.style.height).toBe('612px');
  });

  it('settles the promises of the form, and its end keeps an earlier result', async () => {
    const { form, frame } = open();
    const result = { outcome: 'failed', error } as const;
    await frame.say(READY, { type: 'result', result });
    form.unmount();
    expect([await form.ready, await form.result]).toEqual([READY, result]);
  });

  it('of an unknown type has no effect', async () => {
    const { form, frame } = open();
    const later: FrameMessage = JSON.parse('{"type":"tomorrow","retryAfter":5}');
    await frame.say(SENT, later);
    const heard = heardBy(form, 'result');
    form.unmount();
    await settle();
    expect(heard).toHaveBeenCalledOnce(); // still pending
  });
});

describe('handlers', () => {
  it('can be added and removed', async () => {
    const form = put();
    const [always, once, gone, off] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
    form.on('processing', always);
    form.once('processing', once);
    form.on('processing', gone)();
    form.once('processing', off)();
    form.off('ready', always); // registered for another event: nothing happens
    form.once('processing', off);
    form.off('processing', off);
    const frame = connect();
    await frame.say({ type: 'processing', pressed: true }, { type: 'processing', pressed: true });
    expect(always).toHaveBeenCalledTimes(2);
    expect(once).toHaveBeenCalledOnce();
    expect(gone).not.toHaveBeenCalled();
    expect(off).not.toHaveBeenCalled();
  });

  it('that throw are reported, and the others still run', async () => {
    const thrown: unknown[] = [];
    const queue = queueMicrotask;
    vi.stubGlobal('queueMicrotask', (task: () => void) =>
      queue(() => {
        try {
          task();
        } catch (mistake) {
          thrown.push(mistake);
        }
      }),
    );
    const form = put();
    const after = vi.fn();
    form.on('processing', () => {
      throw new Error("the shop's");
    });
    form.on('processing', after);
    const frame = connect();
    await frame.say({ type: 'processing', pressed: true });
    expect(after).toHaveBeenCalledOnce();
    expect(thrown).toEqual([new Error("the shop's")]);
  });
});

describe('a frame that does not load', () => {
  const failing = () => {
    const form = put();
    const failed = heardBy(form, 'loaderror');
    return failed;
  };

  it('fails with timeout after ten seconds', async () => {
    const failed = failing();
    vi.advanceTimersByTime(9_999);
    expect(frameIn()).not.toBeNull();
    vi.advanceTimersByTime(1);
    await settle();
    expect(frameIn()).toBeNull();
    expect(failed.mock.calls).toEqual([[{ reason: 'timeout', message: expect.any(String) }]]);
    expect(container.querySelector('[role=alert]')?.textContent).toContain('Card form does not load.');
  });

  it('fails with timeout ten seconds after a hello that no message follows, since the rest of the document is missing', async () => {
    const failed = failing();
    vi.advanceTimersByTime(9000);
    frameOf().hello();
    frameIn()?.dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(9999);
    await settle();
    expect(failed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await settle();
    expect(failed).toHaveBeenCalledExactlyOnceWith({ reason: 'timeout', message: expect.any(String) });
    expect(container.querySelector('[role=alert] button')).not.toBeNull();
  });

  it('does not fail once a message has followed its hello', async () => {
    const failed = failing();
    const frame = connect();
    await frame.say({ type: 'state', height: 10, classes: [], sent: false });
    vi.advanceTimersByTime(60_000);
    await settle();
    expect(failed).not.toHaveBeenCalled();
    expect(frameIn()).not.toBeNull();
  });

  it("says so in the page's latest translations", async () => {
    const form = put(container, { translations: { 'notice.load_failed': 'Nothing loaded.' } });
    vi.advanceTimersByTime(10_000);
    expect(container.textContent).toBe('Nothing loaded. (timeout) Try again');
    form.update({ translations: { 'notice.load_failed': 'Call us.', 'action.try_again': 'Again' } });
    container.querySelector('button')?.click();
    vi.advanceTimersByTime(10_000);
    expect(container.textContent).toBe('Call us. (timeout) Again');
  });

  it('fails with offline if the browser is offline', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const failed = failing();
    vi.advanceTimersByTime(10_000);
    await settle();
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ reason: 'offline' }));
  });

  it('outcomes 2.7: "offline" replaces no cause that is known', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const failed = failing();
    const frame = connect();
    await frame.say({ type: 'loaderror', reason: 'withdrawn' });
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ reason: 'withdrawn' }));
  });

  it('threat-model 2.3: fails with integrity and the altered script, but not during a payment', async () => {
    const failed = failing();
    const frame = connect();
    const file = 'https://pay.example/partner/v1/card-form/0.1.0-abc/assets/de.js';
    await frame.say(SENT);
    await frame.say({ type: 'loaderror', reason: 'integrity', file });
    expect(frameIn()).not.toBeNull();
    await frame.say({ ...SENT, sent: false });
    await frame.say({ type: 'loaderror', reason: 'integrity', file });
    expect(failed.mock.calls).toEqual([[{ reason: 'integrity', message: `integrity: ${file}` }]]);
    expect(container.textContent).toBe('Card form does not load. (integrity) Try again');
    expect(frameIn()).toBeNull();
  });

  it('can be tried again by the buyer, any number of times', async () => {
    const failed = failing();
    for (let i = 0; i < 2; i++) {
      vi.advanceTimersByTime(10_000);
      const button = container.querySelector('button');
      expect(button?.type).toBe('button');
      expect(button?.textContent).toBe('Try again');
      button?.click();
      expect(container.querySelector('[role=alert]')).toBeNull();
    }
    const frame = connect();
    expect(frame.init()?.clientSecret).toBe('lg_cs_one');
    await frame.say(READY);
    vi.advanceTimersByTime(60_000);
    await settle();
    expect(failed).toHaveBeenCalledTimes(2);
    expect(frameIn()).not.toBeNull();
  });

  const violate = (violation: Record<string, string>) =>
    document.dispatchEvent(
      Object.assign(new Event('securitypolicyviolation', { bubbles: true }), {
        disposition: 'enforce',
        violatedDirective: 'frame-src',
        effectiveDirective: 'frame-src',
        blockedURI: SRC,
        ...violation,
      }),
    );

  it.each([
    {},
    { violatedDirective: 'child-src' },
    { violatedDirective: 'default-src' },
    { blockedURI: PAY },
  ])("is explained at once by the page's policy, with what to add to it: %o", async (violation) => {
    const failed = failing();
    violate(violation);
    await settle();
    expect(failed.mock.calls).toEqual([[{ reason: 'csp', message: `csp: frame-src ${PAY}` }]]);
    expect(frameIn()).toBeNull();
  });

  it.each([
    { disposition: 'report' },
    { blockedURI: 'https://ads.example/frame' },
    { blockedURI: 'inline' },
    { effectiveDirective: 'img-src', violatedDirective: 'default-src' },
    { blockedURI: `${PAY}.evil.example/frame` },
    { blockedURI: `${PAY}:444` },
  ])('is still waited for when the policy says %o', (violation) => {
    failing();
    violate(violation);
    expect(frameIn()).not.toBeNull();
  });

  it('has loaded once it said hello, whatever the policy reports later', () => {
    failing();
    frameOf().hello();
    violate({});
    expect(frameIn()).not.toBeNull();
  });
});

describe('a page that must not be given a secret', () => {
  it.each([
    ['null', true, 'opaque_parent'],
    ['null', false, 'opaque_parent'],
    ['http://shop.example', false, 'insecure_context'],
  ])('of origin %s fails with a reason', async (origin, secure, reason) => {
    vi.stubGlobal('origin', origin);
    vi.stubGlobal('isSecureContext', secure);
    const form = put();
    const failed = heardBy(form, 'loaderror'); // attached after mount, but still called
    await settle();
    expect(failed.mock.calls).toEqual([[{ reason, message: expect.any(String) }]]);
    expect(frameIn()).toBeNull();
    expect(container.querySelector('[role=alert]')).not.toBeNull();
    expect(container.querySelector('button')).toBeNull();
    form.unmount();
    expect(container.childElementCount).toBe(0);
  });
});

describe('unmounting', () => {
  it('resolves result at once, and emits it only with a payment in flight', async () => {
    const form = put();
    const heard = heardBy(form, 'result');
    form.unmount();
    expect(await form.result).toEqual({ outcome: 'unknown', reason: 'unmounted', paymentIntent: null });
    expect(heard).not.toHaveBeenCalled();
  });

  it.each<[string, FrameMessage | null, number]>([
    ['nothing', null, 1],
    ['the message that it has ended', { ...SENT, sent: false }, 0],
    ['a change in a field', { type: 'change', ...COMPLETE, empty: false, brand: null }, 1],
    ['another height', { ...SENT, height: 20 }, 1],
  ])('with a payment in flight and then %s', async (_, then, times) => {
    const { form, frame } = open();
    await frame.say(SENT);
    if (then) await frame.say(then);
    const heard = heardBy(form, 'result');
    form.unmount();
    await settle();
    expect(heard).toHaveBeenCalledTimes(times);
  });

  it.each<[string, () => void]>([
    ['the iframe', () => frameIn()?.remove()],
    ['the container', () => container.remove()],
    ['an ancestor of the container', () => document.querySelector('main')?.remove()],
  ])('happens if the page removes %s', async (_, remove) => {
    const { form, frame } = open();
    await frame.say(SENT);
    const heard = heardBy(form, 'result');
    remove();
    expect(await form.result).toMatchObject({ outcome: 'unknown' });
    await settle();
    expect(heard).toHaveBeenCalledOnce();
    document.body.append(container);
    put();
  });

  it('happens if the page removes a shadow host, however deep the form is in it', async () => {
    const [outer, inner, place] = ['div', 'div', 'div'].map((tag) => document.createElement(tag));
    if (!outer || !inner || !place) throw new Error('unreachable');
    document.body.append(outer);
    outer.attachShadow({ mode: 'open' }).append(inner);
    inner.attachShadow({ mode: 'open' }).append(place);
    const form = put(place);
    inner.remove();
    expect(await form.result).toMatchObject({ outcome: 'unknown' });
  });

  it('does not happen if the container is only moved', async () => {
    const form = put();
    const settled = vi.fn();
    void form.result.then(settled);
    const aside = document.createElement('aside');
    document.body.append(aside);
    aside.append(container);
    await settle();
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).not.toHaveBeenCalled();
    expect(frameIn(aside)).not.toBeNull();
  });

  it('leaves no frame, timer, listener, observer or port behind, repeated a hundred times', async () => {
    const added = vi.spyOn(window, 'addEventListener');
    const observed = vi.spyOn(MutationObserver.prototype, 'observe');
    const disconnected = vi.spyOn(MutationObserver.prototype, 'disconnect');
    const closed = vi.spyOn(RealPort.prototype, 'close');
    for (let i = 0; i < 100; i++) {
      const form = put();
      frameOf().hello();
      form.unmount();
    }
    expect(container.childElementCount).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(observed).toHaveBeenCalledTimes(100);
    expect(disconnected).toHaveBeenCalledTimes(100);
    expect(closed).toHaveBeenCalledTimes(100); // one for each init
    for (const [, , listening] of added.mock.calls) {
      expect(listening).toMatchObject({ signal: { aborted: true } });
    }
  });
});

describe('what is explained to a developer', () => {
  afterEach(() => {
    delete developer.explain;
  });

  it('a method that is called after unmount(), and none before', async () => {
    const explain = vi.fn();
    developer.explain = explain;
    const form = put();
    form.refresh();
    void form.validate();
    form.unmount();
    expect(explain).not.toHaveBeenCalled();
    form.refresh();
    form.update({ locale: 'de' });
    expect(await form.validate()).toMatchObject({ complete: false });
    expect(explain.mock.calls.map(([code, method]) => [code, method])).toEqual([
      ['unmounted', 'refresh'],
      ['unmounted', 'update'],
      ['unmounted', 'validate'],
    ]);
  });

  it('every mistake together with the option debug, which has it explained on any page', () => {
    const explain = vi.fn();
    developer.explain = explain;
    const debug = { ...options, debug: true };
    const attempts: [string | Element, CardFormOptions][] = [
      ['#nowhere', debug],
      [container, { ...debug, publishableKey: 'x' }],
      [container, { ...debug, publishableKey: 'sk_live_x' }],
      [container, debug],
    ];
    put();
    for (const [target, given] of attempts) expect(() => mount(target, given)).toThrow();
    expect(explain.mock.calls.map(([code, , page]) => [code, page?.debug])).toEqual([
      ['target_not_found', true],
      ['invalid_option', true],
      ['secret_key_exposed', true],
      ['already_mounted', true],
    ]);
  });

  it('what keeps a form from loading together with the option debug', () => {
    const explain = vi.fn();
    developer.explain = explain;
    put(container, { debug: true });
    vi.advanceTimersByTime(10_000);
    expect(explain).toHaveBeenCalledExactlyOnceWith('timeout', SRC, expect.objectContaining({ debug: true }));
  });
});
