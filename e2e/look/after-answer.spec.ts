/** promises 2.9: what a buyer sees after an answer that is no success, on a page that is not one of ours. */
import type { Locator } from 'playwright/test';
import { CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openForKnownBuyer, openStrangeShop } from '../support/strange-shop.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
] as const;

const ANSWERS = [
  ['409', CARD.totalRises, /^The total changed from/],
  ['429', CARD.throttled, /You can try again/],
  ['decline', CARD.declined, /^Your card was declined/],
] as const;

/** Whether all of these are in the window as a whole. */
const expectInView = async (height: number, parts: readonly Locator[]) => {
  await expect
    .poll(async () => {
      const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
      return boxes.every((box) => box !== null && box.y >= 0 && box.y + box.height <= height + 0.5);
    })
    .toBe(true);
};

for (const size of SIZES) {
  for (const [answer, number, notice] of ANSWERS) {
    test(`after a ${answer} notice and Pay are in view together: ${size.width} px`, async ({
      page,
      service,
      site,
    }) => {
      await page.setViewportSize(size);
      const checkout = await openForKnownBuyer(page, { service, site });
      await checkout.fillCard(number);
      const button = checkout.frame.locator('button.pay');
      const box = await button.boundingBox();
      if (!box) throw new Error('no button');
      // The button at the lower edge of the screen.
      await page.evaluate(
        (by) => scrollBy({ top: by, behavior: 'instant' }),
        box.y + box.height - size.height,
      );
      await checkout.pay();
      await expect(checkout.notice).toHaveText(notice);
      await expectInView(size.height, [checkout.frame.locator('.notice').last(), button]);
      await expect(answer === 'decline' ? checkout.field('number') : button).toBeFocused();
    });
  }
}

for (const size of SIZES) {
  for (const [answer, number, notice] of ANSWERS) {
    test(`a guest sees notice, total and Pay together after a ${answer}: ${size.width} px`, async ({
      page,
      service,
      site,
    }) => {
      await page.setViewportSize(size);
      const checkout = await openStrangeShop(page, { service, site }, await service.createIntent());
      await checkout.ready();
      await checkout.fill({ number });
      await checkout.pay();
      await expect(checkout.notice).toHaveText(notice);
      const button = checkout.frame.locator('button.pay');
      await expectInView(size.height, [checkout.frame.locator('.notice').last(), checkout.total, button]);
      await expect(answer === 'decline' ? checkout.field('number') : button).toBeFocused();
    });
  }
}

for (const size of SIZES) {
  for (const [answer, number, notice] of ANSWERS) {
    test(`payButton 'host': notice and total are in view together after a ${answer}: ${size.width} px`, async ({
      page,
      service,
      site,
    }) => {
      await page.setViewportSize(size);
      const options = { payButton: 'host', defaultValues: KNOWN_BUYER };
      const place = `<div id="payment"></div><button id="order" onclick="window.forms[0].submit()">Order now</button>`;
      const intent = await service.createIntent();
      const checkout = await openStrangeShop(page, { service, site }, intent, { options, place });
      await expect(checkout.total).toHaveText('$58.04');
      await checkout.fillCard(number);
      const order = page.locator('#order');
      // The shop's button at the lower edge of the screen, as after scrolling down to it.
      await order.evaluate((button) => button.scrollIntoView({ block: 'end', behavior: 'instant' }));
      // A press counts once the total has been in view for half a second. Until then the buyer is asked to press again.
      await expect(async () => {
        if (/^$|^Please check the total/.test((await checkout.notice.textContent()) ?? ''))
          await order.click();
        await expect(checkout.notice).toHaveText(notice, { timeout: 1000 });
      }).toPass();
      await expectInView(size.height, [checkout.frame.locator('.notice').last(), checkout.total]);
    });
  }
}

test('a changed total is marked until the next press', async ({ page, service, site }) => {
  const checkout = await openForKnownBuyer(page, { service, site });
  const previous = checkout.frame.locator('.total-label s');
  await expect(previous).toHaveCount(0);
  await checkout.fillCard(CARD.totalRises);
  await checkout.pay();
  await expect(previous).toHaveText('$58.04');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});
