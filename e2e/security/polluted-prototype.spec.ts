/**
 * threat-model 2.8: a flaw in the page, such as a careless merge of a query, lets a stranger write to
 * `Object.prototype`. Such values choose neither the payment nor the next page.
 */
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

const HEAD = '<!doctype html><title>Shop</title><link rel="icon" href="data:,">';
const pollute = (values: object) =>
  `<script>Object.assign(Object.prototype, ${JSON.stringify(values)})</script>`;

test('the form pays the payment that the page fetches, not the one in a polluted prototype', async ({
  page,
  service,
  site,
}) => {
  const [mine, theirs] = [await service.createIntent(), await service.createIntent()];
  site.put('/secret', mine.client_secret);
  const options = { publishableKey: service.keys.publishable, locale: 'en', defaultValues: KNOWN_BUYER };
  await page.goto(
    site.put(
      '/',
      `${HEAD}<div id="card-form"></div>
${pollute({ clientSecret: theirs.client_secret, publishableKey: `pk_live_${'9'.repeat(32)}`, payButton: 'host', locale: 'de', readOnly: true, anew: true })}
<script src="${service.url}/partner/v1/card-form.js"></script>
<script>
  const fetchClientSecret = async () => (await fetch('/secret')).text();
  CardForm.mount('#card-form', { ...${JSON.stringify(options)}, fetchClientSecret });
</script>`,
    ),
  );
  const checkout = checkoutPage(page);
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(mine.id)).toMatchObject({ charges: 1 });
  expect(await service.record(theirs.id)).toMatchObject({ retrieves: 0, charges: 0 });
});
