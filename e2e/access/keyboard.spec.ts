/** promises 2.8: everything by keyboard. */
import { BUYER, CARD, type FieldName } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Fault } from '../support/service.ts';

test('a buyer can pay without a pointer', async ({ checkout, intent, page, service }) => {
  await checkout.ready();
  const { keyboard } = page;
  const expectNext = async (name: FieldName) => {
    await keyboard.press('Tab');
    await expect(checkout.field(name)).toBeFocused();
  };
  await keyboard.press('Tab');
  await expect(checkout.details).toBeFocused();
  await keyboard.press('Enter');
  await expect(checkout.frame.getByRole('listitem').first()).toBeVisible();
  await keyboard.press('Enter');

  await expectNext('number');
  await keyboard.type(CARD.visa);
  await expectNext('expiry');
  await keyboard.type('1234');
  await expect(checkout.field('expiry')).toHaveValue('12 / 34');
  await expectNext('code');
  await keyboard.type('123');
  await keyboard.press('Tab'); // where the code is on the card
  await expect(checkout.frame.locator('.code-help summary')).toBeFocused();
  await expectNext('name');
  await keyboard.type(BUYER.name);
  await expectNext('email');
  await keyboard.type(BUYER.email);
  await expectNext('country');
  await expectNext('line1');
  await keyboard.type(BUYER.line1);
  await expectNext('line2');
  await expectNext('zip');
  await keyboard.type(BUYER.zip);
  await expect(checkout.field('state')).toHaveValue('OR'); // from the postal code
  await expectNext('state');
  await keyboard.type('Oreg');
  await expect(checkout.field('state')).toHaveValue('OR');
  await expectNext('city');
  await keyboard.type(BUYER.city);
  await keyboard.press('Tab');
  await expect(checkout.payButton).toBeFocused();
  await keyboard.press('Tab'); // after everything a buyer needs
  await expect(checkout.frame.locator('summary.ribbon')).toBeFocused(); // the list of test cards
  await keyboard.press('Shift+Tab');
  await expect(checkout.payButton).toBeFocused();
  await checkout.enter();

  await expect(checkout.outcome).toHaveText('Payment received');
  await expect(checkout.outcome).toBeFocused();
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('Tab moves through the form and out of it again', async ({ merchant, page, service }) => {
  const { client_secret } = await service.createIntent();
  await page.goto(
    merchant.serve({
      body: '<button id="before">Before</button><div id="card-form"></div><button id="after">After</button>',
      options: { publishableKey: service.keys.publishable, clientSecret: client_secret, locale: 'en' },
    }),
  );
  await expect(page.frameLocator('iframe').getByRole('button', { name: 'Pay $58.04' })).toBeEnabled();
  await page.locator('#before').focus();
  await page.keyboard.press('Tab');
  await expect(page.locator('iframe')).toBeFocused();
  await page.locator('#after').focus();
  await page.keyboard.press('Shift+Tab');
  await expect(page.frameLocator('iframe').locator('summary.ribbon')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.frameLocator('iframe').getByRole('button', { name: 'Pay $58.04' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.locator('#after')).toBeFocused();
});

test('Pay on an empty form focuses the first field, and each field says what to do', async ({
  checkout,
  intent,
  service,
}) => {
  await checkout.pay();
  await expect(checkout.field('number')).toBeFocused();
  const words: readonly [FieldName, string][] = [
    ['number', 'Enter your card number.'],
    ['expiry', 'Enter the expiry date.'],
    ['code', 'Enter the security code.'],
    ['name', 'Enter the name on your card.'],
    ['email', 'Enter your email address.'],
    ['line1', 'Enter your address.'],
    ['city', 'Fill in this field.'],
    ['state', 'Fill in this field.'],
    ['zip', 'Enter your ZIP code.'],
  ];
  for (const [name, sentence] of words) {
    await expect(checkout.field(name)).toHaveAccessibleDescription(sentence);
    await expect(checkout.field(name)).toHaveAttribute('aria-invalid', 'true');
  }
  await expect(checkout.field('line2')).not.toHaveAttribute('aria-invalid');
  await checkout.field('number').fill(CARD.visa);
  await expect(checkout.field('number')).not.toHaveAttribute('aria-invalid');
  await checkout.pay();
  await expect(checkout.field('expiry')).toBeFocused();
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
});

test('a press counts although leaving the field shows an error that would move the button', async ({
  checkout,
}) => {
  await checkout.ready();
  await checkout.field('number').pressSequentially('4242 4242 4242 4241');
  // Down, then up: the field loses the focus in between, and the button must not move away from under the pointer.
  await checkout.payButton.click({ delay: 150, position: { x: 40, y: 5 } });
  await expect(checkout.field('name')).toHaveAccessibleDescription('Enter the name on your card.');
  await expect(checkout.field('number')).toBeFocused();
});

test('a value that can never become valid is reported on blur, not before', async ({ checkout }) => {
  const number = checkout.field('number');
  await expect(number).toBeVisible();
  await number.pressSequentially('4242 4242 4242 4241');
  await expect(number).not.toHaveAttribute('aria-invalid');
  await number.press('Tab');
  await expect(number).toHaveAccessibleDescription(
    'This card number has a mistake. Compare it with your card.',
  );
  await checkout.field('expiry').fill('01/20');
  await checkout.field('expiry').press('Tab');
  await expect(checkout.field('expiry')).toHaveAccessibleDescription('Expired. Check the date.');
  await checkout.field('code').fill('12');
  await checkout.field('code').press('Tab');
  await expect(checkout.field('code')).not.toHaveAttribute('aria-invalid');
});

test.describe('threat-model C63: every failure moves the focus to a defined place and announces a defined text', () => {
  test.use({ knownBuyer: true });

  const ON_THE_BUTTON: readonly { what: string; card: string; fault?: Partial<Fault>; said: string }[] = [
    { what: 'a changed total', card: CARD.totalRises, said: 'The total changed from $58.04 to $59.04.' },
    {
      what: 'an answer that was lost',
      card: CARD.visa,
      fault: { status: 500 },
      said: 'no payment was recorded',
    },
    {
      what: 'refused details without a field',
      card: CARD.visa,
      fault: { code: 'invalid_billing_details' },
      said: 'were not accepted',
    },
    // The last one, since nothing can be pressed for a while.
    { what: 'too many tries', card: CARD.throttled, said: 'You can try again in' },
  ];
  test('a changed total, a lost answer, refused details and too many tries move the focus to the Pay button, below the text', async ({
    time,
    checkout,
    service,
  }) => {
    for (const { what, card, fault, said } of ON_THE_BUTTON) {
      await checkout.fillCard(card);
      if (fault) await service.nextAnswer({ route: 'client.confirm', ...fault });
      await checkout.enter();
      if (fault?.status) {
        await expect(checkout.notice).toContainText('Still confirming', { ignoreCase: true });
        await time.pass(30);
      }
      await expect(checkout.notice, what).toContainText(said);
      await expect(checkout.button, what).toBeFocused();
    }
  });

  test('the sentence that replaces the form gets the focus: an order that lacks a detail, an account that may not charge', async ({
    checkout,
    page,
    service,
  }) => {
    const press = async (code: string) => {
      await checkout.fillCard(CARD.visa);
      await service.nextAnswer({ route: 'client.confirm', code });
      await checkout.enter();
      await expect(checkout.notice, code).toContainText('The store cannot take this payment right now.');
      await expect(checkout.outcome, code).toBeFocused();
    };
    await press('payment_details_missing');
    await page.evaluate(() => window.forms[0]?.refresh());
    await checkout.ready();
    await expect(checkout.payButton).toBeFocused();
    await press('merchant_suspended');
  });

  test('an unknown outcome moves the focus to its sentence, and to the Pay button once the outcome is known', async ({
    time,
    checkout,
    page,
    service,
  }) => {
    await checkout.fillCard(CARD.visa);
    await service.nextAnswer({ route: 'client.confirm', status: 500 });
    await checkout.ready();
    await service.nextAnswer({ route: 'client.retrieve', status: 500, times: 1000 });
    await checkout.enter();
    await expect(checkout.notice).toContainText('Still confirming');
    await time.pass(1500, 15); // scheduled for ten minutes; a wait is up to a fifth longer, and ends with a step
    await expect(checkout.notice).toContainText('Please do not pay again');
    await expect(checkout.outcome).toBeFocused();
    await service.clearFaults();
    await page.keyboard.press('Tab');
    await expect(checkout.button).toHaveText(['Check status']);
    await expect(checkout.button).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(checkout.button).toBeFocused();
    await time.pass(30);
    await expect(checkout.notice).toContainText('no payment was recorded');
    await expect(checkout.payButton).toBeFocused();
  });
});

test("with payButton: 'host', Enter sends submitrequest to the page, so a buyer can pay by keyboard", async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent, {
    options: { payButton: 'host' },
    body: '<main><h1>Checkout</h1><div id="card-form"></div><button id="pay">Pay</button></main>',
  });
  await checkout.hears('ready');
  await expect(checkout.payButton).toHaveCount(0);
  await checkout.field('number').press('Enter'); // a script moved the focus here, so the key may be meant for the page
  await checkout.field('number').press('Tab');
  await checkout.field('number').press('Enter');
  expect(await checkout.hears('submitrequest')).toEqual({ type: 'submitrequest' });
  expect(await checkout.events('submitrequest')).toHaveLength(1);
  expect(await checkout.events('error')).toEqual([]); // nothing was pressed: submitting is up to the page

  // Missing data is no obstacle: the page's button leads the buyer to it.
  await page.evaluate(() => window.forms[0]?.submit());
  await expect(checkout.field('number')).toBeFocused();

  await checkout.fill();
  await page.evaluate(() => window.forms[0]?.update({ readOnly: true }));
  await expect(checkout.field('email')).not.toBeEditable();
  const asked = (await checkout.events('submitrequest')).length;
  await checkout.field('email').press('Enter');
  await expect.poll(() => checkout.events('submitrequest')).toHaveLength(asked); // nothing can be paid
  await page.evaluate(() => window.forms[0]?.update({ readOnly: false }));
  await expect(checkout.field('email')).toBeEditable();

  await checkout.field('email').dispatchEvent('keydown', { key: 'Enter', bubbles: true });
  await expect.poll(() => checkout.events('submitrequest')).toHaveLength(asked); // by a script
  await checkout.field('city').press('Tab');
  await page.keyboard.press('Tab'); // past the sandbox's ribbon
  await expect(page.locator('#pay')).toBeFocused();
  await checkout.field('name').press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await checkout.events('submitrequest')).length).toBe(asked + 1);
  await page.evaluate(() => window.forms[0]?.submit());
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});
