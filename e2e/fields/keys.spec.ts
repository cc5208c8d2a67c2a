/**
 * The number of keys a buyer presses from the open page to the paid order. A shop passes the order's data to the form
 * (`defaultValues`), so that little more than the card remains to be typed.
 */
import type { Page } from 'playwright/test';
import { BUYER, checkoutPage, type FieldName, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

const TYPED: Readonly<Record<Exclude<FieldName, 'country' | 'line2'>, string>> = {
  ...BUYER,
  expiry: '1234',
  state: 'Oreg',
};
const NAMES = ['number', 'expiry', 'code', 'name', 'email', 'line1', 'zip', 'state', 'city'] as const;

/** The digits of a card, which only autofill saves a buyer from typing. */
const CARD_KEYS = (['number', 'expiry', 'code'] as const).map((name) => TYPED[name]).join('').length;

/**
 * Pays without a pointer, as a quick buyer does: Tab to each required field, and Enter in the last one. With `query`,
 * the buyer types it into the first address line and takes the first suggestion, after which nothing remains to be
 * typed.
 */
const payByKeys = async (page: Page, container: string, query = ''): Promise<number> => {
  const checkout = checkoutPage(page, container);
  await checkout.ready();
  let keys = 0;
  const press = async (key: string) => {
    await page.keyboard.press(key);
    keys += 1;
  };
  const asked: (typeof NAMES)[number][] = [];
  for (const name of NAMES) if ((await checkout.field(name).count()) > 0) asked.push(name);
  for (const name of asked) {
    const isFocused = () => checkout.field(name).evaluate((field) => field === document.activeElement);
    while (!(await isFocused())) {
      expect(keys, `Tab leads to ${name}`).toBeLessThan(150);
      await press('Tab');
    }
    const isSuggested = query !== '' && name === 'line1';
    for (const key of isSuggested ? query : TYPED[name]) await press(key);
    if (!isSuggested) continue;
    await expect(checkout.frame.getByRole('listbox', { name: /^Suggestions/ })).toBeVisible();
    await press('ArrowDown');
    await press('Enter');
    await expect(checkout.field('zip')).not.toHaveValue('');
    break;
  }
  await checkout.payButton.click({ trial: true }); // a key would not wait until the button can be pressed
  await press('Enter');
  return keys;
};

test('a guest of the demo shop presses at most 30 keys, and a known buyer 26', async ({
  page,
  service,
  shop,
  site,
}) => {
  await page.goto(shop);
  expect(await payByKeys(page, '#card-form')).toBeLessThanOrEqual(30);
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();

  const checkout = await openStrangeShop(page, { site, service }, await service.createIntent(), {
    options: { defaultValues: KNOWN_BUYER },
  });
  expect(await payByKeys(page, '#payment')).toBeLessThanOrEqual(26);
  await expect(checkout.outcome).toHaveText('Payment received');
});

test('a guest with an unknown address presses at most 22 keys besides the card digits, with suggestions', async ({
  page,
  shop,
}) => {
  const digital = `${shop}/?cart=digital`;
  await page.goto(digital);
  const typed = await payByKeys(page, '#card-form');
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  await page.goto(digital);
  const suggested = await payByKeys(page, '#card-form', '12 o');
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  const figure = (keys: number) =>
    `${keys}, of them ${CARD_KEYS} digits of the card, ${keys - CARD_KEYS} others`;
  console.log(`\nKeys from open to paid for a guest with an address, with lookup: ${figure(suggested)}`);
  console.log(`Without: ${figure(typed)}`);
  expect(suggested - CARD_KEYS).toBeLessThanOrEqual(22);
  expect(suggested).toBeLessThan(typed - 20);
});
