import { BUYER, CARD, checkoutPage, type FieldName, LABEL } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

const isFieldName = (name: string): name is FieldName => Object.hasOwn(LABEL, name);

test('a buyer pays by Visa, is charged once, and the page is notified', async ({ open, service }) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await expect(checkout.total).toHaveText('$58.04');
  await checkout.fill();
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await expect(checkout.payButton).toHaveText('Pay $58.04');

  await checkout.pay();

  await expect(checkout.outcome).toHaveText('Payment received');
  await expect(checkout.notice).toContainText('$58.04 paid');
  await expect(checkout.button).toHaveCount(0);
  expect(await service.record(intent.id)).toMatchObject({
    payment_intent: { status: 'succeeded', amount_total: 5804, confirmation_attempts: 1 },
    charges: 1,
    confirms: 1,
    releases: 0,
  });
  const result = { outcome: 'succeeded', paymentIntent: { id: intent.id, amount_total: 5804 } };
  expect(await checkout.hears('result')).toMatchObject(result);
  expect(await checkout.hears('result promise')).toMatchObject(result);
  await expect.poll(() => checkout.events('result')).toHaveLength(1);
  await expect.poll(() => checkout.events('processing')).toHaveLength(1);
  expect(await checkout.events('error')).toEqual([]);
});

test('threat-model C46: the confirm has everything the buyer typed, in the fields of the service', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  const sent = page.waitForRequest(/\/confirm$/);
  await checkout.fill({ line2: 'Flat 3' });
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
  await expect(checkout.outcome).toHaveText('Payment received');
});

test('threat-model C45: every field has its autocomplete token, nothing is stored, and card numbers can be pasted in any spacing', async ({
  context,
  open,
  page,
  service,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  const TOKENS = {
    number: 'billing cc-number',
    expiry: 'billing cc-exp',
    code: 'billing cc-csc',
    name: 'billing cc-name',
    email: 'billing email',
    country: 'billing country',
    line1: 'billing address-line1',
    line2: 'billing address-line2',
    city: 'billing address-level2',
    state: 'billing address-level1',
    zip: 'billing postal-code',
  } as const satisfies Record<FieldName, string>;
  const names = Object.entries(TOKENS);
  for (const [name, token] of names) {
    if (isFieldName(name)) await expect(checkout.field(name), name).toHaveAttribute('autocomplete', token);
  }
  await expect(checkout.frame.locator('form')).toHaveAttribute('autocomplete', 'off');

  for (const copied of ['4242 4242 4242 4242', ' 4242-4242-4242-4242\n', '4242\u00a042424242\u20094242']) {
    await page.evaluate((text) => navigator.clipboard.writeText(text), copied);
    await checkout.field('number').fill('');
    await checkout.field('number').press('ControlOrMeta+V');
    await expect(checkout.field('number'), JSON.stringify(copied)).toHaveValue('4242 4242 4242 4242');
  }
});

test('Details list the parts of the total, without fees that the merchant bears', async ({
  open,
  service,
}) => {
  const checkout = await open(await service.createIntent());
  const lines = checkout.frame.getByRole('listitem');
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
  await checkout.details.click();
  await expect(lines.first()).toBeHidden();
});

test.describe('if the buyer bears the fee', () => {
  test.use({ sandboxOptions: { feeBearer: 'buyer' } });

  test('Details list it, and the button shows the total with it', async ({ open, service }) => {
    const intent = await service.createIntent();
    expect(intent.amount_total).toBe(6031);
    const checkout = await open(intent);
    await expect(checkout.total).toHaveText('$60.31');
    await checkout.details.click();
    await expect(checkout.frame.getByRole('listitem').filter({ hasText: 'Processing fee' })).toContainText(
      '$2.27',
    );
    await checkout.fill();
    await expect(checkout.payButton).toHaveText('Pay $60.31');
    await checkout.pay();
    await expect(checkout.notice).toContainText('$60.31 paid');
    expect(await service.record(intent.id)).toMatchObject({
      payment_intent: { status: 'succeeded', amount_total: 6031 },
      charges: 1,
      confirms: 1,
    });
  });
});

test('American Express is grouped 4-6-5 and has a code of four digits', async ({ open, service }) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.fill({ number: '', code: '' });
  await checkout.field('number').pressSequentially(CARD.amex);
  await expect(checkout.field('number')).toHaveValue('3782 822463 10005');
  await checkout.field('code').pressSequentially('12345');
  await expect(checkout.field('code')).toHaveValue('1234');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  await expect
    .poll(() => checkout.events('change'))
    .toContainEqual({
      type: 'change',
      complete: true,
      invalid: [],
      missing: [],
      canPay: true,
      empty: false,
      brand: 'amex',
    });
});

