/** contract 3.8: the service's clock judges the card, not the buyer's. */
import { expectPaid } from '../paying/journey.ts';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { test } from '../support/fixtures.ts';

test.use({ knownBuyer: true });

test('a valid card pays on a machine whose clock is years ahead', async ({ page, open, service }) => {
  await page.clock.setFixedTime(Date.UTC(2060, 0, 15));
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expectPaid(checkout, service, intent);
});

test('a valid card pays on a machine whose clock is decades behind, also if the page fetches the client secret', async ({
  page,
  merchant,
  service,
}) => {
  await page.clock.setFixedTime(Date.UTC(1980, 0, 15));
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
