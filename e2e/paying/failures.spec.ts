/**
 * Every course of a payment other than plain success, once through the real service, frame and page. The mapping of
 * answers to states, sentences and events is tested row by row in `src/form/payment/transition*.test.ts` and
 * `src/proof/simulation`.
 */
import { CARD } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import {
  CONFIRMING,
  COULD_NOT_LOAD,
  countConfirms,
  expectCardKept,
  expectPaid,
  NOT_CHARGED,
  STILL,
} from './journey.ts';

test.use({ knownBuyer: true });

const PROCESSING = 'Processing $58.04';
const UNKNOWN =
  'We could not confirm whether you were charged. Please do not pay again. Check the status, or contact the store.';

test.describe('when the total has changed', () => {
  test('threat-model C53: the buyer sees both totals; neither a held Enter nor the second click of a double click pays the new one', async ({
    time,
    checkout,
    intent,
    page,
    service,
  }) => {
    await checkout.fillCard(CARD.totalRises);
    await checkout.payButton.click({ trial: true });
    await checkout.field('expiry').press('Tab'); // shows that the buyer is present (threat-model 1.4)
    await page.keyboard.down('Enter');
    await checkout.ready('Pay $59.04');
    for (let held = 0; held < 5; held += 1) {
      await time.pass(0.6);
      await page.keyboard.down('Enter');
    }
    await time.pass(1);
    await expect(checkout.notice).toHaveText(
      'The total changed from $58.04 to $59.04. Review it and press the button again.',
    );
    await expect(checkout.total).toHaveText('$59.04');
    await expectCardKept(checkout, '4000 0000 0001 0076');
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, releases: 0 });
    await expect
      .poll(() => checkout.events('amountchange'))
      .toMatchObject([{ previous: 5804, current: 5904, currency: 'usd' }]);

    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await expectPaid(checkout, service, intent, { charges: 1, confirms: 2, releases: 0 });
    await expect(checkout.notice).toContainText('$59.04 paid');
  });
});

test('after too many tries the form counts down, sends nothing meanwhile, and never submits on its own', async ({
  time,
  checkout,
  intent,
  service,
}) => {
  await checkout.fillCard(CARD.throttled);
  await checkout.payButton.click({ trial: true }); // the total has been shown long enough: no more of that clock
  await time.stop();
  await checkout.payButton.click();
  await expect(checkout.notice).toContainText('You can try again in 5s.');
  await expect(checkout.payButton).toBeDisabled();
  const { requests } = await service.record(intent.id);
  await time.pass(4, 1);
  await expect(checkout.notice).toContainText('You can try again in 1s.');
  await time.pass(0.9);
  await expect(checkout.payButton).toBeDisabled();
  expect((await service.record(intent.id)).requests).toEqual(requests);
  await expect
    .poll(() => checkout.events('error'))
    .toMatchObject([{ code: 'rate_limited', retryAfter: 5, charged: 'unknown', recovery: 'wait' }]);

  await time.pass(0.5);
  await checkout.ready('Pay $58.04');
  await expect(checkout.notice).toHaveText('You can try again now.');
  await time.pass(60);
  await expectCardKept(checkout, '4000 0000 0001 0068');
  expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, retrieves: 2 });
  await checkout.payButton.click();
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 2 });
});

test.describe('when the service is still processing', () => {
  test('the form waits until it succeeds, even in a reloaded page', async ({
    time,
    checkout,
    intent,
    page,
    service,
  }) => {
    await checkout.fillCard(CARD.processing);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    // The amount is the heading; the rest is smaller.
    const rest = checkout.frame.getByText('Please keep this page open.', { exact: true });
    await expect(rest).toHaveCSS('font-size', '15px');
    await expect(checkout.button).toHaveCount(0);
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    await expect.poll(() => checkout.events('processing')).toHaveLength(1);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await service.pass(3);
    await time.pass(5);
    await expectPaid(checkout, service, intent, { charges: 1, confirms: 1, releases: 0 });
    await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]);
  });

  test('threat-model C55: if processing never ends, the form does not ask the buyer to pay again, and offers to check the status', async ({
    time,
    checkout,
    intent,
    service,
  }) => {
    await checkout.fillCard(CARD.processingForever);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    await time.pass(60);
    expect((await service.record(intent.id)).retrieves).toBeLessThanOrEqual(10);
    await expect(checkout.outcome).toHaveText(PROCESSING);
    await time.pass(1500, 15);
    await expect(checkout.outcome).toHaveText(UNKNOWN);
    await expect(checkout.button).toHaveText(['Check status']);
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'unknown', reason: 'unresolved' });

    const { retrieves } = await service.record(intent.id);
    await time.pass(300, 60);
    expect((await service.record(intent.id)).retrieves).toBe(retrieves);
    await checkout.button.click();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    await time.pass(60);
    await expect(checkout.outcome).toHaveText(UNKNOWN);
    await service.cancel(intent.id);
    await time.pass(10);
    await checkout.button.click();
    await expect(checkout.outcome).toHaveText('This payment was canceled and can no longer be paid.');
    await expect(checkout.notice).toContainText('Nothing was charged.');
    await expect(checkout.button).toHaveCount(0);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await expect
      .poll(() => checkout.events('result'))
      .toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }, { outcome: 'canceled' }]);
  });
});