test('in German, words and money are German', async ({ open, service }) => {
  const intent = await service.createIntent();
  const checkout = await open(intent, { options: { locale: 'de' } });
  const { frame } = checkout;
  const money = new Intl.NumberFormat('de', { style: 'currency', currency: 'USD' }).format(58.04);
  expect(money).toMatch(/^58,04\s\$$/);
  await expect(frame.getByRole('button', { name: `${money} bezahlen` })).toBeEnabled();
  await expect(checkout.total).toHaveText(money);
  await expect(frame.locator(':root')).toHaveAttribute('lang', /^de/);
  const labels = ['Kartennummer', 'Gültig bis', 'Prüfnummer', 'Name auf der Karte', 'E-Mail-Adresse'];
  const values = [CARD.visa, '12/34', '123', BUYER.name, BUYER.email];
  for (const [index, label] of labels.entries()) {
    await frame.getByLabel(label, { exact: true }).fill(values[index] ?? '');
  }
  await frame.getByLabel('Land oder Region').selectOption({ label: 'Deutschland' });
  await frame.getByLabel('Adresse', { exact: true }).fill('Unter den Linden 1');
  await frame.getByLabel('Postleitzahl').fill('10117');
  await frame.getByLabel('Ort', { exact: true }).fill('Berlin');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Zahlung eingegangen');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('a dark page gets a dark form with the background of the page', async ({ open, service }) => {
  const css = ':root { color-scheme: dark } body { background: rgb(18, 18, 20); color: white }';
  const checkout = await open(await service.createIntent(), { css });
  await checkout.ready();
  const colours = await checkout.frame.locator('body').evaluate((body) => {
    const { color, backgroundColor, colorScheme } = getComputedStyle(body);
    return { ink: Number(/\d+/.exec(color)?.[0]), backgroundColor, colorScheme };
  });
  expect(colours.ink).toBeGreaterThan(200);
  expect(colours.backgroundColor).toBe('rgba(0, 0, 0, 0)');
  expect(colours.colorScheme).toBe('dark');
});

test.describe('in the demo shop', () => {
  test('the thank-you page is shown only after the shop has read the payment from the service', async ({
    page,
    service,
    shop,
  }) => {
    await page.goto(`${shop}/?locale=en`);
    const checkout = checkoutPage(page);
    await checkout.fill();
    const thanks = page.url().replace('/checkout', '/thanks');
    const early = await page.context().newPage();
    await early.goto(thanks);
    await expect(early.getByRole('heading', { level: 1 })).toHaveText('Not paid yet');
    await early.close();

    await checkout.pay();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you!');
    expect(new URL(page.url()).pathname).toBe('/thanks');
    const [id = ''] = await service.intents();
    const { requests, charges, confirms } = await service.record(id);
    expect({ charges, confirms }).toEqual({ charges: 1, confirms: 1 });
    expect(requests.at(-1)).toMatchObject({ route: 'payment_intents.retrieve', status: 200 });
    expect(requests.findIndex(({ route }) => route === 'client.confirm')).toBeGreaterThan(0);
  });

  test('an order is fulfilled by a webhook, even by a late one', async ({ page, service, shop }) => {
    await page.goto(`${shop}/?locale=en&cart=digital`);
    await service.delayWebhook(3600);
    const checkout = checkoutPage(page);
    await checkout.fill();
    await checkout.pay();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you!');
    await expect(page.getByRole('main')).toContainText('your order is being prepared');
    await expect(page.getByRole('main')).not.toContainText('evt_');
    await service.pass(3600);
    await page.getByRole('link', { name: 'Check again' }).click();
    await expect(page.getByRole('main')).toContainText('We are packing your order.');
    await expect(page.getByRole('main')).toContainText(/Fulfilled by webhook evt_[A-Za-z0-9]{24}/);
  });

  test('a reload of the checkout leads to the same payment', async ({ page, service, shop }) => {
    await page.goto(`${shop}/checkout?locale=en&cart=digital`);
    const checkout = checkoutPage(page);
    await checkout.ready('Pay $51.84');
    await page.reload();
    await checkout.ready('Pay $51.84');
    expect(await service.intents()).toHaveLength(1);
  });
});

