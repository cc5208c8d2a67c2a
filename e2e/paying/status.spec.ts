/** promises 1.13: the status of a payment, on the page after it and on a page that only asks. */
import type { Page } from 'playwright/test';
import { BUYER, CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Intent, Service } from '../support/service.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

const heard =
  "window.heard = []; addEventListener('load', () => forms[0].on('*', (...event) => heard.push(event)))";

const retrieve = (page: Page, { keys }: Service, { client_secret: clientSecret }: Intent) =>
  page.evaluate((options) => window.CardForm?.retrieve(options), {
    publishableKey: keys.publishable,
    clientSecret,
  });

test("promises 1.13: view: 'status' shows the outcome of a payment, even after a failed read or a payment in another tab, and nothing can be typed or paid", async ({
  context,
  page,
  service,
  site,
}, info) => {
  const intent = await service.createIntent();
  await page.route(/payment_intents\/retrieve/, (route) => route.abort());
  const shop = { options: { view: 'status' }, script: heard };
  const status = await openStrangeShop(page, { service, site }, intent, shop);
  const check = status.frame.getByRole('button', { name: 'Check status' });
  await expect(check).toBeVisible();
  await page.unroute(/payment_intents\/retrieve/);
  await check.click();
  await expect(status.outcome).toHaveText('Nothing was charged.');
  await expect(status.frame.locator('input, select, .pay')).toHaveCount(0);
  await page.screenshot({ path: info.outputPath('pending.png') });

  const checkout = await openStrangeShop(await context.newPage(), { service, site }, intent);
  await checkout.ready();
  await checkout.fill({ number: CARD.visa, name: BUYER.name });
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await page.evaluate(() => window.forms[0]?.refresh());
  await expect(status.outcome).toHaveText('Payment received');
  await page.screenshot({ path: info.outputPath('paid.png') });
  const names = await page.evaluate(() => Reflect.get(window, 'heard').map(([name]: [string]) => name));
  expect(names).toContain('status');
  expect(names).not.toContain('result');
  expect(await page.evaluate(() => window.forms[0]?.validate())).toMatchObject({ canPay: false });
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('promises 1.13: retrieve() returns the outcome of a payment and leaves nothing on the page; refresh() returns what the buyer then sees', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const [asked, paid] = [await service.createIntent(), await service.createIntent()];
  const checkout = await openStrangeShop(page, { service, site }, paid);
  const before = await page.locator('body *').count();
  expect(await retrieve(page, service, asked)).toMatchObject({
    outcome: 'pending',
    paymentIntent: { id: asked.id, amount_total: 5804 },
  });
  expect(await page.locator('body *').count()).toBe(before);
  await expect(retrieve(page, service, paid)).rejects.toThrow('already_mounted');
  await checkout.ready();
  await service.changeAmount(paid.id, 7000);
  expect(await page.evaluate(() => window.forms[0]?.refresh())).toMatchObject({
    outcome: 'pending',
    paymentIntent: { amount_total: 7000 },
  });
  await expect(checkout.total).toHaveText('$70.00');
  await checkout.fill();
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await page.evaluate(() => window.forms[0]?.unmount());
  expect(await retrieve(page, service, paid)).toMatchObject({ outcome: 'succeeded' });
  expect(await retrieve(page, service, { ...paid, client_secret: `${paid.client_secret}0` })).toMatchObject({
    outcome: expect.stringMatching(/failed|unknown/),
  });
});