test('threat-model C51: when the card was charged and the connection cut, the form learns the outcome by reading and never sends again', async ({
  time,
  open,
  page,
  service,
}) => {
  const sent = countConfirms(page);
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(CARD.chargedUnanswered);
  await checkout.pay();
  await expect(checkout.notice).toHaveText(STILL);
  await expect(checkout.payButton).toHaveCount(0);
  await time.pass(5);
  await expectPaid(checkout, service, intent, { charges: 1, releases: 0 });
  expect(sent()).toBe(1);
  await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]);
  expect(await checkout.events('decline')).toEqual([]);
  // It names no card, since another one may have paid.
  await expect(checkout.frame.locator('.receipt dt')).toHaveText(['Date', 'Reference']);
});

test('outcomes 2.5: if no answer comes, the words change 10, 30 and 60 s after the press, then the form says that no payment was recorded, and the buyer can try again', async ({
  time,
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  await service.nextAnswer({ route: 'client.confirm', never: true, act: false });
  const sent = countConfirms(page);
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.payButton.click({ trial: true }); // see above
  await time.stop();
  await checkout.payButton.click();
  await expect(checkout.notice).toHaveText(CONFIRMING);
  for (const [seconds, words] of [
    [9, CONFIRMING],
    [2, /^Still confirming with your bank\. .* You will not be charged twice for this order\.$/],
    [20, /^Your bank is slower than usual\. .* you will not be charged twice\.$/],
    [30, 'Your bank has not answered yet. We keep asking, so please do not pay for this order again.'],
  ] as const) {
    await time.pass(seconds, 1);
    await expect(checkout.notice).toHaveText(words);
    await expect(checkout.payButton).toHaveCount(0);
  }
  await time.pass(70);
  await expect(checkout.notice).toHaveText(NOT_CHARGED);
  expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
  await checkout.fillCard(CARD.visa);
  await time.pass(1);
  await checkout.payButton.click();
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 2 });
  expect(sent()).toBe(2);
});

/** UnionPay's own rules require no check digit, so the form accepts it; the sandbox's service requires one. */
const WITHOUT_CHECK_DIGIT = '6200000000000006';

test('threat-model C44, promises 2.5: a number and then a postal code that the service refuses are focused and explained, and the rest is kept', async ({
  checkout,
  intent,
  service,
}) => {
  for (const [name, card, kept] of [
    ['number', WITHOUT_CHECK_DIGIT, '6200 0000 0000 0006'],
    ['zip', CARD.refusedPostalCode, '4000 0000 0001 0118'],
  ] as const) {
    await checkout.fillCard(card);
    await checkout.pay();
    const refused = checkout.field(name);
    await expect(refused).toHaveAttribute('aria-invalid', 'true');
    await expect(refused).toHaveAccessibleDescription('This was not accepted. Please check it.');
    await expect(refused).toBeFocused();
    await expect(checkout.outcome).toHaveCount(0);
    await expectCardKept(checkout, kept);
  }
  await expect
    .poll(() => checkout.events('error'))
    .toMatchObject([
      { code: 'validation_error', param: 'card.number', charged: 'no', recovery: 'fix_input' },
      { code: 'invalid_billing_details', param: 'billing_details.address.postal_code', charged: 'no' },
    ]);
  await checkout.field('zip').fill('97206');
  await expect(checkout.field('zip')).not.toHaveAttribute('aria-invalid');
  await checkout.field('number').fill(CARD.visa);
  await checkout.ready();
  await checkout.pay();
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 3, releases: 0 });
  expect(await service.record(intent.id)).toMatchObject({
    payment_intent: { billing_details: { address: { postal_code: '97206' } } },
  });
});

test('threat-model C42: one press is one payment, however long Enter is held and however often the button is clicked', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  await service.nextAnswer({ route: 'client.confirm', delay_seconds: 60 });
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.payButton.click({ trial: true });
  await checkout.field('expiry').press('Tab');
  for (let held = 0; held < 3; held += 1) await page.keyboard.down('Enter');
  await checkout.button.click({ force: true, clickCount: 5 });
  await page.keyboard.up('Enter');
  await expect(checkout.notice).toHaveText(CONFIRMING);
  // The answer's delay begins when the request arrives.
  await expect.poll(async () => (await service.record(intent.id)).confirms).toBe(1);
  await service.pass(60);
  await expectPaid(checkout, service, intent);
});

test('outcomes 2.7: a press while offline sends no confirm, and the buyer pays once online again', async ({
  context,
  checkout,
  intent,
  service,
}) => {
  await checkout.fillCard(CARD.visa);
  await checkout.ready();
  await context.setOffline(true);
  await expect(checkout.notice).toHaveText('You are offline. You can pay once you are connected again.');
  await checkout.pay();
  await expect(checkout.payButton).toHaveCount(0);
  await context.setOffline(false);
  await checkout.ready();
  expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0 });
  await expectCardKept(checkout, '4242 4242 4242 4242');
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});

test('if the payment cannot be read, the buyer can try again and nothing typed is lost', async ({
  time,
  open,
  service,
}) => {
  const intent = await service.createIntent();
  await service.nextAnswer({ route: 'client.retrieve', html: true, times: 5 });
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await expect
    .poll(async () => {
      await time.pass(10);
      return checkout.events('error');
    })
    .toMatchObject([{ charged: 'unknown', recovery: 'retry' }]);
  await expect(checkout.notice).toHaveText(COULD_NOT_LOAD);
  await expect(checkout.button).toHaveText(['Try again']);
  expect(await service.record(intent.id)).toMatchObject({ retrieves: 5, confirms: 0 });
  await checkout.button.click();
  await checkout.ready('Pay $58.04');
  await expectCardKept(checkout, '4242 4242 4242 4242');
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});
