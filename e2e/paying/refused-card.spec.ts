/** A card that the form takes and the service does not (outcomes 2.6, promises 2.5). */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ knownBuyer: true });

/** UnionPay's own rules ask for no check digit, so the form takes it; the sandbox's service asks for one. */
const WITHOUT_CHECK_DIGIT = '6200000000000006';

test('a refused card number is marked and focused, and the payment goes on with the right one', async ({
  open,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(WITHOUT_CHECK_DIGIT);
  await checkout.pay();

  const number = checkout.field('number');
  await expect(number).toBeFocused();
  await expect(number).toHaveAttribute('aria-invalid', 'true');
  await expect(number).toHaveAccessibleDescription('This was not accepted. Please check it.');
  await expect(checkout.field('code')).toHaveValue('123');
  await expect(checkout.outcome).toHaveCount(0);
  await expect
    .poll(() => checkout.events('error'))
    .toMatchObject([
      { code: 'validation_error', param: 'card.number', charged: 'no', recovery: 'fix_input' },
    ]);
  expect(await service.record(intent.id)).toMatchObject({ charges: 0, releases: 0 });

  await number.fill(CARD.visa);
  await expect(number).not.toHaveAttribute('aria-invalid', 'true');
  await checkout.ready();
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
});

test('a 402 with a code of a later service is a decline at once', async ({ open, service, page }) => {
  // Before the form is there: a route that is added while its frame attaches may miss it.
  await page.route('**/payment_intents/confirm', (route) =>
    route.fulfill({
      status: 402,
      json: { error: { type: 'card_error', code: 'card_velocity', message: 'Too often.' } },
    }),
  );
  const checkout = await open(await service.createIntent());
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.notice).toHaveText('Your card was declined. Check the details or use another card.');
  await checkout.ready();
  await expect
    .poll(() => checkout.events('decline'))
    .toMatchObject([{ error: { code: 'unknown_code', charged: 'no', recovery: 'use_other_card' } }]);
});

test('contract S17.8: a hundred items with names of 500 characters are shown and paid', async ({
  open,
  service,
}) => {
  const items = Array.from({ length: 100 }, (_, index) => ({
    name: `${index + 1} ${'ü'.repeat(490)}`,
    quantity: 1,
    unit_amount: 100,
  }));
  const checkout = await open(await service.createIntent({ items }));
  await checkout.ready();
  await checkout.details.click();
  await expect(checkout.frame.locator('.details li')).toHaveCount(104); // with shipping, tax, adjustment and total
  await expect(checkout.frame.locator('.details li').nth(99)).toContainText('100 ü');
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
});
