/**
 * Card data and secrets appear where they must and nowhere else (threat-model 1.5, C17 to C24 and C30). Each place is a
 * separate assertion, which names it.
 */
import type { Frame, Page } from 'playwright/test';
import { findFirefox, MISSING } from '../browsers/find-browsers.mjs';
import { BUYER, CARD, type CheckoutPage, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { startMerchant } from '../support/merchant.ts';
import type { Intent, Service } from '../support/service.ts';
import {
  accessibilityTreeOf,
  cardNumber,
  clientSecret,
  type Finding,
  lastFour,
  memoryOf,
  PLACES_AT_REST,
  PLACES_OVER_TIME,
  publishableKey,
  type Recording,
  readPlaces,
  recordTraffic,
  type Secret,
  search,
  securityCode,
  sessionHistoryOf,
} from './secret-search.ts';

/**
 * The site of the frame. Usually it is cross-site, where Chromium gives it no storage at all. On the same site it has
 * storage, so a test can see that the form stores nothing.
 */
const test = base.extend<{ oneSite: boolean; home: string }>({
  oneSite: [false, { option: true }],
  home: async ({ oneSite, service }, use) => {
    await use(oneSite ? service.url.replace('127.0.0.1', 'localhost') : service.url);
  },
  merchant: async ({ home }, use) => {
    const merchant = await startMerchant(`${home}/partner/v1/card-form.js`);
    await use(merchant);
    await merchant.stop();
  },
});

type Card = { number: string; code: string };

/** Numbers whose digits occur nowhere else. */
const DECLINED: Card = { number: CARD.notAuthenticated, code: '739' };
const GOOD: Card = { number: CARD.amex, code: '8351' };

const CARDS: readonly Secret[] = [DECLINED, GOOD].flatMap(({ number, code }) => [
  cardNumber(number),
  lastFour(number),
  securityCode(code),
]);

const SECRETS = (service: Service, ...intents: readonly Intent[]): readonly Secret[] => [
  ...CARDS,
  ...intents.map(({ client_secret }) => clientSecret(client_secret)),
  publishableKey(service.keys.publishable),
];

/** The receipt names the card by its last four digits, as a paper slip does. In the frame only. */
const RECEIPT = `•••• ${GOOD.number.slice(-4)}`;

const besidesReceipt = (finding: Finding): Finding =>
  finding.world === 'frame' || finding.place === 'accessibility tree'
    ? { ...finding, text: finding.text.replaceAll(RECEIPT, '') }
    : finding;

/** Makes one soft assertion for each place, so that a failure names the place and does not hide others. */
const expectNowhere = (secrets: readonly Secret[], findings: readonly Finding[], when: string) => {
  const places = new Set(findings.map(({ place }) => place));
  for (const place of places) {
    const there = findings.filter((finding) => finding.place === place);
    expect.soft(search(secrets, there.map(besidesReceipt)), `${place}, ${when}`).toEqual([]);
  }
};

const isInit = ({ place, world, text }: Finding) =>
  place === 'messages' && world === 'frame' && text.includes('"protocol":');

/** Expects no secret in the recording, except in the init message, which carries key and client secret. */
const expectNothingPassed = ({ findings }: Recording, secrets: readonly Secret[]) => {
  const inits = findings.filter(isInit);
  expectNowhere(
    secrets,
    findings.filter((finding) => !isInit(finding)),
    'over time',
  );
  expectNowhere(CARDS, inits, 'in init');
  return inits;
};

/** Expects card, client secret and key in the requests that need them, and in no others. */
const expectOnlyWhereItBelongs = (
  { exchanges }: Recording,
  {
    home,
    service,
    intent,
    paidWith,
  }: { home: string; service: Service; intent: Intent; paidWith: readonly Card[] },
) => {
  const token = clientSecret(intent.client_secret);
  const key = publishableKey(service.keys.publishable);
  const confirms: string[] = [];
  for (const { request, body, authorization } of exchanges) {
    const { pathname, origin } = new URL(request.url());
    const isClientRoute = origin === home && pathname.startsWith('/partner/v1/client/');
    const isConfirm = isClientRoute && pathname.endsWith('/confirm');
    if (isConfirm) confirms.push(body);
    else expect.soft(search(CARDS, [at('request bodies', body)]), `body of ${pathname}`).toEqual([]);
    expect.soft(token.isIn(body), `client secret in the body of ${pathname}`).toBe(isClientRoute);
    expect.soft(key.isIn(body), `key in the body of ${pathname}`).toBe(false);
    expect
      .soft(authorization, `Authorization of ${pathname}`)
      .toBe(isClientRoute ? `Bearer ${service.keys.publishable}` : '');
  }
  expect(confirms.map((body) => JSON.parse(body).card)).toEqual(
    paidWith.map(({ number, code }) => ({ number, exp_month: 12, exp_year: 2034, cvc: code })),
  );
};

const at = (place: string, text: string): Finding => ({ place, world: 'browser', text });

/** Types by key presses, as a buyer does. */
const typeCard = async ({ field }: CheckoutPage, { number, code }: Card) => {
  for (const name of ['number', 'expiry', 'code'] as const) await field(name).fill('');
  await field('number').pressSequentially(number);
  await field('expiry').pressSequentially('1234');
  await field('code').pressSequentially(code);
};

test.use({ knownBuyer: true });

test.describe('threat-model C17, C18, C20, C23: a known card, code, client secret and key are found nowhere', () => {
  for (const oneSite of [false, true]) {
    const sites = oneSite ? 'one site' : 'two sites';
    test.describe(`shop and service of ${sites}`, { tag: oneSite ? ['@thorough'] : [] }, () => {
      test.use({ oneSite });

      test('while typing, after a decline, after success, in every place of both worlds', async ({
        context,
        home,
        merchant,
        open,
        page,
        service,
      }) => {
        const intent = await service.createIntent();
        const secrets = SECRETS(service, intent);
        const recorded = await recordTraffic(context, merchant.url);
        const checkout = await open(intent);
        await checkout.ready();

        await test.step('half typed', async () => {
          await checkout.field('number').pressSequentially(DECLINED.number.slice(0, 9));
          expectNowhere(secrets, await readPlaces(page), 'half typed');
          expectNowhere(secrets, [await sessionHistoryOf(page)], 'half typed');
        });

        await test.step('typed', async () => {
          await typeCard(checkout, DECLINED);
          await expect(checkout.field('number')).toHaveValue('4000 0084 0000 1629');
          expectNowhere(secrets, await readPlaces(page), 'typed');
          expectNowhere(
            CARDS,
            [at("the page's accessibility tree", await accessibilityTreeOf(page))],
            'typed',
          );
        });

        await test.step('declined', async () => {
          await checkout.pay();
          await expect(checkout.notice).not.toBeEmpty();
          await checkout.hears('decline');
          await expect(checkout.field('code')).toHaveValue('');
          expectNowhere(secrets, await readPlaces(page), 'declined');
          expectNowhere(
            CARDS,
            [at('events of the page', JSON.stringify(await checkout.events()))],
            'declined',
          );
        });

        await test.step('paid', async () => {
          await typeCard(checkout, GOOD);
          await checkout.pay();
          await expect(checkout.outcome).toHaveText('Payment received');
          await checkout.hears('result');
          expectNowhere(secrets, await readPlaces(page), 'paid');
          expectNowhere(secrets, [await sessionHistoryOf(page)], 'paid');
          expectNowhere(secrets, [at('events of the page', JSON.stringify(await checkout.events()))], 'paid');
          const trees = [await accessibilityTreeOf(page), await accessibilityTreeOf(formFrame(page))];
          expectNowhere(
            secrets,
            trees.map((tree) => at('accessibility tree', tree)),
            'paid',
          );
          await expect(checkout.frame.locator('input')).toHaveCount(0);
        });

        await recorded.settled();
        const inits = expectNothingPassed(recorded, secrets);
        expectOnlyWhereItBelongs(recorded, { home, service, intent, paidWith: [DECLINED, GOOD] });
        // The init message contains them, so the search works.
        expect(search(secrets, inits)).toEqual([
          'client secret in messages of the frame',
          'publishable key in messages of the frame',
        ]);
        expect(inits).toHaveLength(1);
        expect(context.serviceWorkers()).toEqual([]);
      });
    });
  }

  for (const end of ['paid', 'canceled while in the number', 'canceled while in the code'] as const) {
    test(`in the memory of the merchant's page at any time, or of the frame after the end: ${end}`, {
      tag: end === 'paid' ? [] : ['@thorough'],
    }, async ({ open, page, service }) => {
      const intent = await service.createIntent();
      const card = [cardNumber(GOOD.number), securityCode(GOOD.code)];
      const token = clientSecret(intent.client_secret);
      const inMemoryOf = async (one: Page | Frame, secrets = card) =>
        search(secrets, [at('memory', await memoryOf(one))]);
      const checkout = await open(intent);
      await checkout.ready();
      await typeCard(checkout, GOOD);
      expect.soft(await inMemoryOf(page), 'the page, while typing').toEqual([]);
      expect(await inMemoryOf(formFrame(page), [...card, token]), 'the frame, while typing').toEqual([
        'card number in memory of the browser',
        'security code in memory of the browser',
        'client secret in memory of the browser',
      ]);
      if (end === 'paid') {
        await checkout.pay();
        await expect(checkout.outcome).toHaveText('Payment received');
      } else {
        await checkout.field(end.endsWith('number') ? 'number' : 'code').focus();
        await service.cancel(intent.id);
        await page.evaluate(() => window.forms[0]?.refresh());
      }
      expect(await checkout.hears('result')).toMatchObject({
        outcome: end === 'paid' ? 'succeeded' : 'canceled',
      });
      expect.soft(await inMemoryOf(page), `the page, ${end}`).toEqual([]);
      expect.soft(await inMemoryOf(formFrame(page), [...card, token]), `the frame, ${end}`).toEqual([]);
    });
  }
});

test.describe('threat-model C17, C20: other ends of a form', { tag: '@thorough' }, () => {
  test('unmounted in the middle of typing', async ({ context, home, merchant, open, page, service }) => {
    const intent = await service.createIntent();
    const secrets = SECRETS(service, intent);
    const recorded = await recordTraffic(context, merchant.url);
    const checkout = await open(intent);
    await checkout.ready();
    await checkout.field('code').pressSequentially(GOOD.code);
    await checkout.field('number').pressSequentially(GOOD.number.slice(0, 11));
    await page.evaluate(() => window.forms[0]?.unmount());
    await expect.poll(() => page.frames()).toHaveLength(1);
    expectNowhere(secrets, await readPlaces(page), 'unmounted');
    expectNowhere(secrets, [at('events', JSON.stringify(await checkout.events()))], 'unmounted');
    await recorded.settled();
    expectNothingPassed(recorded, secrets);
    expectOnlyWhereItBelongs(recorded, { home, service, intent, paidWith: [] });
  });

  test('with a fetched client secret, canceled by the service', async ({
    context,
    merchant,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const secrets = SECRETS(service, intent);
    const recorded = await recordTraffic(context, merchant.url);
    await page.goto(merchant.serve({}));
    await page.evaluate(
      ({ publishableKey, secret }) =>
        window.mountCardForm('#card-form', {
          publishableKey,
          locale: 'en',
          fetchClientSecret: async () => secret,
        }),
      { publishableKey: service.keys.publishable, secret: intent.client_secret },
    );
    const checkout = checkoutPage(page);
    await checkout.ready();
    await typeCard(checkout, GOOD);
    await service.cancel(intent.id);
    await page.evaluate(() => window.forms[0]?.refresh());
    await expect(checkout.payButton).toHaveCount(0);
    await checkout.hears('result');
    expectNowhere(secrets, await readPlaces(page), 'canceled');
    await recorded.settled();
    const { findings } = recorded;
    const given = findings.filter(
      ({ place, world, text }) =>
        place === 'messages' && world === 'page' && text.includes('"type":"secret"'),
    );
    // Over the port, where the page's end of it sends.
    expect(given.some(({ text }) => clientSecret(intent.client_secret).isIn(text))).toBe(true);
    expectNowhere(CARDS, given, 'in the answer to the question for a secret');
    expectNothingPassed({ ...recorded, findings: findings.filter((one) => !given.includes(one)) }, secrets);
  });
});

test.describe('the search finds traces', { tag: '@thorough' }, () => {
  /** As long and as random as a client secret; the watch on addresses does not know it. */
  const PLANT = { page: 'Planted0here7OnThePage00', frame: 'InTheFrame70Planted0here' };
  const planted = (world: keyof typeof PLANT): Secret => ({
    ...clientSecret(`lg_cs_${PLANT[world]}`),
    name: `the plant in the ${world}`,
  });

  /** Puts the plant wherever a document could. */
  const plantEverywhere = async (plant: string) => {
    const address = `${location.pathname}?${plant}`;
    Object.defineProperty(document, 'referrer', { value: `https://shop.test/?${plant}` });
    history.replaceState({ plant }, '', address);
    history.pushState({ plant }, '', address);
    document.title = plant;
    window.name = plant;
    localStorage.setItem('kept', plant);
    sessionStorage.setItem(plant, 'kept');
    // biome-ignore lint/suspicious/noDocumentCookie: the place to plant it in.
    document.cookie = `kept${location.port}=${plant}`;
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('kept', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('kept');
      opening.onsuccess = () => resolve(opening.result);
    });
    const transaction = database.transaction('kept', 'readwrite');
    transaction.objectStore('kept').put(plant, 1);
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    database.close();
    await (await caches.open('kept')).put('/kept', new Response(plant));
    performance.mark(plant);
    console.log('a line of the console', { plant });
    const { port1 } = new MessageChannel();
    port1.postMessage(new Map([['kept', new TextEncoder().encode(plant)]]));
    new BroadcastChannel('kept').postMessage({ plant });
    window.postMessage({ plant }, location.origin);
    const holder = document.body.appendChild(document.createElement('p'));
    holder.textContent = plant;
    const shadow = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
    shadow.appendChild(document.createElement('i')).setAttribute('data-kept', plant);
    const origin = location.origin;
    await fetch(`${origin}/partner/v1/client/kept?${plant}`, {
      method: 'POST',
      headers: { 'X-Kept': plant },
      referrer: `${origin}/?${plant}`,
      referrerPolicy: 'unsafe-url',
    }).catch(() => undefined);
  };

  test.use({ oneSite: true });

  test('in every place, of either world', async ({ context, merchant, open, page, service }) => {
    const recorded = await recordTraffic(context, merchant.url);
    await context.route(/\/kept/, (route) => route.fulfill({ body: PLANT.frame }));
    const checkout = await open(await service.createIntent());
    await checkout.ready();
    const secrets = [planted('page'), planted('frame')];
    expect(search(secrets, await readPlaces(page))).toEqual([]);
    await page.evaluate(plantEverywhere, PLANT.page);
    await formFrame(page).evaluate(plantEverywhere, PLANT.frame);
    const wanted = (['page', 'frame'] as const).flatMap((world) =>
      [...PLACES_AT_REST, ...PLACES_OVER_TIME]
        // Skips the merchant's own answers, which may contain the merchant's data.
        .filter((place) => !(world === 'page' && place === 'answers'))
        .map((place) => {
          const where = place === 'console' ? 'browser' : world;
          return `${planted(world).name} in ${place} of the ${where}`;
        }),
    );
    await expect
      .poll(async () => {
        await recorded.settled();
        const found = search(secrets, [...recorded.findings, ...(await readPlaces(page))]);
        return wanted.filter((place) => !found.includes(place));
      })
      .toEqual([]);
    expect(search([planted('page')], [await sessionHistoryOf(page)])).toHaveLength(1);
  });

  test('in memory, and in the accessibility tree', async ({ checkout, page }) => {
    await checkout.ready();
    const plant = (text: string) => {
      Reflect.set(window, 'kept', { text });
      document.body.appendChild(document.createElement('p')).textContent = text;
    };
    await page.evaluate(plant, PLANT.page);
    await formFrame(page).evaluate(plant, PLANT.frame);
    expect(planted('page').isIn(await memoryOf(page))).toBe(true);
    expect(planted('page').isIn(await accessibilityTreeOf(page))).toBe(true);
    expect(planted('frame').isIn(await memoryOf(formFrame(page)))).toBe(true);
    expect(planted('frame').isIn(await accessibilityTreeOf(formFrame(page)))).toBe(true);
  });

  test('in other notations, and in part', () => {
    const number = cardNumber('378282246310005');
    for (const text of [
      '378282246310005',
      '3782 822463 10005',
      '3782-822463-10005',
      '3782%20822463%2010005',
      '3782+822463+10005',
      '{"partly":"3782 8224"}',
      '…246310005',
      btoa('378282246310005'),
    ]) {
      expect(number.isIn(text), text).toBe(true);
    }
    for (const text of ['378282', '4242424242424242', '']) expect(number.isIn(text), text).toBe(false);
    const code = securityCode('8351');
    for (const text of ['8351', 'cvc=8351&', '{"cvc":"8351"}', 'a 8351 b'])
      expect(code.isIn(text), text).toBe(true);
    for (const text of ['83510', 'x8351', '1.8351', ':8351/']) expect(code.isIn(text), text).toBe(false);
    const secret = clientSecret('lg_cs_abcdefghijklmnopqrstuvwx');
    for (const text of ['?s=abcdefghijkl', '…mnopqrstuvwx', 'lg_cs_abcdefghijklm']) {
      expect(secret.isIn(text), text).toBe(true);
    }
    for (const text of ['lg_cs_', 'abcdefghijk', 'nopqrstuvwx']) expect(secret.isIn(text), text).toBe(false);
  });
});

test.describe('threat-model C18, C30, C31: only the frame can use the client routes', () => {
  /** Expects complete data: the service could charge what it received. */
  const whole = {
    email: BUYER.email,
    name: BUYER.name,
    address: { ...KNOWN_BUYER.billingDetails.address, line2: null },
  };

  for (const engine of ['chromium', 'firefox'] as const) {
    test(`a merchant's page with key and secret can neither charge nor learn anything by fetch, in ${engine}`, {
      tag: engine === 'firefox' ? ['@thorough'] : [],
    }, async ({ merchant, page: ours, playwright, service, watch }) => {
      watch.expect(/CORS|Access-Control|blocked|same-origin/);
      const firefox = engine === 'firefox' ? findFirefox() : null;
      test.skip(engine === 'firefox' && firefox === null, MISSING.firefox);
      const browser = firefox && (await playwright.firefox.launch(firefox.launchOptions));
      const page = browser ? await browser.newPage() : ours;
      const intent = await service.createIntent();
      await page.goto(merchant.serve({}));
      const learned = await page.evaluate(
        async ({ url, key, secret, billing }) => {
          const answers = new Set<string>();
          for (const mode of ['cors', 'no-cors', 'same-origin'] as const) {
            for (const route of ['retrieve', 'release', 'confirm']) {
              for (const type of ['application/json', 'text/plain']) {
                const answer = await fetch(`${url}/partner/v1/client/payment_intents/${route}`, {
                  method: 'POST',
                  mode,
                  headers: {
                    'Content-Type': type,
                    ...(mode === 'no-cors' ? {} : { Authorization: `Bearer ${key}` }),
                  },
                  body: JSON.stringify({
                    client_secret: secret,
                    amount_total: 5804,
                    currency: 'usd',
                    card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
                    billing_details: billing,
                  }),
                }).then(
                  async (response) => `${response.type} ${response.status} ${await response.text()}`,
                  () => 'failed',
                );
                answers.add(`${mode}: ${answer}`);
              }
            }
          }
          return [...answers];
        },
        { url: service.url, key: service.keys.publishable, secret: intent.client_secret, billing: whole },
      );
      expect(learned.filter((answer) => !/: (failed|opaque 0 )$/.test(answer))).toEqual([]);
      expect(learned.length).toBeGreaterThanOrEqual(3);
      expect(await service.record(intent.id)).toMatchObject({
        payment_intent: { status: 'pending', confirmation_attempts: 0 },
        charges: 0,
        requests: [{ route: 'payment_intents.create' }],
      });
      await browser?.close();
    });
  }
});
