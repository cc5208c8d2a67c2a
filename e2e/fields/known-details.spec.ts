/**
 * Billing details that the merchant already knows (promises 1.5 and 2.3, `defaultValues`), and the optional second
 * line.
 */
import { BUYER, CARD, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';

const ADDRESS = KNOWN_BUYER.billingDetails.address;

test('known details are shown as text and sent, and a detail that the service refuses is opened', async ({
  open,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent, { options: { defaultValues: KNOWN_BUYER } });
  const block = checkout.frame.locator('.known');
  await expect(block).toContainText('Ada Lovelace');
  await expect(block).toContainText('ada@example.com');
  await expect(block).toContainText('Billing address: 12 Orchard Lane, Portland, OR 97205, United States');
  for (const name of ['name', 'email', 'country', 'line1', 'line2', 'city', 'state', 'zip'] as const)
    await expect(checkout.field(name)).toHaveCount(0);

  // A detail that the service refuses opens its group, is marked and receives the focus.
  await checkout.fillCard(CARD.refusedPostalCode);
  await checkout.pay();
  await expect(checkout.field('zip')).toBeFocused();
  await expect(checkout.field('zip')).toHaveAttribute('aria-invalid', 'true');
  await expect(checkout.field('zip')).toHaveValue(BUYER.zip);
  await expect(checkout.field('email')).toHaveCount(0);
  await checkout.fillCard(CARD.visa);
  await checkout.field('zip').fill('97201');
  await checkout.pay();
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
  expect(await service.record(intent.id)).toMatchObject({
    charges: 1,
    payment_intent: { billing_details: { name: BUYER.name, address: { postal_code: '97201' } } },
  });
});

test('a plain click on Change right after the form appears opens every field with its value', async ({
  open,
  service,
}) => {
  const checkout = await open(await service.createIntent(), { options: { defaultValues: KNOWN_BUYER } });
  const change = checkout.frame.getByText('Change', { exact: true });
  await change.click();
  await expect(change).toHaveCount(0);
  for (const name of ['email', 'line1', 'state', 'zip'] as const)
    await expect(checkout.field(name)).toHaveValue(BUYER[name]);
  await checkout.field('line1').fill('5 Elm Street');
  await checkout.fillCard(CARD.visa);
  const request = checkout.page.waitForRequest(/\/confirm$/);
  await checkout.pay();
  expect((await request).postDataJSON().billing_details.address.line1).toBe('5 Elm Street');
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
});

test('the form has its height before its scripts, and the line follows what the page says about the address', async ({
  open,
  page,
  service,
}) => {
  await page.setViewportSize({ width: 390, height: 900 });
  const { release } = await holdRequests(page, /\/form\.js$/);
  const defaultValues = { ...KNOWN_BUYER, sameAsShipping: true };
  const checkout = await open(await service.createIntent(), { options: { defaultValues } });
  await expect(checkout.field('number')).toBeVisible();
  await expect(checkout.frame.getByText('Change', { exact: true })).toBeHidden();
  const before = await checkout.frame.locator('.pay').boundingBox();
  release();
  await checkout.ready();
  const line = checkout.frame.locator('.known p');
  await expect(line).toContainText('Billing and delivery address: 12 Orchard Lane');
  await expect(checkout.frame.getByText('Change', { exact: true })).toBeVisible();
  expect(await checkout.frame.locator('.pay').boundingBox()).toEqual(before);
  await page.evaluate(() => window.forms[0]?.update({ locale: 'de' }));
  await expect(line).toContainText('Rechnungs- und Lieferadresse: 12 Orchard Lane');
  await page.evaluate(() => window.forms[0]?.update({ defaultValues: { sameAsShipping: false } }));
  await expect(line).toContainText('Rechnungsadresse: 12 Orchard Lane');
});

test('partly known details: only the incomplete group is open', { tag: '@thorough' }, async ({
  open,
  service,
}) => {
  const { postal_code: _, ...lacking } = { ...ADDRESS, line2: 'Flat 3' };
  const checkout = await open(await service.createIntent(), {
    options: { defaultValues: { billingDetails: { ...KNOWN_BUYER.billingDetails, address: lacking } } },
  });
  await checkout.ready();
  await expect(checkout.frame.locator('.known p')).toHaveText(/Ada Lovelace.*ada@example\.com/);
  await expect(checkout.field('name')).toHaveCount(0);
  await expect(checkout.field('zip')).toHaveValue('');
  await expect(checkout.field('line1')).toHaveValue(BUYER.line1);
  await expect(checkout.field('line2')).toHaveValue('Flat 3');
  expect((await checkout.field('line2').boundingBox())?.height).toBeGreaterThan(40);
  expect(await checkout.hears('warning')).toMatchObject({ about: 'defaultValues.billingDetails.address' });
});

test('the second address line is a single compact line until focused, and then stays open; update({ defaultValues }) fills untouched fields and keeps typed ones', async ({
  checkout,
  page,
}) => {
  await checkout.ready();
  const line2 = checkout.field('line2');
  const height = async () => (await line2.boundingBox())?.height ?? 0;
  expect(await height()).toBeLessThan(32);
  expect(await height()).toBeGreaterThanOrEqual(24);
  await expect(line2).toHaveAttribute('placeholder', 'Add apartment, suite, floor');
  await checkout.field('line1').focus();
  await checkout.field('line1').press('Tab');
  await expect(line2).toBeFocused();
  expect(await height()).toBeGreaterThan(40);
  await line2.press('Tab');
  await expect(checkout.field('zip')).toBeFocused();
  expect(await height()).toBeGreaterThan(40);

  await checkout.field('name').pressSequentially('Grace Hopper');
  await page.evaluate((defaultValues) => window.forms[0]?.update({ defaultValues }), KNOWN_BUYER);
  await expect(checkout.field('zip')).toHaveValue(BUYER.zip);
  await expect(checkout.field('email')).toHaveValue(BUYER.email);
  await expect(checkout.field('name')).toHaveValue('Grace Hopper');
});
