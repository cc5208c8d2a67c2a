/**
 * A browser neither restores nor stores card data (threat-model 1.5, C21). A plain field of the merchant's next to the
 * form proves each time that the browser restored what it could.
 */
import type { Page } from 'playwright/test';
import { type BrowserProfile, createBrowserProfile } from '../browsers/browser-profile.ts';
import { findFirefox, MISSING } from '../browsers/find-browsers.mjs';
import { WHOLE_CHROMIUM } from '../browsers/launch-chromium.ts';
import { CARD, checkoutPage, LABEL } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import {
  cardNumber,
  clientSecret,
  type Finding,
  publishableKey,
  readPlaces,
  type Secret,
  search,
  securityCode,
} from './secret-search.ts';

const TYPED = { number: CARD.amex, expiry: '1234', code: '8351' } as const;
const FIELDS = ['number', 'expiry', 'code'] as const;
const BESIDE = 'written beside the form';
/** Chromium's list of tabs, in its profile. */
const SESSION = 'Default/Sessions';

const test = base.extend<{ profile: BrowserProfile }>({
  knownBuyer: true,
  profile: async ({ playwright }, use) => {
    const profile = await createBrowserProfile(playwright.chromium, WHOLE_CHROMIUM);
    await use(profile);
    await profile.remove();
  },
});

const BODY = '<main><h1>Checkout</h1><div id="card-form"></div><input aria-label="Note" id="note"></main>';

const expectNoCard = async (page: Page) => {
  const checkout = checkoutPage(page);
  await checkout.ready();
  for (const name of FIELDS) await expect(checkout.field(name), LABEL[name]).toHaveValue('');
};

const type = async (page: Page) => {
  const checkout = checkoutPage(page);
  await checkout.ready();
  for (const name of FIELDS) await checkout.field(name).pressSequentially(TYPED[name]);
  await page.getByLabel('Note').fill('');
  await page.getByLabel('Note').pressSequentially(BESIDE);
  await expect(checkout.field('number')).toHaveValue('3782 822463 10005');
  await expect(checkout.field('code')).toHaveValue(TYPED.code);
};

test.describe('threat-model C21: a typed card is not restored', () => {
  test('by Back, Forward or a reload without the back/forward cache', async ({
    merchant,
    page,
    serve,
    service,
  }) => {
    const address = serve(await service.createIntent(), { body: BODY });
    const elsewhere = `${merchant.url}/elsewhere`;
    const WAYS = {
      Back: async () => {
        await page.goto(elsewhere);
        await page.goBack();
      },
      Forward: async () => {
        await page.goBack();
        await page.goForward();
      },
      'a reload': () => page.reload(),
    };
    for (const [way, leave] of Object.entries(WAYS)) {
      await page.goto(elsewhere);
      await page.goto(address);
      await type(page);
      await leave();
      // On a reload Chromium restores nothing; other browsers do.
      await expect(page.getByLabel('Note'), way).toHaveValue(way === 'a reload' ? '' : BESIDE);
      await expectNoCard(page);
    }
  });

  for (const end of ['closed', 'killed'] as const) {
    test(`by a browser that was ${end} and reopens its tabs, nor is it on the disk`, {
      tag: '@thorough',
    }, async ({ profile, serve, service }) => {
      const address = serve(await service.createIntent(), { body: BODY });
      const first = await profile.open();
      const [page = await first.newPage()] = first.pages();
      await page.goto(address);
      await type(page);
      const inSession = (text: string | Secret) => profile.filesWith(text, SESSION);
      const expectNoCardOnDisk = async () => {
        expect(await profile.filesWith(TYPED.number)).toEqual([]);
        expect(await profile.filesWith('3782 822463 10005')).toEqual([]);
        // Any large file contains four given digits.
        expect(await inSession(securityCode(TYPED.code))).toEqual([]);
        expect(await inSession(BESIDE)).not.toEqual([]);
      };
      const note = page.getByLabel('Note');
      /** The browser saves its session every few seconds, sometimes without the last change. */
      const typeUntilWritten = (text: string) =>
        expect
          .poll(async () => {
            await note.press('.');
            return inSession(text);
          })
          .not.toEqual([]);
      await typeUntilWritten(BESIDE);
      // It writes two files, the second encrypted: after another round both have the change.
      await typeUntilWritten(`${await note.inputValue()}.`);
      await expectNoCardOnDisk();
      await (end === 'killed' ? profile.kill(first) : first.close());
      await expectNoCardOnDisk();

      const second = await profile.openAgain();
      await expect.poll(() => second.pages().map((one) => one.url())).toContain(address);
      const restored = second.pages().find((one) => one.url() === address);
      if (!restored) throw new Error('The browser did not open the tab again.');
      await expect(restored.getByLabel('Note')).toHaveValue(new RegExp(`^${BESIDE}`));
      await expectNoCard(restored);
      await second.close();
      await expectNoCardOnDisk();
    });
  }
});

