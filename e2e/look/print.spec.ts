/** promises 2.7: the form on paper. On a foreign page. */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

test('on paper only the last four digits of the card are visible, on a dark page too', async ({
  page,
  service,
  site,
}, info) => {
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), {
    night: true,
  });
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
  await expect(checkout.field('zip')).toHaveCSS('box-shadow', 'none'); // although it has the focus
  await expect(checkout.field('zip')).toBeFocused();
  expect(await checkout.total.evaluate((total) => getComputedStyle(total).color)).toBe('rgb(0, 0, 0)');
  await page.screenshot({ path: info.outputPath('paper.png'), fullPage: true });
  await page.emulateMedia({ media: 'screen' });
  await checkout.fill({ number: '555555' });
  await page.emulateMedia({ media: 'print' });
  await expect(printed).toHaveText('');
});

test('a form with its own dark background is printed black on white, without placeholders in empty fields', async ({
  page,
  service,
  site,
}) => {
  const options = { appearance: { theme: 'dark' } };
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), { options });
  await checkout.ready();
  await checkout.hasAll();
  const form = checkout.frame.locator('#form');
  await expect(form).not.toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await page.emulateMedia({ media: 'print' });
  for (const part of [form, checkout.frame.locator('.summary')])
    await expect(part).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  const example = (input: Element) => getComputedStyle(input, '::placeholder').opacity;
  expect(await checkout.field('line2').evaluate(example)).toBe('0');
});
