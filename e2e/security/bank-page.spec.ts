/**
 * A later release may show a bank's page in a document inside the frame (docs/three-d-secure.md). Merchants paste the
 * iframe's attributes today, so these must let such a page work.
 */
import type { Page } from 'playwright/test';
import { test as base, expect } from '../support/fixtures.ts';
import { startForeignSite } from '../support/foreign-site.ts';

const BANK = `<!doctype html><title>Bank</title>
  <button id="window" onclick="window.open('/terms')">Terms</button>
  <button id="app" onclick="location = 'examplebank://confirm'">Bank app</button>
  <form action="/done" method="post"><button id="submit">Confirm</button></form>`;

/** A shop, and a bank's page two documents deep in an iframe with these attributes. */
const test = base.extend<{ openBank(attributes: Record<string, string>): Promise<Page> }>({
  openBank: async ({ page }, use) => {
    const shop = await startForeignSite();
    const bank = await startForeignSite('127.0.0.1');
    const challenge = bank.put('/challenge', BANK);
    bank.put('/terms', '<!doctype html><title>Terms</title>');
    bank.put('/done', '<!doctype html><title>Done</title><p>Confirmed</p>');
    await use(async (attributes) => {
      const frame = bank.put(
        '/frame',
        `<!doctype html><title>Frame</title><iframe src="${challenge}" allow="${attributes.allow}"></iframe>`,
      );
      const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`);
      await page.goto(
        shop.put(
          '/',
          `<!doctype html><title>Shop</title><iframe src="${frame}" ${written.join(' ')}></iframe>`,
        ),
      );
      return page;
    });
    await shop.stop();
    await bank.stop();
  },
});

const bankIn = (page: Page) => page.frameLocator('iframe').frameLocator('iframe');

test("docs/three-d-secure: the iframe's attributes allow a bank's page to open a window, its app and a passkey", {
  tag: '@thorough',
}, async ({ openBank, open, page, service, watch }) => {
  await (await open(await service.createIntent())).ready();
  const { sandbox, allow } = await page.locator('iframe').evaluate((iframe) => ({
    sandbox: iframe.getAttribute('sandbox') ?? '',
    allow: iframe.getAttribute('allow') ?? '',
  }));
  const bank = bankIn(await openBank({ sandbox, allow }));

  const opened = page.context().waitForEvent('page');
  await bank.locator('#window').click();
  await expect(await opened).toHaveTitle('Terms');

  const features = await bank.locator('body').evaluate(() => {
    const policy = Object(Reflect.get(document, 'featurePolicy')); // Chromium only
    return Reflect.apply(policy.allowedFeatures, policy, []);
  });
  expect(features).toEqual(expect.arrayContaining(['payment', 'publickey-credentials-get']));

  await bank.locator('#submit').click();
  await expect(bank.locator('p')).toHaveText('Confirmed');

  // The browser passes the address to the app, if there is one.
  watch.expect(/^asked a stranger: examplebank:/);
  await openBank({ sandbox, allow });
  const asked = page.waitForRequest('examplebank://confirm');
  await bank.locator('#app').click();
  await asked;
});

test("without the attributes for it, the bank's window is blocked", { tag: '@thorough' }, async ({
  openBank,
  page,
  watch,
}) => {
  watch.expect(/allow-popups/);
  const refused = page.waitForEvent('console', (message) => message.text().includes('allow-popups'));
  const bank = bankIn(await openBank({ sandbox: 'allow-scripts allow-same-origin allow-forms', allow: '' }));
  await bank.locator('#window').click();
  await refused;
  expect(page.context().pages()).toHaveLength(1);
});

test('threat-model 1.7: neither the frame nor a window that it opens can navigate the shop', {
  tag: '@thorough',
}, async ({ openBank, page, watch }) => {
  watch.expect(/^Unsafe attempt to initiate navigation/);
  const sandbox = 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups';
  const bank = bankIn(await openBank({ sandbox, allow: '' }));
  const opened = page.context().waitForEvent('page');
  await bank.locator('#window').click();
  const window = await opened;
  const byWindow = await window.evaluate(() => {
    try {
      opener.top.location = 'about:blank#taken';
      return 'no error';
    } catch (error) {
      return String(error);
    }
  });
  const byBank = await bank.locator('body').evaluate(() => {
    try {
      if (top) top.location.href = 'about:blank#taken';
      return 'no error';
    } catch (error) {
      return String(error);
    }
  });
  expect([byWindow, byBank]).toEqual(Array(2).fill(expect.stringContaining('SecurityError')));
  expect(await page.title()).toBe('Shop');
});
