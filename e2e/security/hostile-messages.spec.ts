/** What other windows, and the page itself, can do to the form by messages. */
import type { Frame, Page } from 'playwright/test';
import { BUYER, CARD, checkoutPage } from '../support/checkout-page.ts';
import { dropTimers } from '../support/drop-timers.ts';
import { test as base, expect } from '../support/fixtures.ts';
import type { Merchant } from '../support/merchant.ts';
import type { Service } from '../support/service.ts';
import { embedFrameWithoutLoader } from './frame-without-loader.ts';
import { aftermath, flood, learnedBy, listenForFloods, startHostileSite } from './hostile-site.ts';

const test = base.extend<{ stranger: Awaited<ReturnType<typeof startHostileSite>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
  stranger: async ({}, use) => {
    const stranger = await startHostileSite();
    await use(stranger);
    await stranger.stop();
  },
});

test.use({ knownBuyer: true });

/** A child frame by its title. */
const frameTitled = async (within: Page | Frame, title: string): Promise<Frame> => {
  const handle = await within.waitForSelector(`iframe[title="${title}"]`, { state: 'attached' });
  const frame = await handle.contentFrame();
  if (!frame) throw new Error(`"${title}" is no frame`);
  await frame.waitForLoadState('load');
  return frame;
};

const FORM = 'Secure card form';
const MESSAGES = 200;

test(`threat-model C1 to C4, C7, C8: ${MESSAGES * 10} hostile messages, with valid hellos and inits among them, sent before and after the form answers, from the page, a sibling, a nested frame, the opener and an opaque origin, to the page and every frame, get no answer, cause no error and change no prototype, and the form pays`, async ({
  context,
  page: outer,
  serve,
  service,
  stranger,
}) => {
  const intent = await service.createIntent();
  const other = await service.createIntent({ amount: 100 });
  const address = serve(intent);

  /** The frame's document is held back until the hostile windows have sent their messages. */
  const held: (() => void)[] = [];
  await context.route(/\/card-form\/[^/]+\/frame\.html$/, (route) => {
    held.push(() => void route.continue());
  });

  // The script gives up on a frame after ten seconds, which a slow machine may take to send the messages.
  await dropTimers(context, 10_000);

  await outer.goto(`${stranger.url}/empty`);
  const opening = context.waitForEvent('page');
  await outer.evaluate((url) => Reflect.set(self, 'opened', window.open(url)), address);
  const page = await opening;
  await page.waitForLoadState('domcontentloaded');
  const checkout = checkoutPage(page);
  await page.evaluate((url) => {
    const add = (title: string, different: Partial<HTMLIFrameElement> & { box?: string }) => {
      const frame = document.createElement('iframe');
      frame.title = title;
      if (different.box) frame.setAttribute('sandbox', different.box);
      if (different.src) frame.src = different.src;
      if (different.srcdoc) frame.srcdoc = different.srcdoc;
      document.body.append(frame);
    };
    add('sibling', { src: `${url}/page?frame=/empty` });
    add('opaque', { box: 'allow-scripts', srcdoc: '<!doctype html><title>Opaque</title>' });
  }, stranger.url);

  const sibling = await frameTitled(page, 'sibling');
  const strangers: readonly (readonly [Frame, 'self' | 'top' | 'opened'])[] = [
    [page.mainFrame(), 'self'],
    [sibling, 'top'],
    [await frameTitled(sibling, 'nested'), 'top'],
    [outer.mainFrame(), 'opened'],
    [await frameTitled(page, 'opaque'), 'top'],
  ];
  expect(await strangers[4]?.[0].evaluate(() => self.origin)).toBe('null');
  const floodAll = (from: number) =>
    Promise.all(
      strangers.map(([window, where], index) =>
        flood(window, {
          seed: from + index,
          messages: MESSAGES,
          page: where,
          publishableKey: service.keys.publishable,
          clientSecret: other.client_secret,
        }),
      ),
    );
  const ends = (from: number) => strangers.map((_, index) => `last:${from + index}`).sort();

  await listenForFloods(page.mainFrame());
  await floodAll(1);
  await expect.poll(() => aftermath(page.mainFrame())).toEqual({ ended: ends(1), prototypes: true });
  expect(await checkout.events()).toEqual([]);
  for (const go of held) go();
  await context.unroute(/\/card-form\/[^/]+\/frame\.html$/);
  await checkout.fillCard(CARD.visa);
  await checkout.ready('Pay $58.04');

  const form = await frameTitled(page, FORM);
  await listenForFloods(form);
  const before = await checkout.events();
  await floodAll(6);
  await expect.poll(async () => (await aftermath(page.mainFrame())).ended).toHaveLength(10);
  await expect.poll(() => aftermath(form)).toEqual({ ended: ends(6), prototypes: true });
  expect((await aftermath(page.mainFrame())).prototypes).toBe(true);

  const [own, ...others] = await Promise.all(strangers.map(([window]) => learnedBy(window)));
  expect(own).toEqual([{ channel: 'card-form', type: 'hello', protocols: [1], release: expect.any(String) }]);
  expect(others).toEqual([[], [], [], []]);
  await expect.poll(() => checkout.events()).toEqual(before);
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  expect(await service.record(other.id)).toMatchObject({ charges: 0, confirms: 0, retrieves: 0 });
});

