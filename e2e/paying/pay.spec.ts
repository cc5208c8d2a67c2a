import { BUYER, CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { expectPaid } from './journey.ts';

test('threat-model C46: a buyer types everything, opens the details of the total, and pays by Visa: the card is charged once, and the page receives the result, but nothing typed', async ({
  checkout,
  intent,
  page,
  service,
}) => {
  const total = { type: 'ready', amountTotal: 5804, currency: 'usd' };
  expect(await checkout.hears('ready')).toEqual(total);
  expect(await checkout.hears('ready promise')).toEqual(total);
  await expect(checkout.total).toHaveText('$58.04');

  const height = async () => Math.round((await checkout.iframe.boundingBox())?.height ?? 0);
  const expectNoScrollBar = () =>
    expect
      .poll(() =>
        checkout.frame
          .locator(':root')
          .evaluate((root) => [root.scrollHeight - root.clientHeight, root.scrollWidth - root.clientWidth]),
      )
      .toEqual([0, 0]);
  await expectNoScrollBar();
  const closed = await height();
  const lines = checkout.frame.getByRole('listitem');
  await test.step('the details list the parts of the total, without fees that the merchant bears', async () => {
    await expect(lines.first()).toBeHidden();
    await checkout.details.click();
    await expect(lines).toHaveText([
      /Kenya Nyeri AA, 250 g.*2 × \$14\.50.*\$29\.00/,
      /Ethiopia Guji, 250 g.*\$16\.00/,
      /Paper filters, 100.*\$4\.20/,
      /Shipping.*\$4\.90/,
      /Tax.*\$3\.94/,
      /Total.*\$58\.04/,
    ]);
    await expect.poll(height).toBeGreaterThan(closed + 100);
    await expectNoScrollBar();
    await checkout.details.click();
    await expect(lines.first()).toBeHidden();
    await expect.poll(height).toBe(closed);
  });

  await checkout.pay(); // nothing is filled in, so messages appear
  await expect.poll(height).toBeGreaterThan(closed + 50);
  await expectNoScrollBar();
  await checkout.fill({ line2: 'Flat 3' });
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await expect(checkout.payButton).toHaveText('Pay $58.04');
  const complete = { type: 'change', complete: true, invalid: [], missing: [], canPay: true, empty: false };
  await expect.poll(() => checkout.events('change')).toContainEqual({ ...complete, brand: 'visa' });

  const sent = page.waitForRequest(/\/confirm$/);
  await checkout.pay();
  expect((await sent).postDataJSON()).toEqual({
    client_secret: intent.client_secret,
    amount_total: 5804,
    currency: 'usd',
    card: { number: CARD.visa, exp_month: 12, exp_year: 2034, cvc: '123' },
    billing_details: {
      email: BUYER.email,
      name: BUYER.name,
      address: {
        line1: BUYER.line1,
        line2: 'Flat 3',
        city: BUYER.city,
        state: 'OR',
        postal_code: BUYER.zip,
        country: 'US',
      },
    },
  });
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 1, releases: 0 });
  await expect(checkout.notice).toContainText('$58.04 paid');
  await expect(checkout.button).toHaveCount(0);
  await expect.poll(height).toBeLessThan(closed);
  await expectNoScrollBar();
  expect(await service.record(intent.id)).toMatchObject({
    payment_intent: { status: 'succeeded', amount_total: 5804, confirmation_attempts: 1 },
  });
  const result = { outcome: 'succeeded', paymentIntent: { id: intent.id, amount_total: 5804 } };
  expect(await checkout.hears('result')).toMatchObject(result);
  expect(await checkout.hears('result promise')).toMatchObject(result);
  for (const name of ['ready', 'processing', 'result'])
    await expect.poll(() => checkout.events(name)).toHaveLength(1);
  expect(await checkout.events('decline')).toEqual([]);
  const heard = JSON.stringify(
    (await checkout.events()).filter((one) => !JSON.stringify(one).includes('"result')),
  );
  expect(heard).not.toContain(BUYER.number);
});

