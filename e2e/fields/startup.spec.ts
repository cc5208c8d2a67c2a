/** Files needed before a buyer can type, the order of the rest, and caching (promises 7). */
import type { Frame } from 'playwright/test';
import { BUYER, CARD, type CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';

declare global {
  interface Window {
    /** Constructors of `Intl` that were used, and whether the form was typeable by then. */
    woken?: { name: string; canType: boolean }[];
    /** Messages that this window received over ports. */
    messages?: number;
  }
}

/** The help for developers, in the frame and on the page. It loads on local pages such as these, never for buyers. */
const HELP = /\/(dev-hints|mistakes)\.js$/;

const frameOf = async (checkout: CheckoutPage): Promise<Frame> => {
  const frame = await (await checkout.iframe.elementHandle())?.contentFrame();
  if (!frame) throw new Error('The iframe has no document.');
  return frame;
};

test('a buyer can type, with grouping and brand, when only the loader and the document have loaded', async ({
  open,
  page,
  service,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(service.url) && !HELP.test(request.url()))
      asked.push(new URL(request.url()).pathname);
  });
  const others = /\/assets\/|\/client\//;
  const { release } = await holdRequests(page, others);
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.field('number').pressSequentially(CARD.amex);
  await expect(checkout.field('number')).toHaveValue('3782 822463 10005');
  await checkout.field('code').fill('1234');
  await checkout.field('name').fill(BUYER.name);
  await expect(checkout.field('country')).toHaveValue('US');
  await expect(checkout.field('country')).toHaveText(/United States/);
  expect(asked.filter((path) => !others.test(path))).toHaveLength(2);
  // The document's head requests payment.js. The read and form.js follow in either order.
  const [first, ...rest] = asked.filter((path) => others.test(path)).map((path) => path.split('/').at(-1));
  expect(first).toBe('payment.js');
  expect(rest.sort()).toEqual(['form.js', 'retrieve']);

  expect(await checkout.events('ready')).toEqual([]); // not before the first read has ended

  release();
  await expect(checkout.total).toContainText('$58.04');
  expect(await checkout.hears('ready')).toEqual({ type: 'ready', amountTotal: 5804, currency: 'usd' });
  await expect
    .poll(() =>
      asked
        .slice(5)
        .map((path) => path.split('/').at(-1))
        .sort(),
    )
    .toEqual(['page.js']);
  await expect(checkout.field('number')).toHaveValue('3782 822463 10005');
  await expect(checkout.field('name')).toBeFocused(); // unchanged
  await expect.poll(() => checkout.events('focus')).toEqual([{ type: 'focus', field: 'name' }]);
  await checkout.fill({ number: CARD.amex, code: '1234' });
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1, retrieves: 1 });
});

