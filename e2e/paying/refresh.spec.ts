/**
 * The interface merchants rely on: refresh(), fetchClientSecret, and errors with a recovery (promises 1.6, 1.7 and
 * 1.9).
 */
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

  test('threat-model C61: after the server added the missing details, the form reappears as it was, and pays', async ({
    open,
    service,
  }) => {
    const intent = await service.createIntent({ buyer: undefined });
    const checkout = await open(intent);
    // The notice appears before anything is typed, and the developer learns what is missing.
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
  /** A page that gets client secrets from the shop's server, one intent after another. */
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

  test('is called again after the intent was canceled, and the form shows the new total', async ({
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
});
