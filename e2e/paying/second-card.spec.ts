/** After an answer other than success, a guest only has to type another card (promises 2.9). On a foreign page. */

import type { Page } from 'playwright/test';
import { BUYER, CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';
import { openStrangeShop, type StrangeShop } from '../support/strange-shop.ts';

test.use({ viewport: { width: 390, height: 844 } });

const openGuest = async (
  page: Page,
  host: { service: Service; site: ForeignSite },
  number: string,
  shop: StrangeShop = {},
) => {
  const intent = await host.service.createIntent();
  const checkout = await openStrangeShop(page, host, intent, shop);
  await checkout.ready();
  await checkout.fill({ number });
  return { checkout, intent };
};

test('a second card takes 23 keys and no scrolling on a phone; complete parts fold to one line each, and Change opens one with its values', async ({
  page,
  service,
  site,
}, info) => {
  const { checkout, intent } = await openGuest(page, { service, site }, CARD.declined);
  await checkout.pay();
  await expect(checkout.notice).toHaveText(/^Your card was declined/);
  const number = checkout.field('number');
  await expect(number).toBeFocused();
  expect(
    await number.evaluate((it) =>
      it instanceof HTMLInputElement ? [it.selectionStart, it.selectionEnd, it.value.length] : [],
    ),
  ).toEqual([0, 19, 19]);
  const scrolled = () => page.evaluate(() => scrollY);
  await expect
    .poll(async () => {
      const box = await checkout.payButton.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 844;
    })
    .toBe(true);
  const before = await scrolled();
  await page.screenshot({ path: info.outputPath('declined.png') });

  const folded = checkout.frame.locator('.folded');
  await expect(folded).toHaveCount(2);
  await expect(folded.nth(0)).toContainText(`${BUYER.name} · ${BUYER.email}`);
  await expect(folded.nth(1)).toContainText('12 Orchard Lane, Portland, OR 97205, United States');
  await expect(checkout.field('name')).toHaveCount(0);
  await expect(checkout.field('line1')).toHaveCount(0);

  const keys = `${CARD.mastercard}1235321`;
  expect(keys).toHaveLength(23);
  await page.keyboard.type(keys);
  await expect(number).toHaveValue('5555 5555 5555 4444');
  await expect(checkout.field('expiry')).toHaveValue('12 / 35');
  await expect(checkout.field('code')).toHaveValue('321');
  expect(await scrolled()).toBe(before);
  const change = folded.nth(1).getByRole('button', { name: 'Change' });
  await expect(change).toHaveAccessibleDescription(/12 Orchard Lane/);
  await change.press('Enter');
  await expect(folded).toHaveCount(1);
  await expect(checkout.field('country')).toBeFocused();
  await expect(checkout.field('line1')).toHaveValue(BUYER.line1);
  await expect(checkout.field('city')).toHaveValue(BUYER.city);
  await expect(checkout.field('email')).toHaveCount(0);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
});

test('the focus moves from a folded part to Pay', { tag: '@thorough' }, async ({ page, service, site }) => {
  const { checkout } = await openGuest(page, { service, site }, CARD.totalRises);
  await checkout.enter(checkout.field('city'));
  await expect(checkout.notice).toHaveText(/^The total changed/);
  await expect(checkout.frame.locator('.folded')).toHaveCount(2);
  await expect(checkout.payButton).toBeFocused();
});

test('a corrected number keeps the expiry date and the focus', { tag: '@thorough' }, async ({
  page,
  service,
  site,
}) => {
  const { checkout } = await openGuest(page, { service, site }, CARD.declined);
  await checkout.pay();
  await expect(checkout.field('number')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');
  await expect(checkout.field('number')).toBeFocused();
  await expect(checkout.field('expiry')).toHaveValue('12 / 34');
});
