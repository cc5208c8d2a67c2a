/** Undo in fields whose text the form groups. On a foreign page. */
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

const UNDO = 'ControlOrMeta+Z';
const REDO = 'ControlOrMeta+Shift+Z';

test('undo reverts typing and deletion, also after the form has inserted a space, but restores no cleared card', async ({
  page,
  service,
  site,
}) => {
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent());
  await checkout.ready();
  await checkout.hasAll();
  const number = checkout.field('number');
  await number.click();
  await page.keyboard.type('424242');
  await expect(number).toHaveValue('4242 42');
  await page.keyboard.press('Backspace');
  await page.keyboard.press(UNDO);
  await expect(number).toHaveValue('4242 42');
  await page.keyboard.press(UNDO);
  await expect(number).toHaveValue('');
  await page.keyboard.press(REDO);
  await expect(number).toHaveValue('4242 42');
  await page.keyboard.type('4');
  await expect(number).toHaveValue('4242 424');

  await page.evaluate(() => window.forms[0]?.clear());
  await expect(number).toHaveValue('');
  await number.click();
  await page.keyboard.press(UNDO);
  await expect(number).toHaveValue('');

  // Undo restores a number deleted by mistake, and the form pays with it.
  await checkout.fill();
  await number.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await expect(number).toHaveValue('');
  await page.keyboard.press(UNDO);
  await expect(number).toHaveValue('4242 4242 4242 4242');
  const checked = await checkout.frame
    .locator('input')
    .evaluateAll((inputs) => inputs.filter((input) => input instanceof HTMLElement && input.spellcheck));
  expect(checked, 'no field is spell-checked').toEqual([]);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});
