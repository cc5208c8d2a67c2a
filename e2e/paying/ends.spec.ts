/** Every end says whether money moved (outcomes 2.5, B5, B6, B10, B11). On a foreign page. */
import { CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

test('a successful payment leaves a printable receipt: amount, card, order, time and reference', async ({
  page,
  service,
  site,
}, info) => {
  const intent = await service.createIntent({ description: 'Order MC-1843' });
  const options = { defaultValues: KNOWN_BUYER };
  const checkout = await openStrangeShop(page, { service, site }, intent, { options });
  await checkout.ready();
  await checkout.fillCard(CARD.mastercard);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await expect(checkout.notice).toContainText('$58.04 paid');
  const receipt = checkout.frame.locator('.receipt');
  await expect(receipt.locator('dt')).toHaveText(['Card', 'Order', 'Date', 'Reference']);
  await expect(receipt.locator('dd')).toHaveText([
    'Mastercard •••• 4444',
    'Order MC-1843',
    /^\w{3} \d{1,2}, 20\d\d, \d{1,2}:\d\d\s[AP]M$/,
    intent.id,
  ]);
  await page.screenshot({ path: info.outputPath('receipt.png') });

  const root = checkout.frame.locator(':root');
  await root.evaluate(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  const print = receipt.getByRole('button', { name: 'Print or save' });
  await print.click();
  await expect(root).toHaveAttribute('data-printed', '');
  await page.emulateMedia({ media: 'print' });
  await expect(print).toBeHidden();
  await expect(receipt).toContainText('Mastercard •••• 4444');

  await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' });
  for (const name of ['.outcome-mark', '.receipt dl'])
    await expect(checkout.frame.locator(name)).toHaveCSS('animation-duration', '0.001s');
  await page.evaluate(() => window.forms[0]?.update({ locale: 'de' }));
  await expect(receipt.locator('dt')).toHaveText(['Karte', 'Bestellung', 'Datum', 'Zahlungsnummer']);
});
