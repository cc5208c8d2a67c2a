import { BUYER, CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Entry } from '../support/service.ts';

test.use({ knownBuyer: true });

const DECLINED = 'Your card was declined. Check the details or use another card.';

/** The routes the form called, in order. */
const calls = (requests: readonly Entry[]) =>
  requests.map(({ route }) => route).filter((route) => route.startsWith('client.'));

for (const holdFailedAttempts of [false, true]) {
  test.describe(
    holdFailedAttempts ? 'with failed attempts held until released' : 'with failed attempts that end at once',
    () => {
      test.use({ sandboxOptions: { holdFailedAttempts } });

      test('after a decline the buyer pays with another card', async ({ open, service }) => {
        const intent = await service.createIntent();
        const checkout = await open(intent);
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
        expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, releases: 1 });

        await checkout.fillCard(CARD.mastercard);
        await checkout.pay();
        await expect(checkout.outcome).toHaveText('Payment received');
        const { charges, confirms, releases, requests } = await service.record(intent.id);
        expect({ charges, confirms, releases }).toEqual({ charges: 1, confirms: 2, releases: 1 });
        expect(calls(requests)).toEqual([
          'client.retrieve',
          'client.confirm',
          'client.release',
          'client.retrieve',
          'client.confirm',
        ]);
        expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
      });
    },
  );
}

test('threat-model C52: a declined payment is never retried automatically', async ({
  time,
  open,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(CARD.declined);
  await checkout.pay();
  await expect(checkout.notice).toHaveText(DECLINED);
  const { requests } = await service.record(intent.id);
  await time.pass(120);
  await expect(checkout.notice).toHaveText(DECLINED);
  expect((await service.record(intent.id)).requests).toEqual(requests);
});

const SENTENCES = [
  {
    reason: 'insufficient_funds',
    card: CARD.insufficientFunds,
    sentence: 'The balance or limit of this card is not enough. Use another card.',
    focus: 'number',
  },
  {
    reason: 'expired_card',
    card: CARD.expired,
    sentence: 'This card has expired. Check the expiry date or use another card.',
    focus: 'expiry',
  },
  {
    reason: 'incorrect_cvc',
    card: CARD.incorrectCvc,
    sentence: 'The security code was not right. Check it and try again.',
    focus: 'code',
  },
  // The holder of a stolen card must not learn that the bank knows it is stolen.
  { reason: 'lost_card', card: CARD.lost, sentence: DECLINED, focus: 'number' },
] as const;

for (const { reason, card, sentence, focus } of SENTENCES) {
  test(`${reason} shows: ${sentence}`, async ({ open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(card);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(sentence);
    await expect(checkout.field(focus)).toBeFocused();
    await expect(checkout.frame.locator('body')).not.toContainText(/lost|stolen/i);
    await expect.poll(() => checkout.events('decline')).toMatchObject([{ error: { decline_code: reason } }]);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, releases: 1 });
  });
}

test('payment_failed, as after a failed 3-D Secure check, says that the bank could not confirm it', async ({
  open,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(CARD.notAuthenticated);
  await checkout.pay();
  await expect(checkout.notice).toHaveText(
    'Your bank could not confirm that it was you. Try again or use another card.',
  );
  await expect
    .poll(() => checkout.events('decline'))
    .toMatchObject([{ error: { code: 'payment_failed', charged: 'no' } }]);
  expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, releases: 1 });
});

test('a bank that asks for 3-D Secure is told in the same words, with its decline code', async ({
  open,
  service,
}) => {
  const checkout = await open(await service.createIntent());
  await checkout.fillCard(CARD.authenticationRequired);
  await checkout.pay();
  await expect(checkout.notice).toHaveText(
    'Your bank could not confirm that it was you. Try again or use another card.',
  );
  await expect
    .poll(() => checkout.events('decline'))
    .toMatchObject([
      { error: { code: 'payment_failed', decline_code: 'authentication_required', charged: 'no' } },
    ]);
});

test('a failed release is retried, and the form continues without one', async ({ time, open, service }) => {
  const intent = await service.createIntent();
  await service.nextAnswer({ route: 'client.release', status: 500, times: 20 });
  const checkout = await open(intent);
  await checkout.fillCard(CARD.declined);
  await checkout.pay();
  await expect.poll(async () => (await service.record(intent.id)).releases).toBe(1);
  await time.pass(30);
  await expect(checkout.notice).toHaveText(DECLINED);
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2, releases: 3 });
});

for (const attempts of [1, 2]) {
  test.describe(`when all of ${attempts} tries are used up`, () => {
    test.use({ sandboxOptions: { attempts } });

    test('threat-model C60: the payment can no longer be paid, and the page is asked for a new one', async ({
      open,
      service,
    }) => {
      const intent = await service.createIntent();
      const checkout = await open(intent);
      for (let attempt = 1; attempt < attempts; attempt += 1) {
        await checkout.fillCard(CARD.declined);
        await checkout.pay();
        await expect(checkout.notice).toHaveText(DECLINED);
        await checkout.ready();
      }
      await checkout.fillCard(CARD.declined);
      await checkout.pay();
      // At once, and no other card is asked for: the decline was this form's, and the service says that it was the last.
      await expect(checkout.outcome).toHaveText('All tries are used up. This payment can no longer be paid.');
      await expect(checkout.frame.getByText('Your card was declined.')).toBeVisible();
      await expect.poll(() => checkout.events('decline')).toHaveLength(attempts);
      await expect(checkout.button).toHaveCount(0);
      expect(await checkout.hears('result')).toMatchObject({
        outcome: 'failed',
        error: { code: 'payment_intent_not_pending', charged: 'no', recovery: 'new_payment' },
      });
      expect(await service.record(intent.id)).toMatchObject({
        payment_intent: { status: 'pending', confirmation_attempts: attempts },
        charges: 0,
        confirms: attempts,
      });
    });
  });
}
