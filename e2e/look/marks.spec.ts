/** The marks of the accepted brands in the empty number field. On a foreign page. */
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

test.use({ viewport: { width: 390, height: 844 } });

for (const [options, brands] of [
  [{}, ['visa', 'mastercard', 'amex', 'discover']],
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

/** The distance from the end of the number's placeholder to the first mark, in CSS pixels. */
const gapOf = (input: Element) => {
  const context = document.createElement('canvas').getContext('2d');
  const place = input.parentElement?.querySelector('.brands');
  if (!context || !place || !(input instanceof HTMLInputElement)) return Number.NaN;
  const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(input);
  context.font = `${fontSize} ${fontFamily}`;
  const { width } = context.measureText(input.placeholder);
  const box = input.getBoundingClientRect();
  const marks = place.getBoundingClientRect();
  return document.dir === 'rtl'
    ? box.right - Number.parseFloat(paddingRight) - width - marks.right
    : marks.left - box.left - Number.parseFloat(paddingLeft) - width;
};

test("no mark covers the number's placeholder, from a 320 px phone on, in large type from 360 px on", async ({
  page,
  service,
  site,
}) => {
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent());
  await checkout.ready();
  const root = checkout.frame.locator(':root');
  const number = checkout.frame.locator('.control').first();
  await expect(checkout.frame.locator('.brand').first()).toBeVisible();
  for (const [what, appearance, locale, widths] of [
    ['on the page’s own background', {}, 'en', [500, 412, 375, 344, 320]],
    ['in a frame with its own colour', { theme: 'dark' }, 'en', [430, 390, 360, 320]],
    [
      'in large type, from right to left',
      { theme: 'dark', variables: { fontSizeBase: '20px' } },
      'ar',
      [500, 412, 390, 375, 360],
    ],
  ] as const) {
    await page.evaluate((options) => window.forms[0]?.update(options), { appearance, locale });
    await expect(root).toHaveAttribute('lang', locale);
    await expect(number).toHaveCSS('font-size', 'variables' in appearance ? '20px' : '16px');
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => number.evaluate(gapOf), `${what}, ${width} px`).toBeGreaterThan(4);
    }
  }
});
