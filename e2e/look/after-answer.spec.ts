/**
 * promises 2.9: what a buyer sees after an answer other than success. On a foreign page. Forms, answers and sizes are
 * combined pairwise: each form meets each answer, and both meet each size.
 */
import type { Locator } from 'playwright/test';
import { CARD, type CheckoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openForKnownBuyer, openStrangeShop } from '../support/strange-shop.ts';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 720 };

type Answer = readonly [card: string, notice: RegExp];
const CHANGED: Answer = [CARD.totalRises, /^The total changed from/];
const THROTTLED: Answer = [CARD.throttled, /You can try again/];
const DECLINED: Answer = [CARD.declined, /^Your card was declined/];

/** In this order, since nothing can be pressed for a while after a 429. */
const ON_A_PHONE = [
  [CHANGED, PHONE],
  [DECLINED, DESK],
  [THROTTLED, PHONE],
] as const;
const ON_A_DESK = [
  [CHANGED, DESK],
  [DECLINED, PHONE],
  [THROTTLED, DESK],
] as const;

/** Expects all of these to be entirely within the window. */
const expectInView = async ({ page }: CheckoutPage, parts: readonly Locator[], what: RegExp) => {
  const { height = 0 } = page.viewportSize() ?? {};
  await expect
    .poll(async () => {
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      return boxes.every((box) => box !== null && box.y >= 0 && box.y + box.height <= height + 0.5);
    }, `after "${what}"`)
    .toBe(true);
};

const noticeOf = ({ frame }: CheckoutPage) => frame.locator('.notice').last();

test('after a 409, a decline and a 429, notice and Pay are in view together, and a changed total is marked until the next press', async ({
  page,
  service,
  site,
}) => {
  const checkout = await openForKnownBuyer(page, { service, site });
  const button = checkout.frame.locator('button.pay');
  const previous = checkout.frame.locator('.total-label s');
  await expect(previous).toHaveCount(0);
  for (const [[number, notice], size] of ON_A_PHONE) {
    await page.setViewportSize(size);
    await checkout.fillCard(number);
    // With the button at the lower edge of the screen.
    await button.evaluate((it) => it.scrollIntoView({ block: 'end', behavior: 'instant' }));
    await checkout.pay();
    await expect(checkout.notice).toHaveText(notice);
    await expectInView(checkout, [noticeOf(checkout), button], notice);
    await expect(number === CARD.declined ? checkout.field('number') : button).toBeFocused();
    await expect(previous).toHaveText(number === CARD.totalRises ? ['$58.04'] : []);
  }
});

test('a guest sees notice, total and Pay together after a 409, a decline and a 429', async ({
  page,
  service,
  site,
}) => {
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent());
  const button = checkout.frame.locator('button.pay');
  await checkout.ready();
  await checkout.fill();
  for (const [[number, notice], size] of ON_A_DESK) {
    await page.setViewportSize(size);
    await checkout.fillCard(number);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(notice);
    await expectInView(checkout, [noticeOf(checkout), checkout.total, button], notice);
    await expect(number === CARD.declined ? checkout.field('number') : button).toBeFocused();
  }
});

test("payButton 'host': notice and total are in view together after a 409, a decline and a 429", async ({
  page,
  service,
  site,
}) => {
  const options = { payButton: 'host', defaultValues: KNOWN_BUYER };
  const place = `<div id="payment"></div><button id="order" onclick="window.forms[0].submit()">Order now</button>`;
  const intent = await service.createIntent();
  const checkout = await openStrangeShop(page, { service, site }, intent, { options, place });
  const order = page.locator('#order');
  for (const [[number, notice], size] of ON_A_PHONE) {
    await page.setViewportSize(size);
    await expect(checkout.total).toHaveText(/^\$5\d\.04$/);
    await checkout.fillCard(number);
    const before = await checkout.notice.textContent();
    // With the shop's button at the lower edge of the screen, as after scrolling down to it.
    await order.evaluate((button) => button.scrollIntoView({ block: 'end', behavior: 'instant' }));
    // A press counts once the total has been in view for half a second. Until then the form asks for another press.
    await expect(async () => {
      const said = (await checkout.notice.textContent()) ?? '';
      if (said === before || /^$|^Please check the total/.test(said)) await order.click();
      await expect(checkout.notice).toHaveText(notice, { timeout: 1000 });
    }).toPass();
    await expectInView(checkout, [noticeOf(checkout), checkout.total], notice);
  }
});
