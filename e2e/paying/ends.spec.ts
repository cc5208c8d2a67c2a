/** Every end says whether money moved (outcomes 2.5, B5, B6, B10, B11), on a page that is not one of ours. */
import { CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { openForKnownBuyer, openStrangeShop } from '../support/strange-shop.ts';

test('a payment that succeeded leaves a receipt that can be printed: amount, card, order, time and reference', async ({
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

test('after an answer that was lost the receipt names no card, since another may have paid', async ({
  page,
  service,
  site,
}) => {
  const options = { defaultValues: KNOWN_BUYER };
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent(), { options });
  await checkout.ready();
  await checkout.fillCard(CARD.chargedUnanswered);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await expect(checkout.frame.locator('.receipt dt')).toHaveText(['Date', 'Reference']);
});

test('a canceled payment says that nothing was charged', async ({ page, service, site }) => {
  const intent = await service.createIntent();
  await service.cancel(intent.id);
  const checkout = await openStrangeShop(page, { service, site }, intent);
  await expect(checkout.outcome).toHaveText('This payment was canceled and can no longer be paid.');
  await expect(checkout.notice).toContainText('Nothing was charged.');
});

test.describe('with one try', () => {
  test.use({ sandboxOptions: { attempts: 1 } });

  test('a payment without tries says that the card was declined and nothing was charged', async ({
    page,
    service,
    site,
  }) => {
    const checkout = await openForKnownBuyer(page, { service, site });
    await checkout.fillCard(CARD.declined);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('All tries are used up. This payment can no longer be paid.');
    await expect(checkout.notice).toContainText('Your card was declined.');
    await expect(checkout.notice).toContainText('Nothing was charged.');
  });
});

test('a form that the service refuses says that nothing was charged from here', async ({
  page,
  service,
  site,
}) => {
  const intent = await service.createIntent();
  await service.revoke(service.keys.publishable);
  const checkout = await openStrangeShop(page, { service, site }, intent);
  await expect(checkout.outcome).toHaveText('The store cannot take this payment right now.');
  await expect(checkout.notice).toContainText('Nothing was charged from this page.');
});

test('a payment under way has its amount as the heading, and the rest is smaller', async ({
  page,
  service,
  site,
}, info) => {
  const checkout = await openForKnownBuyer(page, { service, site });
  await checkout.fillCard(CARD.processingForever);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Processing $58.04');
  const rest = checkout.frame.getByText('Please keep this page open.', { exact: true });
  await expect(rest).toHaveCSS('font-size', '15px');
  await page.screenshot({ path: info.outputPath('processing.png') });
});
