/** promises 2.7: the distances between the parts of the form, and their widths. On a foreign page. */
import type { Locator, Page } from 'playwright/test';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import { painted } from '../support/painted.ts';
import type { Service } from '../support/service.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Nothing next to the form, so that its container is as wide as the page, less 16 px on each side. */
const ALONE = '.cart { display: none } .page { padding: 0 16px; max-width: none } .till { flex: 1 }';

const openAlone = async (page: Page, host: { service: Service; site: ForeignSite }, width: number) => {
  await page.setViewportSize({ width: width + 32, height: 1200 });
  const checkout = await openStrangeShop(page, host, await host.service.createIntent());
  await page.addStyleTag({ content: ALONE });
  await checkout.ready();
  await expect.poll(async () => (await checkout.iframe.boundingBox())?.width).toBe(width + 8);
  return checkout;
};

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error('It is not on the screen.');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
};

test('28 to 32 px between sections, 10 px between fields, Pay at most 480 px wide; the city has its own line below 600 px', async ({
  page,
  service,
  site,
}, info) => {
  const checkout = await openAlone(page, { service, site }, 320);
  for (const width of [320, 390, 599, 600, 900, 1280]) {
    await page.setViewportSize({ width: width + 32, height: 1200 });
    await expect.poll(async () => (await checkout.iframe.boundingBox())?.width).toBe(width + 8);
    await painted(checkout.frame.locator(':root'));
    await page.screenshot({ path: info.outputPath(`${width}.png`) });
    const part = (selector: string) => boxOf(checkout.frame.locator(selector));
    const [summary, card, billing] = [
      await part('.summary'),
      await part('fieldset:first-of-type'),
      await part('fieldset:last-of-type'),
    ];
    const [pay, expiry, name, line2, zip] = [
      await part('.pay'),
      await part('.field:has(#field-expiry)'),
      await part('.field:has(#field-name)'),
      await part('.field:has(#field-line2)'),
      await part('.field:has(#field-postal_code)'),
    ];
    const gaps = [card.y - summary.bottom, pay.y - billing.bottom];
    if (width < 720) gaps.push(billing.y - card.bottom);
    for (const gap of gaps) {
      expect(gap, `${width} px`).toBeGreaterThanOrEqual(28);
      expect(gap, `${width} px`).toBeLessThanOrEqual(32);
    }
    expect(name.y - expiry.bottom, `${width} px`).toBe(10);
    expect(zip.y - line2.bottom, `${width} px`).toBe(10);
    expect(pay.width, `${width} px`).toBeLessThanOrEqual(480);
    expect(pay.right, `${width} px`).toBe(billing.right); // in the same column as the billing fields
    expect(pay.x, `${width} px`).toBe(billing.x);

    const [code, city, state] = [
      await boxOf(checkout.field('zip')),
      await boxOf(checkout.field('city')),
      await boxOf(checkout.field('state')),
    ];
    if (width === 599)
      expect([state.y, city.width], '599 px').toEqual([code.y, (await boxOf(checkout.field('line1'))).width]);
    if (width === 600) expect(city.y, '600 px').toBe(code.y);
  }
});

const LOCALES =
  'en de fr es it nl pt pl sv da fi nb cs el ro hu et lv lt sk sl hr bg uk tr ja zh zh-Hant ko th vi id ar he'.split(
    ' ',
  );

/** Input for expiry date and security code. */
const MISTAKES = [
  ['', ''],
  ['1', '1'],
  ['01 / 20', ''],
] as const;

test('errors of fields that share a line take one line, in every language', async ({
  page,
  service,
  site,
}) => {
  test.slow();
  const checkout = await openAlone(page, { service, site }, 390);
  const softly = expect.configure({ soft: true });
  const [expiry, code] = [checkout.frame.locator('#field-expiry'), checkout.frame.locator('#field-cvc')];
  await checkout.frame.locator('button.pay').click();
  // Languages in the outer loop, mistakes in the inner: the form accepts at most 20 messages per second from its page.
  for (const locale of LOCALES) {
    await page.evaluate((to) => window.forms?.[0]?.update({ locale: to }), locale);
    await expect(checkout.frame.locator(`:root[lang="${locale}"]`)).toHaveCount(1);
    for (const [typedExpiry, typedCode] of MISTAKES) {
      await expiry.fill(typedExpiry);
      await code.fill(typedCode);
      await code.blur();
      await expect(expiry).toHaveAttribute('aria-invalid', 'true');
      await expect(code).toHaveAttribute('aria-invalid', 'true');
      const wrapped = await checkout.frame
        .locator('.field[data-wide="false"] .problem')
        .evaluateAll((all) =>
          all
            .filter(({ clientHeight }) => clientHeight > 24)
            .map(({ id, textContent }) => `${id}: ${textContent}`),
        );
      softly(wrapped, locale).toEqual([]);
    }
  }
});
