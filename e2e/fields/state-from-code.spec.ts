/** promises 2.3: the postal code fills in the state if it identifies one. On a foreign page. */
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

test('a ZIP code fills in the state without a request, and never replaces one that the buyer chose', async ({
  page,
  service,
  site,
}) => {
  const table = page.waitForResponse(/address-codes/);
  const checkout = await openStrangeShop(page, { service, site }, await service.createIntent());
  await checkout.ready();
  await checkout.field('line1').focus();
  await table;
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.frame() !== page.mainFrame()) requests.push(request.url());
  });
  const state = checkout.field('state');
  await page.keyboard.press('Tab'); // the second line
  await page.keyboard.press('Tab');
  await expect(checkout.field('zip')).toBeFocused();
  await page.keyboard.type('9720');
  await expect(state).toHaveValue('');
  await page.keyboard.type('5');
  await expect(state).toHaveValue('OR');
  await checkout.field('zip').fill('10001-1234');
  await expect(state).toHaveValue('NY');
  await checkout.field('zip').fill('96799');
  await expect(state).toHaveValue('AS');
  await state.selectOption('WA');
  await checkout.field('zip').fill('97205');
  await checkout.field('city').fill('Portland');
  await expect(state).toHaveValue('WA');
  expect(requests).toEqual([]);
});
