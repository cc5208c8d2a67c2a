/** A buyer can correct a refused number. That the next number replaces it is a flow in every engine. */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openForKnownBuyer } from '../support/strange-shop.ts';

const REFUSED = '4000 0000 0000 9995';

const selected = (input: Element) =>
  input instanceof HTMLInputElement && input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0);

test('promises 2.9: a second click into a refused number places the caret, so a digit can be corrected', async ({
  page,
  service,
  site,
}) => {
  const checkout = await openForKnownBuyer(page, { service, site });
  const number = checkout.field('number');
  await checkout.fillCard(CARD.insufficientFunds);
  await checkout.pay();
  await expect.poll(() => number.evaluate(selected)).toBe(REFUSED);
  await number.click({ delay: 50 });
  expect(await number.evaluate(selected)).toBe(REFUSED);
  await number.click();
  expect(await number.evaluate(selected)).toBe('');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await checkout.field('code').click();
  await number.click();
  expect(await number.evaluate(selected)).toBe('');
  await expect(number).toHaveValue('4000 0000 0000 999');
});
