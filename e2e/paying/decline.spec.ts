import { BUYER, CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { DECLINED, expectPaid } from './journey.ts';

test.use({ knownBuyer: true });

test('threat-model C52: a decline is released and never retried automatically, and the buyer pays with another card', async ({
  time,
  checkout,
  intent,
  service,
}) => {
  await checkout.fillCard(CARD.declined);
  await checkout.pay();

  await expect(checkout.notice).toHaveText(DECLINED);
  await checkout.ready('Pay $58.04');
  await expect(checkout.field('number')).toHaveValue('4000 0000 0000 0002');
  await expect(checkout.field('number')).toBeFocused();
  await expect(checkout.field('expiry')).toHaveValue('12 / 34');
  await expect(checkout.field('code')).toHaveValue('');
  await expect(checkout.frame.locator('.known')).toContainText(BUYER.name);
  await expect(checkout.frame.locator('.known')).toContainText(BUYER.line1);
  await expect
    .poll(() => checkout.events('decline'))
    .toMatchObject([
      { error: { code: 'payment_method_declined', charged: 'no', recovery: 'use_other_card' } },
    ]);
  expect(await checkout.events('result')).toEqual([]);
  const { requests: before, ...declined } = await service.record(intent.id);
  expect(declined).toMatchObject({ charges: 0, confirms: 1, releases: 1 });
  await time.pass(120, 30);
  await expect(checkout.notice).toHaveText(DECLINED);
  expect((await service.record(intent.id)).requests).toEqual(before);

  await checkout.fillCard(CARD.mastercard);
  await checkout.pay();
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 2, releases: 1 });
  const { requests } = await service.record(intent.id);
  expect(requests.map(({ route }) => route).filter((route) => route.startsWith('client.'))).toEqual([
    'client.retrieve',
    'client.confirm',
    'client.release',
    'client.retrieve',
    'client.confirm',
  ]);
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
});

test('threat-model C60: each decline has its own words, at its own field; after the last try the payment can no longer be paid', async ({
  checkout,
  intent,
  service,
}) => {
  const declines = [
    {
      card: CARD.incorrectCvc,
      said: 'The security code was not right. Check it and try again.',
      focus: 'code',
      error: { decline_code: 'incorrect_cvc' },
    },
    {
      card: CARD.expired,
      said: 'This card has expired. Check the expiry date or use another card.',
      focus: 'expiry',
      error: { decline_code: 'expired_card' },
    },
    {
      card: CARD.insufficientFunds,
      said: 'The balance or limit of this card is not enough. Use another card.',
      focus: 'number',
      error: { decline_code: 'insufficient_funds' },
    },
    {
      card: CARD.notAuthenticated,
      said: 'Your bank could not confirm that it was you. Try again or use another card.',
      focus: 'number',
      error: { code: 'payment_failed' },
    },
    // The holder of a stolen card must not learn that the bank knows it is stolen.
    { card: CARD.lost, said: DECLINED, focus: 'number', error: { decline_code: 'lost_card' } },
  ] as const;
  for (const [index, { card, said, focus, error }] of declines.entries()) {
    await checkout.fillCard(card);
    await checkout.pay();
    await expect.poll(() => checkout.events('decline')).toHaveLength(index + 1);
    expect(await checkout.hears('decline')).toMatchObject({ error: { ...error, charged: 'no' } });
    await expect(checkout.frame.locator('body')).not.toContainText(/lost|stolen/i);
    if (index === declines.length - 1) break;
    await expect(checkout.notice).toHaveText(said);
    await checkout.ready();
    await expect(checkout.field(focus)).toBeFocused();
  }
  // Immediately, and without asking for another card: the decline was this form's, and the service says it was the
  // last.
  await expect(checkout.outcome).toHaveText('All tries are used up. This payment can no longer be paid.');
  await expect(checkout.notice).toContainText('Your card was declined.');
  await expect(checkout.notice).toContainText('Nothing was charged.');
  await expect(checkout.button).toHaveCount(0);
  expect(await checkout.hears('result')).toMatchObject({
    outcome: 'failed',
    error: { code: 'payment_intent_not_pending', charged: 'no', recovery: 'new_payment' },
  });
  expect(await service.record(intent.id)).toMatchObject({
    payment_intent: { status: 'pending', confirmation_attempts: declines.length },
    charges: 0,
    confirms: declines.length,
  });
});
