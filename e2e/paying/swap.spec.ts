/** promises 1.6: `update({ clientSecret })` puts another payment intent into the form and keeps everything typed. */
import { CARD, type CheckoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

const swap = (checkout: CheckoutPage, clientSecret: string) =>
  checkout.page.evaluate((secret) => window.forms[0]?.update({ clientSecret: secret }), clientSecret);

test('when the cart changes, card and address stay, the new total is shown, and a press pays only the new intent, once', async ({
  open,
  service,
}) => {
  const before = await service.createIntent();
  const checkout = await open(before);
  await checkout.ready();
  await checkout.fill();
  await service.cancel(before.id);
  const after = await service.createIntent({ amount: 6804 });
  expect(await swap(checkout, after.client_secret)).toBeNull();
  await expect(checkout.notice).toHaveText(
    'The total changed from $58.04 to $68.04. Review it and press the button again.',
  );
  await checkout.ready('Pay $68.04');
  expect(await checkout.hears('amountchange')).toMatchObject({ previous: 5804, current: 6804 });
  for (const [name, value] of [
    ['number', '4242 4242 4242 4242'],
    ['name', 'Ada Lovelace'],
    ['line1', /./],
    ['code', /^\d{3}$/],
  ] as const)
    await expect(checkout.field(name)).toHaveValue(value);
  await checkout.pay();
  expect(await checkout.hears('result')).toMatchObject({
    outcome: 'succeeded',
    paymentIntent: { id: after.id, amount_total: 6804 },
  });
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(after.id)).toMatchObject({ charges: 1, confirms: 1 });
  expect(await service.record(before.id)).toMatchObject({ charges: 0, confirms: 0 });
  expect(await checkout.events('error')).toEqual([]);
});

test.describe('with a buyer that the page knows', () => {
  test.use({ knownBuyer: true });

  test('threat-model C84: a press while the intents are swapped pays nothing, even if the totals are equal, and the next press pays the new intent', async ({
    open,
    service,
  }) => {
    const [before, after] = [await service.createIntent(), await service.createIntent()];
    const checkout = await open(before);
    await checkout.ready();
    await checkout.fillCard(CARD.visa);
    await service.nextAnswer({ route: 'client.retrieve', delay_seconds: 5 });
    const swapped = swap(checkout, after.client_secret);
    await expect(checkout.payButton).toHaveCount(0);
    await checkout.button.click({ force: true });
    await service.pass(5);
    expect(await swapped).toBeNull();
    await checkout.ready('Pay $58.04');
    expect(await service.record(after.id)).toMatchObject({ confirms: 0 });
    expect(await service.record(before.id)).toMatchObject({ confirms: 0 });
    await checkout.pay();
    expect(await checkout.hears('result')).toMatchObject({ paymentIntent: { id: after.id } });
    expect(await service.record(after.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});
