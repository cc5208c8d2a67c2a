/** After a decline the next number takes the place of the refused one, on a page that is not one of ours. */
import type { Locator, Page } from 'playwright/test';
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openForKnownBuyer } from '../support/strange-shop.ts';

const REFUSED = '4000 0000 0000 9995';

const selected = (input: Element) =>
  input instanceof HTMLInputElement && input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0);

type Place = { x: number; y: number; width: number; height: number };

/** How a buyer comes into the number, where the form has put the focus already, and gives another. */
const WAYS: Readonly<Record<string, (page: Page, number: Locator, at: Place) => Promise<unknown>>> = {
  'by typing at once': (page) => page.keyboard.type(CARD.mastercard),
  'by a click in its middle': async (page, _, at) => {
    await page.mouse.click(at.x + 90, at.y + at.height / 2);
    await page.keyboard.type(CARD.mastercard);
  },
  'by a click at its end': async (page, _, at) => {
    await page.mouse.click(at.x + at.width - 60, at.y + at.height / 2);
    await page.keyboard.type(CARD.mastercard);
  },
  'by a double click': async (page, _, at) => {
    await page.mouse.dblclick(at.x + 90, at.y + at.height / 2);
    await page.keyboard.type(CARD.mastercard);
  },
  'by dragging over some of its digits': async (page, _, at) => {
    await page.mouse.move(at.x + 40, at.y + at.height / 2);
    await page.mouse.down();
    await page.mouse.move(at.x + 120, at.y + at.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.type(CARD.mastercard);
  },
  'by touch': async (page, _, at) => {
    await page.touchscreen.tap(at.x + 90, at.y + at.height / 2);
    await page.keyboard.type(CARD.mastercard);
  },
  'by Tab, from another field': async (page) => {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type(CARD.mastercard);
  },
  'by a click, from another field': async (page, number) => {
    await page.keyboard.press('Tab');
    await number.click();
    await page.keyboard.type(CARD.mastercard);
  },
  'by pasting after a click': async (page, number) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), '5555 5555 5555 4444');
    await number.click();
    await page.keyboard.press('ControlOrMeta+V');
  },
  'by dropping it there': async (_, number) => {
    await number.evaluate((input) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text', '5555555555554444');
      input.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    });
  },
};

test.describe('promises 2.9: whichever way a buyer comes into a refused number, the next one takes its place', () => {
  test.use({ hasTouch: true, permissions: ['clipboard-read', 'clipboard-write'] });

  for (const [way, act] of Object.entries(WAYS)) {
    test(way, async ({ page, service, site }) => {
      const checkout = await openForKnownBuyer(page, { service, site });
      const number = checkout.field('number');
      await checkout.fillCard(CARD.insufficientFunds);
      await checkout.pay();
      await expect(number).toBeFocused();
      await expect.poll(() => number.evaluate(selected)).toBe(REFUSED);
      const box = await number.boundingBox();
      if (!box) throw new Error('The number has no place.');
      await act(page, number, box);
      await expect(number).toHaveValue('5555 5555 5555 4444');
    });
  }
});

test('promises 2.9: a second click into a refused number places the caret, and a digit can be corrected', async ({
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