test('in the demo shop a reload shows the same payment, the thank-you page believes only the service, and a late webhook fulfils the order', async ({
  page,
  service,
  shop,
}) => {
  await page.goto(`${shop}/checkout?locale=en&cart=digital`);
  const checkout = checkoutPage(page);
  await checkout.ready('Pay $51.84');
  const [id = '', ...before] = await service.intents();
  await page.reload();
  await checkout.ready('Pay $51.84');
  expect(await service.intents()).toEqual([id, ...before]);
  const early = await page.context().newPage();
  await early.goto(page.url().replace('/checkout', '/thanks'));
  await expect(early.getByRole('heading', { level: 1 })).toHaveText('Not paid yet');
  await early.close();

  await service.delayWebhook(3600);
  await checkout.fill();
  await checkout.pay();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you!');
  expect(new URL(page.url()).pathname).toBe('/thanks');
  const { requests, charges, confirms } = await service.record(id);
  expect({ charges, confirms }).toEqual({ charges: 1, confirms: 1 });
  expect(requests.at(-1)).toMatchObject({ route: 'payment_intents.retrieve', status: 200 });

  await expect(page.getByRole('main')).toContainText('your order is being prepared');
  await expect(page.getByRole('main')).not.toContainText('evt_');
  await service.pass(3600);
  await page.getByRole('link', { name: 'Check again' }).click();
  await expect(page.getByRole('main')).toContainText('We are packing your order.');
  await expect(page.getByRole('main')).toContainText(/Fulfilled by webhook evt_[A-Za-z0-9]{24}/);
});

test('unmount() removes every trace of the form, which can be mounted, unmounted and mounted at once, as in StrictMode', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  // The page's first form has an unknown payment, so that the two forms do not know each other.
  const checkout = await open(intent, { options: { clientSecret: 'lg_cs_of_somebody_else' } });
  await expect(checkout.outcome).toHaveText('The store cannot take this payment right now.');
  await expect(checkout.notice).toContainText('Nothing was charged from this page.');
  const left = await page.evaluate(
    (options) => {
      const container = document.createElement('div');
      container.id = 'strict';
      document.body.append(container);
      const form = window.mountCardForm('#strict', options);
      form.unmount();
      form.unmount();
      const html = container.innerHTML;
      const frames = document.querySelectorAll('iframe').length;
      window.mountCardForm('#strict', options);
      return { html, frames };
    },
    { publishableKey: service.keys.publishable, clientSecret: intent.client_secret, locale: 'en' },
  );
  expect(left).toEqual({ html: '', frames: 1 });
  const heard = async () =>
    (await page.evaluate(() => window.events)).filter(({ form, name }) => form === 1 && name !== 'change');
  await expect.poll(heard).toEqual([
    {
      form: 1,
      name: 'result promise',
      detail: { outcome: 'unknown', reason: 'unmounted', paymentIntent: null },
    },
  ]);
  const strict = checkoutPage(page, '#strict');
  await expect(strict.iframe).toHaveCount(1);
  await strict.fill();
  await strict.pay();
  await expectPaid(strict, service, intent);
});

test('a page can have two forms for two payments, which do not affect each other', async ({
  merchant,
  page,
  service,
}) => {
  const [first, second] = [await service.createIntent(), await service.createIntent({ amount: 9900 })];
  await page.goto(merchant.serve({ body: '<main><div id="one"></div><div id="two"></div></main>' }));
  for (const [target, { client_secret }] of Object.entries({ '#one': first, '#two': second })) {
    await page.evaluate(([id, options]) => window.mountCardForm(id, options), [
      target,
      { publishableKey: service.keys.publishable, clientSecret: client_secret, locale: 'en' },
    ] as const);
  }
  const [one, two] = [checkoutPage(page, '#one'), checkoutPage(page, '#two')];
  await expect(one.total).toHaveText('$58.04');
  await expect(two.total).toHaveText('$99.00');
  await one.fill({ number: CARD.mastercard });
  await two.fill();
  const heights = async () => [
    (await one.iframe.boundingBox())?.height,
    (await two.iframe.boundingBox())?.height,
  ];
  const [tall, alsoTall = 0] = await heights();
  await two.pay();
  await expect(two.outcome).toHaveText('Payment received');
  // threat-model C11: the forms share neither result, state nor height.
  await expect.poll(async () => (await heights())[1]).toBeLessThan(alsoTall - 100);
  expect((await heights())[0]).toBe(tall);
  await expect(one.payButton).toHaveText('Pay $58.04');
  await expect(one.field('number')).toHaveValue('5555 5555 5555 4444');
  expect(await service.record(first.id)).toMatchObject({ charges: 0, confirms: 0 });
  expect(await service.record(second.id)).toMatchObject({ charges: 1, confirms: 1 });
  const results = (await page.evaluate(() => window.events)).filter(({ name }) => name === 'result');
  expect(results).toMatchObject([{ form: 1, detail: { paymentIntent: { id: second.id } } }]);
});
