/** The form on paper, on a page that is not one of ours. */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

for (const night of [false, true]) {
  test(`on paper only the last four digits of the card are seen, on a ${night ? 'dark' : 'light'} page`, async ({
    page,
    service,
    site,
  }, info) => {
    const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), { night });
    await checkout.ready();
    await checkout.fill({ number: CARD.mastercard });
    const printed = checkout.frame.locator('.printed');
    await expect(printed).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(printed).toBeVisible();
    await expect(printed).toHaveText('•••• 4444');
    for (const name of ['number', 'expiry', 'code'] as const) await expect(checkout.field(name)).toBeHidden();
    await expect(checkout.payButton).toBeHidden();
    await expect(checkout.frame.locator('.ribbon')).toBeHidden();
    await expect(checkout.field('line1')).toBeVisible();
    expect(await checkout.total.evaluate((total) => getComputedStyle(total).color)).toBe('rgb(0, 0, 0)');
    await page.screenshot({ path: info.outputPath('paper.png'), fullPage: true });
    await page.emulateMedia({ media: 'screen' });
    await checkout.fill({ number: '555555' });
    await page.emulateMedia({ media: 'print' });
    await expect(printed).toHaveText('');
  });
}
