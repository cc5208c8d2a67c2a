import { BUYER, CARD, type CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { holdRequests } from '../support/hold-requests.ts';

/** Addresses as buyers type them, by label, in the form's order. The value of a list is the name of its option. */
const ADDRESSES: readonly {
  country: string;
  code: string;
  typed: Readonly<Record<string, string>>;
  sent: Readonly<Record<string, string | null>>;
}[] = [
  {
    country: 'United Kingdom',
    code: 'GB',
    typed: { Address: '12 St James Square', 'Town or city': 'London', Postcode: 'sw1y4jh' },
    sent: { city: 'London', state: null, postal_code: 'SW1Y 4JH' },
  },
  {
    country: 'Ireland',
    code: 'IE',
    typed: { Address: '1 Main Street', City: 'Ballymun', County: 'Co. Dublin', Eircode: 'a65f4e2' },
    sent: { city: 'Ballymun', state: 'Co. Dublin', postal_code: 'A65 F4E2' },
  },
  {
    country: 'Japan',
    code: 'JP',
    // In English, as in all these tests, an address goes from small to large.
    typed: { Address: '世田谷区若林1-2-3', Prefecture: 'Tokyo', 'Postal code': '〒１５４ー００２３' },
    sent: { city: null, state: '東京都', postal_code: '154-0023' },
  },
  {
    country: 'Hong Kong',
    code: 'HK',
    typed: { Address: '8 Argyle Street', District: 'Mong Kok', Area: 'Kowloon' },
    sent: { city: 'Mong Kok', state: '九龍', postal_code: '' },
  },
  {
    country: 'United Arab Emirates',
    code: 'AE',
    typed: { Address: '1 Sheikh Zayed Road', Emirate: 'Dubai' },
    sent: { city: null, state: 'DU', postal_code: '' },
  },
  {
    country: 'Canada',
    code: 'CA',
    typed: { Address: '12 Rue Sainte', City: 'Montréal', Province: 'Quebec', 'Postal code': 'h3z2y7' },
    sent: { city: 'Montréal', state: 'QC', postal_code: 'H3Z 2Y7' },
  },
];

const FILE = (region: string) => new RegExp(`/assets/address-${region}\\.json$`);

/** Fills in everything but the address. */
const fillBuyer = async (checkout: CheckoutPage) => {
  await checkout.fillCard(CARD.visa);
  await checkout.field('name').fill(BUYER.name);
  await checkout.field('email').fill(BUYER.email);
};

const labelled = (checkout: CheckoutPage, label: string) => checkout.frame.getByLabel(label, { exact: true });

/** The labels of the fields between "Country or region" and the button, in order. */
const addressLabels = async (checkout: CheckoutPage) => {
  const labels = await checkout.frame.locator('label').allTextContents();
  return labels.slice(labels.indexOf('Country or region') + 1);
};

test.describe('promises 2.3: address fields follow the chosen country', () => {
  test.use({ viewport: { width: 320, height: 1600 } });

  test('in one form, country after country; the last one pays', async ({
    checkout,
    intent,
    page,
    service,
  }) => {
    await checkout.ready();
    await fillBuyer(checkout);
    for (const { code, typed } of ADDRESSES) {
      await checkout.field('country').selectOption(code);
      const expected = Object.keys(typed).flatMap((label) =>
        label === 'Address' ? ['Address', 'Address line 2'] : [label],
      );
      await expect.poll(() => addressLabels(checkout), code).toEqual(expected);
      for (const [label, value] of Object.entries(typed)) {
        const field = labelled(checkout, label);
        const isList = await field.evaluate((element) => element instanceof HTMLSelectElement);
        await (isList ? field.selectOption({ label: value }) : field.fill(value));
      }
      // Nothing overflows, and the frame has the height of the form.
      const over = () =>
        checkout.frame
          .locator(':root')
          .evaluate((root) => [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight]);
      await expect.poll(over, code).toEqual([0, 0]);
    }
    const { code, typed, sent } = ADDRESSES.at(-1) ?? {};
    const request = page.waitForRequest(/\/confirm$/);
    await checkout.pay();
    expect((await request).postDataJSON().billing_details.address).toEqual({
      line1: typed?.Address,
      line2: null,
      country: code,
      ...sent,
    });
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test('a missing postal code stops every press; an unusual one is questioned once, with an example, and then accepted', async ({
  checkout,
  intent,
  service,
}) => {
  await checkout.fill({ zip: '' });
  const zip = checkout.field('zip');
  for (let press = 0; press < 2; press += 1) {
    await checkout.pay();
    await expect(zip).toHaveAccessibleDescription('Enter your ZIP code.');
    await expect(zip).toHaveAttribute('aria-invalid', 'true');
  }
  await zip.fill('9720');
  await checkout.field('name').focus();
  await expect(zip).toHaveAccessibleDescription('Usually like 95014.');
  await expect(zip).not.toHaveAttribute('aria-invalid');
  await checkout.pay();
  await expect(zip).toBeFocused();
  await expect(zip).toHaveAccessibleDescription(
    'Is this right? For this country it usually looks like 95014. If it is right, press the button again.',
  );
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});

test('changing the country keeps the values that fit, and changing back restores the others; lists are searched by typing names', async ({
  checkout,
  page,
}) => {
  await checkout.fill();
  const tokens = {
    name: 'billing cc-name',
    email: 'billing email',
    country: 'billing country',
    line1: 'billing address-line1',
    line2: 'billing address-line2',
    city: 'billing address-level2',
    state: 'billing address-level1',
    zip: 'billing postal-code',
  } as const;
  for (const name of ['name', 'email', 'country', 'line1', 'line2', 'city', 'state', 'zip'] as const)
    await expect(checkout.field(name)).toHaveAttribute('autocomplete', tokens[name]);
  await checkout.field('country').selectOption('CA');
  await labelled(checkout, 'Province').selectOption('QC');
  await expect(labelled(checkout, 'Postal code')).toHaveValue('');
  await expect(checkout.field('line1')).toHaveValue(BUYER.line1);
  await expect(checkout.field('city')).toHaveValue(BUYER.city);
  await checkout.field('country').selectOption('JP');
  await expect(labelled(checkout, 'Prefecture')).toHaveValue('');
  await checkout.field('country').selectOption('US');
  await expect(checkout.field('state')).toHaveValue('OR');
  await expect(checkout.field('zip')).toHaveValue(BUYER.zip);
  await expect(checkout.field('city')).toHaveValue(BUYER.city);
  await checkout.field('country').selectOption('CA');
  await expect(labelled(checkout, 'Province')).toHaveValue('QC');

  // Countries and states are chosen by typing their names.
  await checkout.field('country').selectOption('US');
  await checkout.field('country').focus();
  await page.keyboard.type('Canad');
  await expect(checkout.field('country')).toHaveValue('CA');
  await labelled(checkout, 'Province').focus();
  await page.keyboard.type('Nova');
  await expect(labelled(checkout, 'Province')).toHaveValue('NS');
  await page.keyboard.press('Tab');
  await expect(labelled(checkout, 'Postal code')).toBeFocused();

  // In Japanese an address goes from large to small.
  await page.evaluate(() => window.forms[0]?.update({ locale: 'ja' }));
  const names = () =>
    checkout.frame
      .locator('fieldset')
      .last()
      .locator('.control')
      .evaluateAll((controls) => controls.map(({ id }) => id.replace('field-', '')));
  await checkout.frame.locator('#field-country').selectOption('JP');
  await expect.poll(names).toEqual(['email', 'country', 'postal_code', 'state', 'line1', 'line2']);
});

test("loading a country's data does not disturb typing", { tag: '@thorough' }, async ({
  open,
  page,
  service,
}) => {
  // Without moveBefore(), moving a field means removing it, which loses the focus.
  await page.addInitScript(() => Reflect.deleteProperty(Element.prototype, 'moveBefore'));
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  const { release } = await holdRequests(page, FILE('europe'));
  await checkout.field('country').selectOption('ES');
  await checkout.field('line1').fill('Calle Mayor 1');
  // After its timeout the form shows the general fields.
  await expect(labelled(checkout, 'Province')).toBeVisible();
  const code = labelled(checkout, 'Postal code');
  await code.pressSequentially('280');
  release();
  // The postal code now comes before the city, and keeps the focus.
  await expect
    .poll(() => addressLabels(checkout))
    .toEqual(['Address', 'Address line 2', 'Postal code', 'City', 'Province']);
  await expect(code).toBeFocused();
  await page.keyboard.type('13');
  await expect(code).toHaveValue('28013');
  await expect(checkout.field('line1')).toHaveValue('Calle Mayor 1');
});

test("promises 2.11: a press while a country's data is loading waits for it and pays", async ({
  checkout,
  page,
}) => {
  await checkout.ready();
  await checkout.fill();
  const { release } = await holdRequests(page, FILE('europe'));
  const sent = page.waitForRequest(/\/confirm$/);
  await checkout.field('country').selectOption('DE');
  await checkout.pay();
  release();
  expect((await sent).postDataJSON()).toMatchObject({
    billing_details: { address: { country: 'DE', state: null, postal_code: BUYER.zip } },
  });
  await expect(checkout.outcome).toHaveText('Payment received');
});

test('promises 2.11: a country and a state chosen before the payment is loaded are kept and sent', async ({
  open,
  page,
  service,
}) => {
  const { release } = await holdRequests(page, /\/(payment|form)\.js$/);
  const checkout = await open(await service.createIntent());
  await checkout.field('country').selectOption('CA');
  await checkout.field('state').selectOption('NY');
  await checkout.field('country').selectOption('US');
  release();
  await checkout.ready();
  await expect(checkout.field('country')).toHaveValue('US');
  await expect(checkout.field('state')).toHaveValue('NY');
  const sent = page.waitForRequest(/\/confirm$/);
  await fillBuyer(checkout);
  await checkout.field('line1').fill('1 Main Street');
  await checkout.field('zip').fill('10001');
  await checkout.field('city').fill('New York');
  await checkout.pay();
  expect((await sent).postDataJSON()).toMatchObject({
    billing_details: { address: { country: 'US', state: 'NY' } },
  });
  await expect(checkout.outcome).toHaveText('Payment received');
});

test('promises 2.11: a country chosen before the payment is loaded has its fields shown', async ({
  open,
  page,
  service,
}) => {
  const { release } = await holdRequests(page, /\/(payment|form)\.js$/);
  const checkout = await open(await service.createIntent());
  await checkout.field('country').selectOption('CA');
  release();
  await expect(labelled(checkout, 'Province')).toBeVisible();
  await expect(checkout.field('country')).toHaveValue('CA');
});

test("without a country's data its address has general fields and can be paid", { tag: '@thorough' }, async ({
  checkout,
  page,
}) => {
  await checkout.ready();
  await page.route(FILE('east-asia'), (route) => route.abort());
  await checkout.field('country').selectOption('JP');
  await expect(labelled(checkout, 'Province')).toBeEditable();
  await fillBuyer(checkout);
  await checkout.field('line1').fill('世田谷区若林1-2-3');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});
