/** What merchants rely on: refresh(), fetchClientSecret, and errors with a recovery (promises 1.6, 1.7 and 1.9). */
import { CARD, type CheckoutPage, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { Intent, Service } from '../support/service.ts';

declare global {
  interface Window {
    newSecret(): Promise<string>;
  }
}

test.describe('refresh()', () => {
  test.use({ knownBuyer: true });

  const refresh = (checkout: CheckoutPage) => checkout.page.evaluate(() => window.forms[0]?.refresh());

  test('threat-model C61: after the server added the missing details, the form is shown again as it was, and pays', async ({
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
    await checkout.ready();
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.button).toHaveCount(0);
    await expect(checkout.outcome).toHaveText('The store cannot take this payment right now.');
    expect(await checkout.hears('error')).toMatchObject({
      code: 'payment_details_missing',
      charged: 'no',
      recovery: 'fix_integration',
    });
    expect(await checkout.events('result')).toEqual([]);
    await service.update(intent.id, { buyer: { name: 'Ada Lovelace' } });
    await refresh(checkout);
    await checkout.ready();
    await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
  });
});

test.describe('fetchClientSecret', () => {
  /** A page that gets client secrets from the shop's server, one intent after the other. */
  const openFetching = async (
    {
      page,
      merchant,
      service,
    }: { page: CheckoutPage['page']; merchant: { serve(page: object): string }; service: Service },
    give: (intents: Intent[]) => Promise<string>,
  ) => {
    const intents: Intent[] = [];
    await page.exposeFunction('newSecret', () => give(intents));
    await page.goto(merchant.serve({}));
    await page.evaluate((publishableKey) => {
      window.mountCardForm('#card-form', {
        publishableKey,
        locale: 'en',
        fetchClientSecret: () => window.newSecret(),
      });
    }, service.keys.publishable);
    return { checkout: checkoutPage(page), intents };
  };

  const another =
    (service: Service, changes: Record<string, unknown> = {}) =>
    async (intents: Intent[]): Promise<string> => {
      const intent = await service.createIntent(intents.length ? changes : {});
      intents.push(intent);
      return intent.client_secret;
    };

  test.describe('when attempts are used up', { tag: '@thorough' }, () => {
    test.use({ sandboxOptions: { attempts: 1 } });

    test('fetches another intent; billing details are kept, the card is typed again', async ({
      page,
      merchant,
      service,
    }) => {
      const { checkout, intents } = await openFetching({ page, merchant, service }, another(service));
      await checkout.ready();
      await checkout.fill({ number: CARD.declined });
      await checkout.pay();
      await checkout.hears('decline');
      // The one attempt is gone: the form reads twice before it believes it, and no other card is typed in vain.
      await expect(checkout.notice).toContainText('nothing was charged');
      expect(await checkout.hears('error')).toMatchObject({
        code: 'payment_intent_not_pending',
        charged: 'no',
        recovery: 'new_payment',
      });
      expect(await checkout.events('result')).toEqual([]);
      await expect(checkout.field('number')).toHaveValue('');
      await expect(checkout.field('code')).toHaveValue('');
      // Folded to a line each.
      await expect(checkout.frame.locator('.folded')).toContainText(['ada@example.com', '97205']);
      await checkout.fillCard(CARD.visa);
      await checkout.pay();
      expect(await checkout.hears('result')).toMatchObject({
        outcome: 'succeeded',
        paymentIntent: { id: intents[1]?.id },
      });
      const [first, second] = await Promise.all(intents.map(({ id }) => service.record(id)));
      expect(first).toMatchObject({ charges: 0, payment_intent: { status: 'pending' } });
      expect(second).toMatchObject({ charges: 1 });
      expect(intents).toHaveLength(2);
    });
  });

  test('when the intent was canceled fetches another, and shows its total', async ({
    page,
    merchant,
    service,
  }) => {
    const { checkout, intents } = await openFetching(
      { page, merchant, service },
      another(service, { amount: 6804 }),
    );
    await checkout.ready();
    await checkout.fill();
    await service.cancel(intents[0]?.id ?? '');
    await checkout.pay();
    await expect(checkout.notice).toContainText('The total changed from $58.04 to $68.04');
    expect(await checkout.hears('error')).toMatchObject({
      code: expect.stringMatching(/canceled/),
      recovery: 'new_payment',
    });
    await expect(checkout.frame.locator('.folded').first()).toContainText('Ada Lovelace');
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    expect(await checkout.hears('result')).toMatchObject({
      outcome: 'succeeded',
      paymentIntent: { amount_total: 6804 },
    });
    const [first, second] = await Promise.all(intents.map(({ id }) => service.record(id)));
    expect([first?.charges, second?.charges]).toEqual([0, 1]);
  });

  test('whose first intent is canceled already: says `ready` and the error, and fetches another', {
    tag: '@thorough',
  }, async ({ page, merchant, service }) => {
    const { checkout, intents } = await openFetching({ page, merchant, service }, async (made) => {
      const secret = await another(service)(made);
      if (made.length === 1) await service.cancel(made[0]?.id ?? '');
      return secret;
    });
    await checkout.fill(); // perhaps before the first read
    await checkout.ready();
    await expect(checkout.notice).toBeHidden(); // nothing has been tried
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(intents).toHaveLength(2);
    await expect.poll(() => checkout.events('ready')).toMatchObject([{ amountTotal: 5804, currency: 'usd' }]);
    await expect
      .poll(() => checkout.events('error'))
      .toMatchObject([{ code: 'payment_intent_canceled', charged: 'no', recovery: 'new_payment' }]);
  });

  test('that fails: says so, and "Try again" asks once more', { tag: '@thorough' }, async ({
    page,
    merchant,
    service,
    watch,
  }) => {
    watch.expect(/The shop is closed/);
    let closed = true;
    const { checkout, intents } = await openFetching({ page, merchant, service }, async (made) => {
      if (closed) throw new Error('The shop is closed.');
      return another(service)(made);
    });
    expect(await checkout.hears('error')).toMatchObject({ code: 'no_secret', recovery: 'retry' });
    closed = false;
    await checkout.frame.getByRole('button', { name: 'Try again' }).click(); // at once, as a buyer in a hurry
    await checkout.ready();
    await checkout.fill();
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(intents).toHaveLength(1);
  });
});
