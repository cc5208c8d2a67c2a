/** Pasting into the card fields. On a foreign page. */
import { expect, test } from '../support/fixtures.ts';
import { openForKnownBuyer } from '../support/strange-shop.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a pasted line fills number, expiry and code, and the form pays with them', async ({
  page,
  service,
  site,
}) => {
  const intent = await service.createIntent();
  const checkout = await openForKnownBuyer(page, { service, site }, intent);
  await checkout.hasAll();
  const paste = async (text: string, name: 'number' | 'expiry' | 'code') => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await checkout.field(name).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+V');
  };
  const card = async () => [
    await checkout.field('number').inputValue(),
    await checkout.field('expiry').inputValue(),
    await checkout.field('code').inputValue(),
  ];
  await paste('4242 4242 4242 4242 12/29 123', 'number');
  expect(await card()).toEqual(['4242 4242 4242 4242', '12 / 29', '123']);
  await paste('Number: 5555555555554444\nExpires: 11/2031\nCVV: 321', 'expiry');
  expect(await card()).toEqual(['5555 5555 5555 4444', '11 / 2031', '321']);
  await paste('4242424242424242', 'number');
  expect(await card()).toEqual(['4242 4242 4242 4242', '11 / 2031', '321']);
  for (const [date, expected] of [
    ['31/12/2029', '12 / 2029'],
    ['Dec 2029', '12 / 2029'],
    ['12 2029', '12 / 2029'],
    ['13/29', '13 / 29'],
  ] as const) {
    await paste(date, 'expiry');
    expect(await card(), date).toEqual(['4242 4242 4242 4242', expected, '321']);
  }
  await checkout.field('code').focus();
  await expect(checkout.field('expiry')).toHaveAccessibleDescription('Use a month from 01 to 12.');
  await paste('12/29', 'expiry');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});