test('threat-model C17: after a payment in the demo shop the disk contains no card, client secret or key', {
  tag: '@thorough',
}, async ({ profile, service, shop }) => {
  const context = await profile.open();
  const [page = await context.newPage()] = context.pages();
  await page.goto(`${shop}/checkout?locale=en`);
  const checkout = checkoutPage(page);
  await checkout.ready();
  await checkout.fill({ number: TYPED.number, code: TYPED.code });
  await checkout.pay();
  await expect(page).toHaveURL(/\/thanks/);
  const thanks = page.url();
  const [id = ''] = await service.intents();
  const { client_secret, charges } = await service.record(id);
  expect(charges).toBe(1);
  await context.close();
  for (const secret of [TYPED.number, '3782 822463 10005', client_secret, service.keys.publishable]) {
    expect.soft(await profile.filesWith(secret), secret).toEqual([]);
  }
  expect(await profile.filesWith(thanks), 'the search reads the disk').not.toEqual([]);
});

test.describe('threat-model C17, C21, C23: in Firefox', () => {
  test('a card, client secret and key are nowhere while typing and after the end, and no way back restores a card', {
    tag: '@thorough',
  }, async ({ merchant, playwright, serve, service }) => {
    const found = findFirefox();
    test.skip(found === null, MISSING.firefox);
    const browser = await playwright.firefox.launch(found?.launchOptions);
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 900, height: 1400 } });
    const lines: Finding[] = [];
    page.on('console', (message) => lines.push({ place: 'console', world: 'browser', text: message.text() }));
    page.on('request', (request) =>
      lines.push({ place: 'requested addresses', world: 'browser', text: request.url() }),
    );
    const intent = await service.createIntent();
    const address = serve(intent, { body: BODY });
    const secrets = [
      cardNumber(TYPED.number),
      securityCode(TYPED.code),
      clientSecret(intent.client_secret),
      publishableKey(service.keys.publishable),
    ];
    await page.goto(`${merchant.url}/elsewhere`);
    await page.goto(address);
    await type(page);
    expect.soft(search(secrets, await readPlaces(page)), 'typed').toEqual([]);

    await page.goto(`${merchant.url}/elsewhere`);
    // A page from the back/forward cache does not load again.
    await page.goBack({ waitUntil: 'commit' });
    await expectNoCard(page);

    await type(page);
    await page.reload();
    await expectNoCard(page);
    // On a reload Firefox restores what it can.
    await expect(page.getByLabel('Note')).toHaveValue(BESIDE);

    await type(page);
    const checkout = checkoutPage(page);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect(checkout.frame.locator('input')).toHaveCount(0);
    expect.soft(search(secrets, await readPlaces(page)), 'paid').toEqual([]);
    expect.soft(search(secrets, lines), 'over time').toEqual([]);
    expect(lines.length).toBeGreaterThan(10);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    await browser.close();
  });
});