test('the total is shown before form.js has arrived, and hydration leaves it unchanged', async ({
  open,
  page,
  service,
}) => {
  const { release } = await holdRequests(page, /\/assets\/form\.js$/);
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await expect(checkout.total).toHaveText('$58.04');
  const frame = await frameOf(checkout);
  await frame.evaluate(() => {
    const texts: string[] = [];
    const place = document.querySelector('.total [data-amount]');
    if (!place) throw new Error('There is no total.');
    Reflect.set(window, 'texts', texts);
    Reflect.set(window, 'place', place);
    new MutationObserver(() => texts.push(`${place.textContent}`)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  expect(await checkout.events('ready')).toEqual([]);
  release();
  await checkout.ready('Pay $58.04');
  const { texts, isSame } = await frame.evaluate(() => ({
    texts: Reflect.get(window, 'texts'),
    isSame: Reflect.get(window, 'place') === document.querySelector('.total [data-amount]'),
  }));
  expect([...new Set(texts)]).toEqual(['$58.04']);
  expect(isSame).toBe(true);
  expect(await service.record(intent.id)).toMatchObject({ retrieves: 1 });
});

test('fields left before the validation has loaded are validated once it has loaded', async ({
  open,
  page,
  service,
}) => {
  const { release } = await holdRequests(page, /\/form\.js$/);
  const checkout = await open(await service.createIntent());
  await checkout.field('number').fill('4242424242424241');
  await checkout.field('name').fill('A');
  release();
  await expect(checkout.field('number')).toHaveAccessibleDescription(/This card number has a mistake/);
  await expect(checkout.field('name')).toBeFocused();
  await expect(checkout.field('email')).not.toHaveAttribute('aria-invalid');
});

test('a language with its own document uses no Intl before the buyer can type, and none for the total', {
  tag: '@thorough',
}, async ({ open, page, service }) => {
  await page.addInitScript(() => {
    const woken: { name: string; canType: boolean }[] = [];
    window.woken = woken;
    for (const name of Object.getOwnPropertyNames(Intl)) {
      const original: unknown = Reflect.get(Intl, name);
      if (typeof original !== 'function' || !/^[A-Z]/.test(name)) continue;
      const note = () => woken.push({ name, canType: document.querySelector('input') !== null });
      const proxy = new Proxy(original, {
        construct(target, given) {
          note();
          return Reflect.construct(target, given);
        },
        apply(target, self, given) {
          note();
          return Reflect.apply(target, self, given);
        },
      });
      Reflect.set(Intl, name, proxy);
    }
  });
  const checkout = await open(await service.createIntent(), { options: { locale: 'pt-BR' } });
  await expect(checkout.total).toContainText(/58[.,]04/);
  const frame = await frameOf(checkout);
  // Country names are loaded when the browser is idle.
  await expect.poll(() => frame.evaluate(() => window.woken?.length)).toBeGreaterThan(0);
  await expect(frame.locator('select').first().locator('option')).toHaveCount(249);
  const woken = (await frame.evaluate(() => window.woken)) ?? [];
  expect(woken.filter(({ canType }) => !canType)).toEqual([]);
  expect(woken.filter(({ name }) => name === 'NumberFormat')).toEqual([]);
  expect(await frame.evaluate(() => document.querySelector('select')?.selectedOptions[0]?.label)).not.toBe(
    '',
  );
});

test('a key that changes nothing sends nothing to the page', async ({ open, page, service }) => {
  await page.addInitScript(() => {
    window.messages = 0;
    const own = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      configurable: true,
      get(this: MessagePort) {
        return own?.get?.call(this);
      },
      set(this: MessagePort, handler) {
        own?.set?.call(
          this,
          typeof handler === 'function'
            ? (event: MessageEvent) => {
                window.messages = (window.messages ?? 0) + 1;
                Reflect.apply(handler, this, [event]);
              }
            : handler,
        );
      },
    });
  });
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  const heard = () => page.evaluate(() => window.messages);
  await checkout.field('number').pressSequentially('424242');
  await expect(checkout.field('number')).toHaveAccessibleDescription('Visa');
  await expect.poll(() => checkout.events('change')).toHaveLength(2); // one for the start, one for the brand
  for (const [name, begun, rest] of [
    ['number', '', '424242'],
    ['name', 'A', 'da Lovelace'],
    ['line1', '1', '2 Orchard Lane'],
  ] as const) {
    const field = checkout.field(name);
    await field.pressSequentially(begun); // the first input is a change: it shows that the buyer is there and has begun
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    const before = await heard();
    expect(before).toBeGreaterThan(0);
    await field.pressSequentially(rest);
    await expect(field).toHaveValue(/(242|lace|Lane)$/);
    expect([name, await heard()]).toEqual([name, before]);
  }
});

test('contract 2: a second visit fetches no code of the frame', async ({ open, page, service, serve }) => {
  const first = await open(await service.createIntent());
  await first.ready();
  const allLoaded = (checkout: CheckoutPage) =>
    expect.poll(async () => (await sizes(checkout)).length).toBe(3);
  const sizes = async (checkout: CheckoutPage) =>
    (await frameOf(checkout)).evaluate(() =>
      performance
        .getEntries()
        .filter(({ name }) => !name.endsWith('/dev-hints.js'))
        .filter((entry) => entry instanceof PerformanceResourceTiming && /\/card-form\//.test(entry.name))
        .map((entry) => [
          entry.name.split('/').at(-1),
          entry instanceof PerformanceResourceTiming && entry.transferSize > 0,
        ]),
    );
  await allLoaded(first);
  expect(await sizes(first)).toEqual([
    ['frame.html', true],
    ['payment.js', true],
    ['form.js', true],
  ]);
  await page.goto('about:blank');
  await page.goto(serve(await service.createIntent()));
  await first.ready();
  await allLoaded(first);
  expect(await sizes(first)).toEqual([
    ['frame.html', false],
    ['payment.js', false],
    ['form.js', false],
  ]);
});

test('text typed before each task of the hydration is kept and sent', { tag: '@thorough' }, async ({
  open,
  page,
  service,
}) => {
  await page.addInitScript(() => {
    if (window === top) return;
    const later = window.setTimeout.bind(window);
    const type = () => {
      const name = document.querySelector('input[autocomplete$="cc-name"]');
      const isConnected = document.querySelector('.summary[data-state="known"]') !== null;
      if (!(name instanceof HTMLInputElement) || isConnected) return;
      name.value += 'x';
      name.dispatchEvent(new InputEvent('input', { bubbles: true }));
    };
    const setTimeout = (run: () => void, ms?: number) =>
      later(() => {
        if (ms === undefined) type();
        run();
      }, ms);
    Reflect.set(window, 'setTimeout', setTimeout);
  });
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.ready();
  const typed = await checkout.field('name').inputValue();
  expect(typed).toMatch(/^xx+$/);
  for (const name of ['number', 'expiry', 'code', 'email', 'line1', 'city', 'zip'] as const)
    await checkout.field(name).fill(BUYER[name]); // not the name
  await checkout.field('state').selectOption(BUYER.state);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({
    payment_intent: { billing_details: { name: typed } },
  });
});
