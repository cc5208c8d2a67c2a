/**
 * Each way of a payment that is no plain success, once through the real service, frame and page. Which answer leads to
 * which state, sentence and event is held row by row in `src/form/payment/transition*.test.ts` and `src/proof/simulation`.
 */
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Fault } from '../support/service.ts';
import {
  CONFIRMING,
  COULD_NOT_LOAD,
  countConfirms,
  DECLINED,
  expectCardKept,
  expectPaid,
  NOT_CHARGED,
  STILL,
} from './journey.ts';

test.use({ knownBuyer: true });

const PROCESSING = 'Processing $58.04';
const UNKNOWN =
  'We could not confirm whether you were charged. Please do not pay again. Check the status, or contact the store.';

test.describe('when the total changed', () => {
  test('threat-model C53: the buyer sees both totals; neither a held Enter nor the rest of a double click pays the new one', async ({
    time,
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.totalRises);
    await checkout.payButton.click({ trial: true });
    await checkout.field('expiry').press('Tab'); // the buyer is here (threat-model 1.4)
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

  test('a press within half a second of a changed total does not count: it was meant for the old one', {
    tag: '@thorough',
  }, async ({ time, open, service }) => {
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
        { timeout: 1000 },
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
    await expectPaid(checkout, service, intent, { charges: 1, confirms: 2 });
  });
});

test('when there were too many tries, the form counts down, sends nothing meanwhile, and never submits by itself', async ({
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
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 2 });
});

test.describe('when the service is still processing', () => {
  test('the form waits until it has succeeded, also in a page that was opened again', async ({
    time,
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.processing);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText(PROCESSING);
    // The amount is the heading, and the rest is smaller.
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

type Lost = { what: string; card: string; fault?: Partial<Fault> };

test.describe('when the card was charged and the answer was lost, the form finds out by reading and never sends again', () => {
  const LOST: readonly Lost[] = [
    { what: 'a 502', card: CARD.chargedBadGateway },
    { what: 'a page of HTML with status 200', card: CARD.chargedHtml },
    { what: 'an answer that breaks off in the middle', card: CARD.chargedTruncated },
    // The browser repeats a request whose connection died; the repetitions must be lost, too.
    {
      what: 'no answer, however often the browser asked',
      card: CARD.visa,
      fault: { cut: 'after', times: 10 },
    },
  ];
  for (const { how, tag, lost } of [
    {
      how: 'by a connection that was cut',
      tag: [],
      lost: [{ what: 'no answer', card: CARD.chargedUnanswered }],
    },
    { how: 'threat-model C51: in every other way', tag: ['@thorough'], lost: LOST },
  ]) {
    test(how, { tag }, async ({ time, open, page, service }) => {
      const sent = countConfirms(page);
      for (const [index, { what, card, fault }] of lost.entries()) {
        await test.step(what, async () => {
          const intent = await service.createIntent();
          if (fault) await service.nextAnswer({ route: 'client.confirm', ...fault });
          const checkout = await open(intent);
          await checkout.fillCard(card);
          await checkout.pay();
          await expect(checkout.notice).toHaveText(STILL);
          await expect(checkout.payButton).toHaveCount(0);
          await time.pass(5);
          await expectPaid(checkout, service, intent, { charges: 1, releases: 0 });
          expect(sent()).toBe(index + 1);
          await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]);
          expect(await checkout.events('decline')).toEqual([]);
          // It names no card, since another may have paid.
          await expect(checkout.frame.locator('.receipt dt')).toHaveText(['Date', 'Reference']);
          if (fault) await service.clearFaults();
        });
      }
    });
  }
});

test('outcomes 2.5: an answer that never comes: the words change 10, 30 and 60 s after the press, then no payment was recorded, and the buyer can try again', async ({
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

test.describe('when nothing was charged', { tag: '@thorough' }, () => {
  // A browser repeats a request whose connection is cut on each connection that it has used before, so one press can be several attempts.
  test.use({ sandboxOptions: { attempts: 20 } });

  test('and the answer was lost, the buyer reads what became of the card and can pay again', async ({
    time,
    open,
    service,
  }) => {
    const LOST: readonly (Lost & { said: string | RegExp })[] = [
      { what: 'after a decline', card: CARD.declinedUnanswered, said: DECLINED },
      // More often than a browser repeats a request whose connection died.
      {
        what: 'before the service acted',
        card: CARD.visa,
        fault: { cut: 'before', times: 10 },
        said: NOT_CHARGED,
      },
      { what: 'in a 500', card: CARD.internalError, said: NOT_CHARGED },
      // The sandbox counts an attempt that reached the network, so it has failed (outcomes 2.4), and may be repeated.
      { what: 'in a 502', card: CARD.providerError, said: /^Your bank could not answer just now\./ },
    ];
    for (const { what, card, fault, said } of LOST) {
      await test.step(what, async () => {
        const intent = await service.createIntent();
        if (fault) await service.nextAnswer({ route: 'client.confirm', ...fault });
        const checkout = await open(intent);
        await checkout.fillCard(card);
        await checkout.pay();
        await expect(checkout.notice).toHaveText(STILL);
        await time.pass(60);
        await expect(checkout.notice).toHaveText(said);
        await expect(checkout.field('code')).toHaveValue('');
        expect(await checkout.events('result')).toEqual([]);
        expect(await service.record(intent.id)).toMatchObject({ charges: 0 });
        await service.clearFaults();
        await checkout.fillCard(CARD.visa);
        await checkout.pay();
        await expectPaid(checkout, service, intent, { charges: 1 });
      });
    }
  });
});

/** UnionPay's own rules ask for no check digit, so the form takes it; the sandbox's service asks for one. */
const WITHOUT_CHECK_DIGIT = '6200000000000006';

test('threat-model C44, promises 2.5: a number, then a postal code that the service refuses: each is focused and explained, and the rest is kept', async ({
  open,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
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

test('threat-model C42: however long Enter is held and however often the button is clicked, one press is one payment', async ({
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
  // The delay of the answer begins when the request arrives.
  await expect.poll(async () => (await service.record(intent.id)).confirms).toBe(1);
  await service.pass(60);
  await expectPaid(checkout, service, intent);
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
  await expectPaid(checkout, service, intent);
});

test('outcomes 2.7: a browser that only says it is offline, as on a machine with loopback alone, pays', {
  tag: '@thorough',
}, async ({ open, page, service }) => {
  await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false }));
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.ready();
  await expect(checkout.notice).toHaveText('');
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});

test('when the payment cannot be read, for whatever reason, the form can be tried again and nothing typed is lost', async ({
  time,
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const REASONS = {
    'the service answers with errors': () =>
      service.nextAnswer({ route: 'client.retrieve', status: 500, times: 5 }),
    'the service answers with pages of HTML': () =>
      service.nextAnswer({ route: 'client.retrieve', html: true, times: 5 }),
    'a blocker in the browser stops the request': () =>
      page.route(/\/retrieve$/, (route) => route.abort('blockedbyclient')),
  };
  let tries = 0;
  for (const [what, fail] of Object.entries(REASONS)) {
    await fail();
    const checkout = tries === 0 ? await open(intent) : checkoutPage(page);
    if (tries > 0) await checkout.button.click();
    else await checkout.fillCard(CARD.visa);
    tries += 1;
    await expect
      .poll(async () => {
        await time.pass(10);
        return (await checkout.events('error')).length;
      }, what)
      .toBe(tries);
    await expect(checkout.notice).toHaveText(COULD_NOT_LOAD);
    await expect(checkout.button).toHaveText(['Try again']);
  }
  const checkout = checkoutPage(page);
  // Whether `blocked_fetch` or `network` depends on how soon the browser refuses, so on the machine; the rule itself is
  // tested in src/form/frame/session/network-diagnosis.test.ts.
  expect(await checkout.hears('error')).toMatchObject({ charged: 'unknown', recovery: 'retry' });
  expect(await service.record(intent.id)).toMatchObject({ retrieves: 10, confirms: 0 });
  await page.unroute(/\/retrieve$/);
  await checkout.button.click();
  await checkout.ready('Pay $58.04');
  await expectCardKept(checkout, '4242 4242 4242 4242');
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});
