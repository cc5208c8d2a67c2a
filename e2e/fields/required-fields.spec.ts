/** The messages of the address fields. On a foreign page. */
import { expect, test } from '../support/fixtures.ts';
import { openStrangeShop } from '../support/strange-shop.ts';

test('a postal code opens the keyboard of its country; required fields are marked, and an address without city or state is refused at every press', async ({
  page,
  service,
  site,
}) => {
  const intent = await service.createIntent();
  const checkout = await openStrangeShop(page, { service, site }, intent);
  await checkout.ready();
  const required = await checkout.frame
    .locator('[aria-required="true"]')
    .evaluateAll((controls) => controls.map(({ id }) => id.replace('field-', '')));
  expect(required).toEqual([
    ...['number', 'expiry', 'cvc', 'name', 'email', 'country', 'line1', 'postal_code', 'state', 'city'],
  ]);
  const code = checkout.frame.locator('[autocomplete="billing postal-code"]');
  await expect(code).toHaveJSProperty('inputMode', 'numeric');
  for (const [country, inputMode] of [
    ['GB', ''],
    ['US', 'numeric'],
  ] as const) {
    await checkout.field('country').focus();
    await checkout.field('country').selectOption(country);
    await expect(code, country).toHaveJSProperty('inputMode', inputMode);
  }
  await checkout.fill({ city: '' });
  await checkout.field('state').selectOption(''); // which the postal code had filled in
  for (let press = 0; press < 3; press += 1) {
    await checkout.pay();
    await expect(checkout.field('state')).toBeFocused();
    for (const name of ['city', 'state'] as const)
      await expect(checkout.field(name)).toHaveAttribute('aria-invalid', 'true');
  }
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  await checkout.field('city').fill('Portland');
  await checkout.field('state').selectOption('OR');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});
