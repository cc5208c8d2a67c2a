/** After a decline the next number takes the place of the refused one, on a page that is not one of ours. */
import type { Page } from 'playwright/test';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';
import { openForKnownBuyer } from '../support/strange-shop.ts';

const REFUSED = '4000 0000 0000 0002';

const openDeclined = async (page: Page, servers: { site: ForeignSite; service: Service }) => {
  const checkout = await openForKnownBuyer(page, servers);
  await checkout.fillCard(CARD.declined);
  await checkout.pay();
  await expect(checkout.notice).toContainText('Your card was declined.');
  return checkout;
};

const selected = (input: Element) =>
  input instanceof HTMLInputElement && input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0);

test('after a decline the refused number is selected as a whole on focus, and typing replaces it', async ({
  page,
  service,
  site,
}) => {
  const checkout = await openDeclined(page, { service, site });
  await expect(checkout.field('number')).toBeFocused();
  expect(await checkout.field('number').evaluate(selected)).toBe(REFUSED);
  await page.keyboard.type(CARD.mastercard);
  await expect(checkout.field('number')).toHaveValue('5555 5555 5555 4444');
});

test('after a decline a click selects the refused number, until the buyer begins to correct it', async ({
  page,
  service,
  site,
}) => {
  const checkout = await openDeclined(page, { service, site });
  const number = checkout.field('number');
  await checkout.field('code').click();
  await number.click();
  expect(await number.evaluate(selected)).toBe(REFUSED);
  await number.click(); // a second one sets the caret
  expect(await number.evaluate(selected)).toBe('');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await checkout.field('code').click();
  await number.click();
  expect(await number.evaluate(selected)).toBe('');
  await expect(number).toHaveValue('4000 0000 0000 000');
});

test('after a decline a pasted number replaces the refused one', async ({ page, service, site, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const checkout = await openDeclined(page, { service, site });
  await page.evaluate((number) => navigator.clipboard.writeText(number), CARD.amex);
  await page.keyboard.press('ControlOrMeta+V');
  await expect(checkout.field('number')).toHaveValue('3782 822463 10005');
});
