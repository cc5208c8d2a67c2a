/** The marks of the accepted brands in the empty number field, on a page that is not one of ours. */
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

test.use({ viewport: { width: 390, height: 844 } });

for (const [options, brands] of [
  [{}, ['visa', 'mastercard', 'amex', 'discover']],
  [{ acceptedBrands: ['mastercard', 'visa'] }, ['mastercard', 'visa']],
  [
    { acceptedBrands: ['unionpay', 'jcb', 'discover', 'visa', 'elo'] },
    ['unionpay', 'jcb', 'discover', 'visa'],
  ],
] as const) {
  test(`the empty number field shows ${brands.join(', ')}`, async ({ page, service, site }, info) => {
    const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), {
      options,
    });
    await checkout.ready();
    const marks = checkout.frame.locator('.brand');
    const shown = () =>
      marks.evaluateAll((all) =>
        all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('data-brand')),
      );
    await expect.poll(shown).toEqual(brands);
    await checkout.frame.locator('.with-mark').screenshot({ path: info.outputPath('marks.png') });
    await checkout.field('number').fill('42');
    await expect.poll(shown).toEqual(['visa']);
    const box = await marks.first().boundingBox();
    expect(box?.width).toBe(38);
  });
}
