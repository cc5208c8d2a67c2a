import type { Page } from 'playwright/test';
import { CARD, type CheckoutPage, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Fault } from '../support/service.ts';

test.use({ knownBuyer: true });

const CONFIRMING = 'Confirming your payment. Please keep this page open.';
/** Its words change with the time since the press. */
const STILL = /^(Still confirming with your bank|Your bank (is slower|has not answered))/;
const NOT_CHARGED =
  'We could not reach the payment service and no payment was recorded. You can try again; this order cannot be charged twice.';
const DECLINED = 'Your card was declined. Check the details or use another card.';
const PROCESSING = 'Processing $58.04';
const UNKNOWN =
  'We could not confirm whether you were charged. Please do not pay again. Check the status, or contact the store.';

/** How many confirms the form sent; the browser can deliver one of them twice. */
const countConfirms = (page: Page) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) sent.push(request.url());
  });
  return () => sent.length;
};

/** The fields are disabled while the form waits, and keep their values. */
const expectCardKept = async (checkout: CheckoutPage, number: string) => {
  await expect(checkout.field('number')).toHaveValue(number);
  await expect(checkout.field('expiry')).toHaveValue('12 / 34');
  await expect(checkout.field('code')).toHaveValue('123');
};

test.describe('when the total changed', () => {
  test('threat-model C53: the buyer sees both totals and must press again', async ({ open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.totalRises);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(
      'The total changed from $58.04 to $59.04. Review it and press the button again.',
    );
    await expect(checkout.payButton).toHaveText('Pay $59.04');
    await expect(checkout.total).toHaveText('$59.04');
    await expectCardKept(checkout, '4000 0000 0001 0076');
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, releases: 0 });
    await expect
      .poll(() => checkout.events('amountchange'))
      .toMatchObject([{ previous: 5804, current: 5904, currency: 'usd' }]);

    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect(checkout.notice).toContainText('$59.04 paid');
    expect(await service.record(intent.id)).toMatchObject({
      payment_intent: { amount_total: 5904, confirmation_attempts: 1 },
      charges: 1,
      confirms: 2,
      releases: 0,
    });
  });

  test('a press within half a second of a changed total does not count: it was meant for the old one', async ({
    time,
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.totalRises);
    await time.stop();
    await checkout.payButton.click();
    await checkout.ready('Pay $59.04');
    // With the mouse: click() would wait until the button can be hit.
    await expect(async () => {
      await checkout.payButton.dblclick({ force: true });
      await expect(checkout.notice).toContainText(
        'Please check the total, then press the button again. $59.04',
        {
          timeout: 1000,
        },
      );
    }).toPass();
    await time.pass(0.4);
    await checkout.payButton.click({ force: true });
    await time.pass(0.09);
    await checkout.payButton.click({ force: true });
    await expect(checkout.payButton).toBeEnabled();
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await time.pass(0.02);
    await checkout.payButton.click();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  test('a held Enter key does not confirm the changed total', async ({ time, open, page, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.totalRises);
    await checkout.payButton.click({ trial: true });
    await checkout.field('code').focus();
    await page.keyboard.down('Enter');
    await checkout.ready('Pay $59.04');
    for (let held = 0; held < 5; held += 1) {
      await time.pass(0.6);
      await page.keyboard.down('Enter');
    }
    await time.pass(1);
    await expect(checkout.notice).toContainText('The total changed from $58.04 to $59.04.');
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  test('the same if the merchant raised it after the form was loaded', async ({ open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await checkout.ready('Pay $58.04');
    await service.changeAmount(intent.id, 7000);
    await checkout.pay();
    await expect(checkout.notice).toContainText('The total changed from $58.04 to $70.00.');
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await checkout.pay();
    await expect(checkout.notice).toContainText('$70.00 paid');
    expect(await service.record(intent.id)).toMatchObject({
      payment_intent: { amount_total: 7000 },
      charges: 1,
      confirms: 2,
    });
  });
});

test.describe('when there were too many tries', () => {
  test('the form counts down, sends nothing meanwhile, and never submits by itself', async ({
    time,
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.throttled);
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
    await time.pass(60);
    await expectCardKept(checkout, '4000 0000 0001 0068');
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, retrieves: 2 });
    await checkout.payButton.click();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  test('while loading, the form waits as long and then loads', async ({ time, open, service }) => {
    const intent = await service.createIntent();
    await service.nextAnswer({ route: 'client.retrieve', status: 429, retry_after: 100 });
    const checkout = await open(intent);
    await checkout.hears('ready');
    await checkout.fillCard(CARD.visa);
    await time.pass(80);
    expect(await service.record(intent.id)).toMatchObject({ retrieves: 1, confirms: 0 });
    await expect(checkout.payButton).toHaveCount(0);
    await time.pass(30);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
  });
});

test.describe('when the service is still processing', () => {
  test('the form waits until it has succeeded', async ({ time, open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.processing);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    await expect(checkout.button).toHaveCount(0);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await service.pass(3);
    await time.pass(5);
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1, releases: 0 });
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    await expect.poll(() => checkout.events('result')).toHaveLength(1);
  });

  test('and then declines, the buyer may use another card', async ({ time, open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.processingFails);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    await service.pass(3);
    await time.pass(30);
    await expect(checkout.notice).toHaveText(DECLINED);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1, releases: 1 });
    expect(await checkout.events('result')).toEqual([]);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  test('threat-model C55: without end, the buyer is not told to pay again and can check the status', async ({
    time,
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
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
    await time.pass(300);
    expect((await service.record(intent.id)).retrieves).toBe(retrieves);
    await checkout.button.click();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    await time.pass(60);
    await expect(checkout.outcome).toHaveText(UNKNOWN);
    await service.cancel(intent.id);
    await time.pass(10);
    await checkout.button.click();
    await expect(checkout.outcome).toHaveText('This payment was canceled and can no longer be paid.');
    await expect(checkout.button).toHaveCount(0);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await expect
      .poll(() => checkout.events('result'))
      .toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }, { outcome: 'canceled' }]);
  });
});