test.describe('the page', () => {
  test('is notified when the form is ready and how complete it is, not of what was typed', async ({
    open,
    service,
  }) => {
    const checkout = await open(await service.createIntent());
    const total = { type: 'ready', amountTotal: 5804, currency: 'usd' };
    expect(await checkout.hears('ready')).toEqual(total);
    expect(await checkout.hears('ready promise')).toEqual(total);
    await checkout.fill();
    await expect
      .poll(() => checkout.events('change'))
      .toContainEqual({
        type: 'change',
        complete: true,
        invalid: [],
        missing: [],
        canPay: true,
        empty: false,
        brand: 'visa',
      });
    await expect.poll(() => checkout.events('ready')).toHaveLength(1);
    const heard = JSON.stringify(await checkout.events());
    for (const typed of Object.values(BUYER).filter((value) => value.length > 2)) {
      expect(heard).not.toContain(typed);
    }
  });

  test('passes billing details that it knows, and the buyer can change them', async ({ open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent, {
      options: {
        defaultValues: {
          billingDetails: {
            email: 'grace@example.com',
            name: 'Grace Hopper',
            address: {
              line1: '1 Harbour Road',
              city: 'Arlington',
              state: 'VA',
              postal_code: '22202',
              country: 'US',
            },
          },
        },
      },
    });
    await checkout.frame.getByRole('button', { name: 'Change', exact: true }).click();
    await expect(checkout.field('email')).toHaveValue('grace@example.com');
    await expect(checkout.field('name')).toHaveValue('Grace Hopper');
    await expect(checkout.field('line1')).toHaveValue('1 Harbour Road');
    await expect(checkout.field('city')).toHaveValue('Arlington');
    await expect(checkout.field('state')).toHaveValue('VA');
    await expect(checkout.field('zip')).toHaveValue('22202');
    await expect(checkout.field('number')).toHaveValue('');
    await checkout.field('name').fill('Ada Lovelace');
    await checkout.field('number').fill(CARD.visa);
    await checkout.field('expiry').fill('12/34');
    await checkout.field('code').fill('123');
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({
      payment_intent: { billing_details: { name: 'Ada Lovelace', email: 'grace@example.com' } },
      charges: 1,
    });
  });

  test('gives the form as much height as it needs, and never a scroll bar', async ({ open, service }) => {
    const checkout = await open(await service.createIntent());
    await checkout.ready();
    const height = async () => Math.round((await checkout.iframe.boundingBox())?.height ?? 0);
    const overflow = () =>
      checkout.frame
        .locator(':root')
        .evaluate((root) => [root.scrollHeight - root.clientHeight, root.scrollWidth - root.clientWidth]);
    await expect.poll(overflow).toEqual([0, 0]);
    const closed = await height();
    await checkout.details.click();
    await expect.poll(height).toBeGreaterThan(closed + 100);
    await expect.poll(overflow).toEqual([0, 0]);
    await checkout.details.click();
    await expect.poll(height).toBe(closed);
    await checkout.pay(); // nothing is filled in, so messages appear
    await expect.poll(height).toBeGreaterThan(closed + 50);
    await expect.poll(overflow).toEqual([0, 0]);
    await checkout.fill();
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect.poll(height).toBeLessThan(closed);
    await expect.poll(overflow).toEqual([0, 0]);
  });

  test('unmount() removes every trace of the form, and it can be mounted again', async ({
    page,
    serve,
    service,
  }) => {
    const intent = await service.createIntent();
    await page.goto(serve(intent));
    const checkout = checkoutPage(page);
    await checkout.ready();
    await page.reload();
    const options = {
      publishableKey: service.keys.publishable,
      clientSecret: (await service.createIntent()).client_secret,
      locale: 'en',
    };
    await checkout.ready();
    const left = await page.evaluate(async (given) => {
      const container = document.createElement('div');
      container.id = 'second';
      document.body.append(container);
      const form = window.mountCardForm('#second', given);
      form.unmount();
      form.unmount();
      return { html: container.innerHTML, frames: document.querySelectorAll('iframe').length };
    }, options);
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

    await page.evaluate((given) => window.mountCardForm('#second', given), options);
    const second = checkoutPage(page, '#second');
    await second.fill();
    await second.pay();
    await expect(second.outcome).toHaveText('Payment received');
    await expect(checkout.payButton).toBeEnabled();
  });

  test('can be mounted, unmounted and mounted at once, as StrictMode does', async ({
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent, { options: { clientSecret: 'lg_cs_of_somebody_else' } });
    await page.evaluate(
      (options) => {
        const container = document.createElement('div');
        container.id = 'strict';
        document.body.append(container);
        window.mountCardForm('#strict', options).unmount();
        window.mountCardForm('#strict', options);
      },
      { publishableKey: service.keys.publishable, clientSecret: intent.client_secret, locale: 'en' },
    );
    await expect(checkout.outcome).toHaveText('The store cannot take this payment right now.');
    const strict = checkoutPage(page, '#strict');
    await expect(strict.iframe).toHaveCount(1);
    await strict.fill();
    await strict.pay();
    await expect(strict.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('can have two forms of two payments, which do not affect each other', async ({
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
    // threat-model C11: the forms share neither result nor state nor height.
    await expect.poll(async () => (await heights())[1]).toBeLessThan(alsoTall - 100);
    expect((await heights())[0]).toBe(tall);
    await expect(one.payButton).toHaveText('Pay $58.04');
    await expect(one.field('number')).toHaveValue('5555 5555 5555 4444');
    expect(await service.record(first.id)).toMatchObject({ charges: 0, confirms: 0 });
    expect(await service.record(second.id)).toMatchObject({ charges: 1, confirms: 1 });
    const results = (await page.evaluate(() => window.events)).filter(({ name }) => name === 'result');
    expect(results).toMatchObject([{ form: 1, detail: { paymentIntent: { id: second.id } } }]);
  });
});

test.describe('an integration mistake throws at once', () => {
  const KEY = `pk_live_${'a'.repeat(32)}`;
  const SECRET_KEY = `sk_live_${'b'.repeat(32)}`;
  const good = { publishableKey: KEY, clientSecret: 'lg_cs_example' };
  const mistakes: readonly [string, { target: string; options: object; code: string; message: RegExp }][] = [
    [
      'a secret key',
      {
        target: '#card-form',
        options: { ...good, publishableKey: SECRET_KEY },
        code: 'secret_key_exposed',
        message: /secret_key_exposed/,
      },
    ],
    [
      'a key of another kind',
      {
        target: '#card-form',
        options: { ...good, publishableKey: 'pk_live_short' },
        code: 'invalid_option',
        message: /publishableKey.*pk_live_/,
      },
    ],
    [
      'something else for a client secret',
      {
        target: '#card-form',
        options: { ...good, clientSecret: 'pi_1843' },
        code: 'invalid_option',
        message: /clientSecret: pi_1843/,
      },
    ],
    [
      'no client secret',
      {
        target: '#card-form',
        options: { publishableKey: KEY },
        code: 'invalid_option',
        message: /clientSecret/,
      },
    ],
    [
      'a target that is not in the page',
      { target: '#card-from', options: good, code: 'target_not_found', message: /#card-from/ },
    ],
  ];
  for (const [name, { target, options, code, message }] of mistakes) {
    test(name, async ({ merchant, page }) => {
      await page.goto(merchant.serve({}));
      const thrown = await page.evaluate(
        ([to, given]) => {
          try {
            window.mountCardForm(to, given);
            return null;
          } catch (error) {
            return error instanceof Error && 'code' in error
              ? { name: error.name, code: error.code, message: error.message }
              : null;
          }
        },
        [target, options] as const,
      );
      expect(thrown).toMatchObject({ name: 'CardFormError', code });
      expect(thrown?.message).toMatch(message);
      expect(thrown?.message).not.toContain(SECRET_KEY);
      await expect(page.locator('iframe')).toHaveCount(0);
    });
  }

  test('no target at all', async ({ merchant, page }) => {
    await page.goto(merchant.serve({}));
    const code = await page.evaluate((options) => {
      try {
        // The result of looking up an element that does not exist.
        Reflect.apply(window.mountCardForm, null, [document.getElementById('typo'), options]);
        return null;
      } catch (error) {
        return error instanceof Error && 'code' in error ? error.code : null;
      }
    }, good);
    expect(code).toBe('target_not_found');
  });

  test('a target that is not a valid selector', async ({ merchant, page }) => {
    await page.goto(merchant.serve({}));
    const name = await page.evaluate((options) => {
      try {
        window.mountCardForm('#1', options);
        return null;
      } catch (error) {
        return error instanceof Error ? error.name : null;
      }
    }, good);
    expect(name).toBe('SyntaxError');
  });

  test('a second form in one container', async ({ open, page, service }) => {
    const checkout = await open(await service.createIntent());
    await checkout.ready();
    const code = await page.evaluate((options) => {
      try {
        window.mountCardForm('#card-form', options);
        return null;
      } catch (error) {
        return error instanceof Error && 'code' in error ? error.code : null;
      }
    }, good);
    expect(code).toBe('already_mounted');
    await expect(checkout.iframe).toHaveCount(1);
  });
});