test("threat-model C3, C4: a frame that waits for its init ignores those of siblings, nested frames and opaque origins, answers none of their messages, and then accepts its parent's", {
  tag: '@thorough',
}, async ({ merchant, page, service, stranger }) => {
  const intent = await service.createIntent();
  const other = await service.createIntent({ amount: 100 });
  await page.goto(merchant.serve({}));
  const held = await embedFrameWithoutLoader(page, service);
  const form = await frameTitled(page, 'held');
  await listenForFloods(form);
  await page.evaluate((url) => {
    for (const [title, box, src] of [
      ['sibling', '', `${url}/page?frame=/empty`],
      ['opaque', 'allow-scripts', `${url}/empty`],
    ] as const) {
      const frame = document.createElement('iframe');
      frame.title = title;
      if (box) frame.setAttribute('sandbox', box);
      frame.src = src;
      document.body.append(frame);
    }
  }, stranger.url);
  const sibling = await frameTitled(page, 'sibling');
  const strangers = [sibling, await frameTitled(sibling, 'nested'), await frameTitled(page, 'opaque')];
  await Promise.all(
    strangers.map((window, index) =>
      flood(window, {
        seed: 20 + index,
        messages: MESSAGES,
        page: 'top',
        publishableKey: service.keys.publishable,
        clientSecret: other.client_secret,
      }),
    ),
  );
  await expect
    .poll(() => aftermath(form))
    .toEqual({ ended: ['last:20', 'last:21', 'last:22'], prototypes: true });
  for (const window of strangers) expect(await learnedBy(window)).toEqual([]);
  expect((await held.hellos()).length).toBe(1);

  await held.init({ clientSecret: intent.client_secret });
  const checkout = checkoutPage(page);
  await checkout.fillCard(CARD.visa);
  await checkout.ready('Pay $58.04');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  expect(await service.record(other.id)).toMatchObject({ charges: 0, confirms: 0, retrieves: 0 });
});

/** A page with the form's frame and no loader, which says what the test has it say. */
const openHeld = async (page: Page, merchant: Merchant, service: Service, options = {}) => {
  const intent = await service.createIntent();
  await page.goto(merchant.serve({}));
  const held = await embedFrameWithoutLoader(page, service);
  await held.init({ clientSecret: intent.client_secret, ...options });
  return { held, checkout: checkoutPage(page), intent };
};

const UPDATE = { type: 'update', locale: 'de' };
const PROTOCOL_ERROR = { type: 'error', error: { code: 'protocol', recovery: 'fix_integration' } };