test.describe('when the card was charged and the answer', () => {
  const LOST: readonly { what: string; card: string; fault?: Partial<Fault> }[] = [
    { what: 'was lost', card: CARD.chargedUnanswered },
    // The browser repeats a request whose connection died; the repetitions must be lost, too.
    { what: 'was lost every time the browser asked', card: CARD.visa, fault: { cut: 'after', times: 10 } },
    { what: 'was a 502', card: CARD.chargedBadGateway },
    { what: 'was a page of HTML with status 200', card: CARD.chargedHtml },
    { what: 'broke off in the middle', card: CARD.chargedTruncated },
  ];
  for (const { what, card, fault } of LOST) {
    test(`${what}, the form finds out by reading and never sends again`, async ({
      time,
      open,
      page,
      service,
    }) => {
      const intent = await service.createIntent();
      if (fault) await service.nextAnswer({ route: 'client.confirm', ...fault });
      const sent = countConfirms(page);
      const checkout = await open(intent);
      await checkout.fillCard(card);
      await time.stop();
      await checkout.payButton.click();
      await expect(checkout.notice).toHaveText(STILL);
      await expect(checkout.payButton).toHaveCount(0);
      await time.pass(5);
      await expect(checkout.outcome).toHaveText('Payment received');
      expect(sent()).toBe(1);
      expect(await service.record(intent.id)).toMatchObject({
        payment_intent: { status: 'succeeded', confirmation_attempts: 1 },
        charges: 1,
        releases: 0,
      });
      await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]);
      expect(await checkout.events('decline')).toEqual([]);
    });
  }

  test('takes half a minute, the form says so and retrieves the status while the request is open', async ({
    time,
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const sent = countConfirms(page);
    const checkout = await open(intent);
    await checkout.fillCard(CARD.chargedSlowly);
    await time.stop();
    await checkout.payButton.click();
    await expect(checkout.notice).toHaveText(CONFIRMING);
    await time.pass(9.5);
    await expect(checkout.notice).toHaveText(CONFIRMING);
    await time.pass(1);
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(9);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1, retrieves: 1 });
    await time.pass(1);
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(sent()).toBe(1);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1, retrieves: 2 });
  });

  test('never comes, the form finds out by reading', async ({ time, open, page, service }) => {
    const intent = await service.createIntent();
    await service.nextAnswer({ route: 'client.confirm', never: true });
    const sent = countConfirms(page);
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect.poll(async () => (await service.record(intent.id)).charges).toBe(1);
    await time.pass(30);
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(sent()).toBe(1);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test.describe('when nothing was charged and the answer', () => {
  // A browser repeats a request whose connection is cut on each connection that it has used before, so one press can be several attempts.
  test.use({ sandboxOptions: { attempts: 20 } });

  test('was lost after a decline, the form shows the decline', async ({ time, open, page, service }) => {
    const intent = await service.createIntent();
    const sent = countConfirms(page);
    const checkout = await open(intent);
    await checkout.fillCard(CARD.declinedUnanswered);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(10);
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(40);
    await expect(checkout.notice).toHaveText(DECLINED);
    expect(sent()).toBe(1);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, releases: 1 });
    await expect.poll(() => checkout.events('decline')).toMatchObject([{ error: { charged: 'no' } }]);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(sent()).toBe(2);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
  });

  test('never comes, the form says that no payment was recorded, and the buyer can try again', async ({
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
    await checkout.pay();
    await expect(checkout.notice).toHaveText(CONFIRMING);
    await time.pass(70);
    await expect(checkout.notice).toHaveText(STILL);
    await expect(checkout.payButton).toHaveCount(0);
    await time.pass(60);
    await expect(checkout.notice).toHaveText(NOT_CHARGED);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(sent()).toBe(2);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  test('was lost before the service acted, the form says that no payment was recorded', async ({
    time,
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    // More often than a browser repeats a request whose connection died.
    await service.nextAnswer({ route: 'client.confirm', cut: 'before', times: 10 });
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(60);
    await expect(checkout.notice).toHaveText(NOT_CHARGED);
    expect(await service.record(intent.id)).toMatchObject({
      payment_intent: { confirmation_attempts: 0 },
      charges: 0,
    });
  });

  test('was a 500, the form says that no payment was recorded, and the buyer can try again', async ({
    time,
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.internalError);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(30);
    await expect(checkout.notice).toHaveText(NOT_CHARGED);
    await expect(checkout.field('code')).toHaveValue('');
    await expect.poll(() => checkout.events('error')).toMatchObject([{ charged: 'no', recovery: 'retry' }]);
    expect(await checkout.events('result')).toEqual([]);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  // The sandbox counts an attempt that reached the network, so it has failed (outcomes 2.4), and may be repeated.
  test('was a 502, the form does not blame the card, and the buyer can try again', async ({
    time,
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.providerError);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(30);
    await checkout.ready();
    await expect(checkout.notice).toHaveText(/^Your bank could not answer just now\./);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });
});

test.describe('when the service refuses', () => {
  test('threat-model C44: the postal code, the form moves the focus to it and keeps the card', async ({
    time,
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.refusedPostalCode);
    await checkout.pay();
    const zip = checkout.field('zip');
    await expect(zip).toHaveAttribute('aria-invalid', 'true');
    await expect(zip).toHaveAccessibleDescription('This was not accepted. Please check it.');
    await expect(zip).toBeFocused();
    await expectCardKept(checkout, '4000 0000 0001 0118');
    await expect
      .poll(() => checkout.events('error'))
      .toMatchObject([
        {
          code: 'invalid_billing_details',
          param: 'billing_details.address.postal_code',
          charged: 'no',
          recovery: 'fix_input',
        },
      ]);
    await zip.fill('97206');
    await expect(zip).not.toHaveAttribute('aria-invalid');
    await checkout.field('number').fill(CARD.visa);
    await time.pass(3);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({
      payment_intent: { billing_details: { address: { postal_code: '97206' } } },
      charges: 1,
      confirms: 2,
      releases: 0,
    });
  });

  test('an order without details that only the merchant can add, the form does not ask for the card again', async ({
    open,
    service,
  }) => {
    const intent = await service.createIntent({ buyer: undefined });
    const checkout = await open(intent);
    // It is said before anything is typed, and the developer hears what is missing.
    await expect(checkout.notice).toHaveText('The store cannot take this payment right now.');
    expect(await checkout.hears('warning')).toMatchObject({
      about: 'payment_intent',
      hint: expect.stringContaining('It lacks buyer,'),
    });
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('The store cannot take this payment right now.');
    await expect(checkout.button).toHaveCount(0);
    expect(await checkout.hears('error')).toMatchObject({ code: 'payment_details_missing', charged: 'no' });
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
  });
});

test.describe('a page that is opened again', () => {
  test('during a payment shows how it ended, and charges nothing twice', async ({ open, page, service }) => {
    const intent = await service.createIntent();
    await service.nextAnswer({ route: 'client.confirm', never: true });
    const checkout = await open(intent);
    page.on('dialog', (dialog) => dialog.accept());
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect.poll(async () => (await service.record(intent.id)).charges).toBe(1);
    await expect(checkout.notice).toHaveText(CONFIRMING);
    await page.reload();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect(checkout.button).toHaveCount(0);
    expect(await checkout.hears('result')).toMatchObject({
      outcome: 'succeeded',
      paymentIntent: { id: intent.id },
    });
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  // The iframe's sandbox lacks allow-modals, without which a browser ignores the frame's `beforeunload`.
  test('during a payment asks the buyer before it is left', async ({ open, page, service }) => {
    const intent = await service.createIntent();
    await service.nextAnswer({ route: 'client.confirm', never: true });
    const checkout = await open(intent);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.accept();
    });
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(CONFIRMING);
    await page.reload();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(asked).toEqual(['beforeunload']);
    await page.reload(); // no question without a payment in flight
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(asked).toEqual(['beforeunload']);
  });

  test('while the service is processing keeps waiting', async ({ time, open, page, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.processing);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    await expect.poll(() => checkout.events('processing')).toHaveLength(1);
    await service.pass(3);
    await time.pass(5);
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('threat-model C56: after a payment shows that it is paid', async ({ open, page, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    await page.reload();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect(checkout.button).toHaveCount(0);
    await checkout.hears('result');
    await checkout.hears('result promise');
    await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]); // once
    expect(await checkout.events('processing')).toEqual([]);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('in a second tab shows the payment of the first without a press', async ({
    context,
    open,
    serve,
    service,
  }) => {
    const intent = await service.createIntent();
    const first = await open(intent);
    const tab = await context.newPage();
    await tab.goto(serve(intent));
    const second = checkoutPage(tab);
    await second.fillCard(CARD.mastercard);
    await first.fillCard(CARD.visa);
    await first.pay();
    await expect(first.outcome).toHaveText('Payment received');
    await expect(second.outcome).toHaveText('Payment received');
    expect(await second.hears('result')).toMatchObject({ outcome: 'succeeded' });
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('for a canceled payment says so', async ({ open, service }) => {
    const intent = await service.createIntent();
    await service.cancel(intent.id);
    const checkout = await open(intent);
    await expect(checkout.outcome).toHaveText('This payment was canceled and can no longer be paid.');
    await expect(checkout.button).toHaveCount(0);
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'canceled' });
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0 });
  });
});

test.describe('threat-model C42: one press is one payment', () => {
  test('however often the button is clicked', async ({ open, service }) => {
    const intent = await service.createIntent();
    await service.nextAnswer({ route: 'client.confirm', delay_seconds: 60 });
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await checkout.payButton.click({ clickCount: 5 });
    await expect(checkout.notice).toHaveText(CONFIRMING);
    // The delay of the answer begins when the request arrives.
    await expect.poll(async () => (await service.record(intent.id)).confirms).toBe(1);
    await service.pass(60);
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('when Enter is held and the button clicked', async ({ open, page, service }) => {
    const intent = await service.createIntent();
    await service.nextAnswer({ route: 'client.confirm', delay_seconds: 60 });
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await checkout.payButton.click({ trial: true });
    await checkout.field('code').focus();
    await page.keyboard.down('Enter');
    await page.keyboard.down('Enter');
    await page.keyboard.down('Enter');
    await checkout.button.click({ force: true });
    await page.keyboard.up('Enter');
    await expect(checkout.notice).toHaveText(CONFIRMING);
    // The delay of the answer begins when the request arrives.
    await expect.poll(async () => (await service.record(intent.id)).confirms).toBe(1);
    await service.pass(60);
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test('outcomes 2.7: a press while offline sends no confirm, and the buyer pays once online again', async ({
  context,
  open,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
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
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('outcomes 2.7: a browser that only says it is offline, as on a machine with loopback alone, pays', async ({
  open,
  page,
  service,
}) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }));
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.ready();
  await expect(checkout.notice).toHaveText('');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test.describe('when the payment cannot be read', () => {
  const UNREADABLE = [
    { what: 'the service answers with errors', fault: { status: 500, times: 5 }, tries: 5 },
    { what: 'the service answers with pages of HTML', fault: { html: true, times: 5 }, tries: 5 },
    { what: 'the connection is refused', fault: null, tries: 0 },
  ];
  for (const { what, fault, tries } of UNREADABLE) {
    test(`since ${what}, the form can be tried again and nothing typed is lost`, async ({
      time,
      open,
      page,
      service,
    }) => {
      const intent = await service.createIntent();
      if (fault) await service.nextAnswer({ route: 'client.retrieve', ...fault });
      else await page.route(/\/retrieve$/, (route) => route.abort('connectionrefused'));
      const checkout = await open(intent);
      await checkout.hears('ready');
      await checkout.fillCard(CARD.visa);
      await time.pass(60);
      await expect(checkout.notice).toHaveText('The payment form could not load.');
      await expect(checkout.button).toHaveText(['Try again']);
      expect(await checkout.hears('error')).toMatchObject({ recovery: 'retry' });
      expect(await service.record(intent.id)).toMatchObject({ retrieves: tries });
      await page.unroute(/\/retrieve$/);
      await checkout.button.click();
      await checkout.ready('Pay $58.04');
      await expectCardKept(checkout, '4242 4242 4242 4242');
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received');
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    });
  }
});
