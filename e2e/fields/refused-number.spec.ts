/** After a decline the next number takes the place of the refused one, on a page that is not one of ours. */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openForKnownBuyer } from '../support/strange-shop.ts';

const REFUSED = '4000 0000 0000 0002';

const selected = (input: Element) =>
  input instanceof HTMLInputElement && input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0);

test('after a decline the refused number is selected until the buyer corrects it; typing and pasting replace it', async ({
  context,
  page,
  service,
  site,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const checkout = await openForKnownBuyer(page, { service, site });
  const number = checkout.field('number');
  const decline = async () => {
    await checkout.fillCard(CARD.declined);
    await checkout.pay();
    await expect(checkout.notice).toContainText('Your card was declined.');
    await expect(number).toBeFocused();
  };
  await decline();
  expect(await number.evaluate(selected)).toBe(REFUSED);
  await page.keyboard.type(CARD.mastercard);
  await expect(number).toHaveValue('5555 5555 5555 4444');

  await decline();
  await page.evaluate((number) => navigator.clipboard.writeText(number), CARD.amex);
  await page.keyboard.press('ControlOrMeta+V');
  await expect(number).toHaveValue('3782 822463 10005');

  await decline();
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
