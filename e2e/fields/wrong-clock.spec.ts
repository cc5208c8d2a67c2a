/** contract 3.8: the card is judged by the service's clock, not by the buyer's. */
import { expectPaid } from '../paying/journey.ts';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ knownBuyer: true });

for (const [clock, year] of [
  ['years ahead', 2060],
  ['decades behind', 1980],
] as const) {
  test(`a good card pays on a machine whose clock is ${clock}`, async ({ page, open, service }) => {
    await page.clock.setFixedTime(Date.UTC(year, 0, 15));
    const checkout = await open(await service.createIntent());
    await checkout.ready();
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
  });

  test(`also if the page fetches the client secret: ${clock}`, async ({ page, merchant, service }) => {
    await page.clock.setFixedTime(Date.UTC(year, 0, 15));
    const intent = await service.createIntent();
    await page.goto(merchant.serve({}));
    await page.evaluate(
      ({ publishableKey, secret }) => {
        window.mountCardForm('#card-form', {
          publishableKey,
          locale: 'en',
          fetchClientSecret: async () => secret,
        });
      },
      { publishableKey: service.keys.publishable, secret: intent.client_secret },
    );
    const checkout = checkoutPage(page);
    await checkout.ready();
    await checkout.fill();
    await checkout.pay();
    await expectPaid(checkout, service, intent);
  });
}
