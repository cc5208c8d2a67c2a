/** The same single-page checkout in three frameworks, with the bindings of the package (src/sandbox/shop). */
import type { Page } from 'playwright/test';
import { fillCardForm, payCardForm } from '../support/built-modules.mjs';
import { type CheckoutPage, checkoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { startDevServer } from './dev-server.ts';
import { test } from './installed-package.ts';

/** Opens the shop and goes to its checkout. */
const checkOut = async (page: Page, address: string): Promise<CheckoutPage> => {
  await page.goto(address);
  await page.getByRole('button', { name: 'Check out' }).click();
  return checkoutPage(page, '#app');
};

/** The iframe of a parked form. */
const parked = (page: Page) => page.locator('html > div[hidden] > iframe');

/** The only payment of a shop that was opened for this test. */
const onePayment = async (service: { intents(): Promise<readonly string[]> }): Promise<string> => {
  const [intent = '', ...others] = await service.intents();
  expect(others).toEqual([]);
  return intent;
};

test('promises 1.15: react: with `keep`, a buyer who comes back to the checkout finds all but the security code, and pays', async ({
  page,
  service,
  shop,
}) => {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (/frame[^/]*\.html/.test(request.url())) documents.push(request.url());
  });
  const checkout = await checkOut(page, `${shop}/react?keep`);
  await checkout.ready();
  await fillCardForm(page);
  const frames = documents.length;
  await expect.poll(() => checkout.iframe.evaluate((iframe) => Object.hasOwn(iframe, 'remove'))).toBe(true); // it may be parked
  await page.getByRole('link', { name: 'Back to the cart' }).click();
  await expect(page.getByRole('heading', { name: 'Your cart' })).toBeVisible();
  await expect(parked(page)).toHaveCount(1);
  await expect(parked(page)).toBeHidden();
  await page.getByRole('button', { name: 'Check out' }).click();
  await checkout.ready();
  await expect(page.locator('iframe')).toHaveCount(1);
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await expect(checkout.field('code')).toHaveValue('');
  expect(documents).toHaveLength(frames);
  await checkout.field('code').fill('123');
  await payCardForm(page);
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  expect(await service.record(await onePayment(service))).toMatchObject({ charges: 1, confirms: 1 });
});

for (const framework of ['react', 'vue', 'svelte'] as const) {
  const others = framework === 'react' ? {} : { tag: '@thorough' };

  test(
    `${framework}: another route removes the form; back at the checkout it follows the page, and the same payment is paid`,
    others,
    async ({ page, service, shop }) => {
      const checkout = await checkOut(page, `${shop}/${framework}`);
      await checkout.ready();
      await expect(checkout.total).toContainText('$58.04');
      const cart = page.getByRole('link', { name: 'Back to the cart' });
      const again = page.getByRole('button', { name: 'Check out' });
      await cart.click();
      await expect(page.getByRole('heading', { name: 'Your cart' })).toBeVisible();
      await expect(page.locator('iframe')).toHaveCount(0);
      await page.goBack();
      await checkout.ready();
      await page.goForward();
      // A buyer who leaves and returns while the form loads finds exactly one form.
      for (let round = 0; round < 3; round += 1) {
        await again.click();
        await expect(page.locator('iframe')).toHaveCount(1);
        if (round < 2) await cart.click();
      }

      await test.step('language and theme change in the mounted form, and typed text stays', async () => {
        await fillCardForm(page);
        const frame = await checkout.iframe.elementHandle();
        await page.getByLabel('Language').selectOption('de');
        await expect(checkout.frame.getByLabel('Kartennummer')).toHaveValue('4242 4242 4242 4242');
        const scheme = () =>
          checkout.frame.locator('body').evaluate((body) => getComputedStyle(body).colorScheme);
        expect(await scheme()).toBe('light');
        await page.getByLabel('Dark').check();
        await expect.poll(scheme).toBe('dark');
        await page.getByLabel('Language').selectOption('en');
        await page.getByLabel('Dark').uncheck();
        await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
        await expect.poll(scheme).toBe('light');
        // The form was not mounted again.
        expect(await checkout.iframe.evaluate((now, before) => now === before, frame)).toBe(true);
      });

      await test.step('refresh() shows the amount that the server changed', async () => {
        await page.getByRole('button', { name: 'Wrap it' }).click();
        await expect(checkout.notice).toContainText(/\$58\.04.*\$63\.04/);
        await expect(checkout.payButton).toHaveText('Pay $63.04');
        await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
      });
      await payCardForm(page);
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
      await expect(page.locator('iframe')).toHaveCount(0);
      expect(await service.record(await onePayment(service))).toMatchObject({
        charges: 1,
        confirms: 1,
        payment_intent: { amount_total: 6304 },
      });
    },
  );

  test(`${framework}: after a hot update of the page there is one form, and it pays`, {
    tag: '@thorough',
  }, async ({ installed, page, service, shop, watch }) => {
    watch.expect(/\?t=\d{13}$|^asked a stranger: blob:/); // the development server's own requests
    const checkout = await startDevServer(framework, shop, installed);
    try {
      await checkOut(page, checkout.url);
      await checkoutPage(page, '#app').ready();
      await page.evaluate(() => Reflect.set(window, 'same', true));
      await checkout.save();
      await page.waitForFunction(() => Reflect.get(window, 'hot') === true);
      expect(await page.evaluate(() => Reflect.get(window, 'same'))).toBe(true); // the page was not reloaded
      // Svelte recreates the component, which starts a new order.
      const again = page.getByRole('button', { name: 'Check out' });
      await expect(again.or(page.locator('iframe'))).toHaveCount(1);
      if (await again.isVisible()) await again.click();
      await expect(page.locator('iframe')).toHaveCount(1);
      await payCardForm(page, {});
      await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
      const records = await Promise.all((await service.intents()).map(service.record));
      expect(records.reduce((sum, { charges }) => sum + charges, 0)).toBe(1);
    } finally {
      await checkout.stop();
    }
  });
}