test.describe('threat-model C9: a page that breaks a limit is ignored from then on and receives one error, and the form continues', () => {
  // The other limits: src/form/channel/port.test.ts.
  test('a limit of 16 KiB', async ({ merchant, page, service }) => {
    const tooLarge = { type: 'nothing', text: 'x'.repeat(16_384) };
    const { held, checkout, intent } = await openHeld(page, merchant, service);
    await checkout.fillCard(CARD.visa);
    await checkout.ready('Pay $58.04');
    await held.say([tooLarge, UPDATE, tooLarge]);
    await expect.poll(() => held.heard('error')).toMatchObject([PROTOCOL_ERROR]);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received'); // not in German
    await expect.poll(() => held.heard('result')).toMatchObject([{ result: { outcome: 'succeeded' } }]);
    expect(await held.heard('error')).toMatchObject([{ error: { charged: 'no' } }]);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('during a payment, whose result it receives first', { tag: '@thorough' }, async ({
    merchant,
    page,
    service,
  }) => {
    const { held, checkout, intent } = await openHeld(page, merchant, service);
    await checkout.fillCard(CARD.visa);
    await service.nextAnswer({ route: 'client.confirm', act: true, delay_seconds: 2 });
    await checkout.pay();
    await expect.poll(() => held.heard('processing')).toHaveLength(1);
    await held.say([{ type: 'nothing', text: 'x'.repeat(16_384) }, { type: 'destroy' }]);
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect
      .poll(() => held.heard('error'))
      .toMatchObject([{ error: { code: 'protocol', charged: 'yes' } }]);
    const order = (await held.heard()).filter((type) => type === 'result' || type === 'error');
    expect(order).toEqual(['result', 'error']);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('refresh() in a loop', { tag: '@thorough' }, async ({ checkout, intent, page, service }) => {
    await checkout.fillCard(CARD.visa);
    await checkout.ready('Pay $58.04');
    await page.evaluate(() => {
      for (let times = 0; times < 100; times += 1) window.forms[0]?.refresh();
    });
    expect(await checkout.hears('error')).toMatchObject({ code: 'protocol', charged: 'no' });
    await checkout.ready('Pay $58.04');
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    await expect.poll(() => checkout.events('error')).toHaveLength(1);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test('threat-model C10: no message from the frame to the page contains card data, after a decline and a payment', async ({
  merchant,
  page,
  service,
}) => {
  const { held, checkout } = await openHeld(page, merchant, service, { defaultValues: undefined });
  const [code, expiry] = ['917', '11/39'];
  await checkout.fill({ number: CARD.incorrectCvc, code, expiry });
  await checkout.ready('Pay $58.04');
  await checkout.pay();
  await expect.poll(() => held.heard('decline')).toHaveLength(1);
  await checkout.fill({ number: CARD.amex, code: '9173', expiry });
  await checkout.pay();
  await expect.poll(() => held.heard('result')).toHaveLength(1);
  // The amount's place in the frame is sent as fractions, which contain arbitrary digits.
  const everything = (await held.everything()).filter(({ type }) => type !== 'covers');
  const said = JSON.stringify([await held.hellos(), everything]);
  // The longest run of its digits that may appear is one that an amount or a time could hold by chance.
  for (const number of [CARD.incorrectCvc, CARD.amex])
    for (let from = 0; from + 6 <= number.length; from += 1)
      expect(said).not.toContain(number.slice(from, from + 6));
  for (const secret of [code, expiry, '2039', BUYER.email, BUYER.name, BUYER.line1, BUYER.zip]) {
    expect(said.replace(/"(created|succeeded_at)":\d+|"(id|release)":"[^"]*"/g, '')).not.toContain(secret);
  }
  expect((await held.heard()).length).toBeGreaterThan(4);
  expect(said).not.toContain('lg_cs_');
});
