/** threat-model 1.4: when a press counts. Each test checks what the service received; the rules are in guard.ts. */
import { BUYER, CARD, type CheckoutPage, KNOWN_BUYER, LABEL } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { cover } from './veil.ts';

test.use({ knownBuyer: true });

const PRESS_AGAIN = 'Please check the total, then press the button again. $58.04';

/** Error codes that the page received for presses that did not count. */
const codes = async (checkout: CheckoutPage) =>
  (await checkout.events('error')).map((error) =>
    error instanceof Object && 'code' in error ? error.code : error,
  );

/** Presses until the payment is paid. */
const pressesUntilPaid = (checkout: CheckoutPage, press: () => Promise<unknown>) =>
  expect(async () => {
    await press();
    await expect(checkout.outcome).toHaveText('Payment received', { timeout: 1000 });
  }).toPass();

test('threat-model C41: a press that does not count is explained to buyer, page and developer; the button stays, and the next press counts; a double click is one press', async ({
  open,
  page,
  service,
}) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const intent = await service.createIntent();
  const checkout = await open(intent);
  const hint = checkout.frame.locator('.hint');
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await cover(checkout, checkout.payButton);
  const before = [await checkout.payButton.boundingBox(), await checkout.iframe.boundingBox()];
  await checkout.payButton.dblclick();
  await expect(hint).toHaveText(PRESS_AGAIN);
  await expect(hint).toBeInViewport();
  await expect(checkout.notice).toHaveText(PRESS_AGAIN);
  expect([await checkout.payButton.boundingBox(), await checkout.iframe.boundingBox()]).toEqual(before);
  expect(await checkout.hears('error')).toMatchObject({ code: 'obscured', charged: 'no', recovery: 'retry' });
  await expect.poll(() => said.filter((line) => line.startsWith('CardForm: obscured: '))).toHaveLength(1);
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });

  await pressesUntilPaid(checkout, checkout.pay);
  await expect(hint).toHaveCount(0);
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('promises 1.1: a click and Enter pay on a page whose sandbox forbids forms', async ({
  merchant,
  page,
  serve,
  service,
}) => {
  for (const how of ['click', 'Enter'] as const) {
    const intent = await service.createIntent();
    const sandbox = 'allow-scripts allow-same-origin';
    const shop = `<iframe title="shop" sandbox="${sandbox}" src="${serve(intent)}" width="800" height="900"></iframe>`;
    await page.goto(merchant.serve({ body: shop }));
    const form = page.frameLocator('iframe[title="shop"]').frameLocator('#card-form iframe');
    await form.getByLabel(LABEL.number).fill(CARD.visa);
    await form.getByLabel(LABEL.expiry).fill(BUYER.expiry);
    const code = form.getByLabel(LABEL.code, { exact: true });
    await code.fill(BUYER.code);
    const button = form.getByRole('button', { name: /^Pay / });
    await button.click({ trial: true });
    if (how === 'click') await button.click();
    else {
      await code.press('Shift+Tab'); // shows that the buyer is present
      await form.getByLabel(LABEL.expiry).press('Enter');
    }
    await expect(form.getByRole('heading'), how).toHaveText('Payment received');
    expect(await service.record(intent.id), how).toMatchObject({ charges: 1, confirms: 1 });
  }
});

test('threat-model C40: synthetic clicks and messages never start a confirm', async ({
  checkout,
  intent,
  service,
  page,
}) => {
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await checkout.payButton.click({ trial: true }); // a person's press would count
  await page.evaluate(() => {
    const frame = document.querySelector('iframe');
    window.forms[0]?.submit();
    for (const type of ['click', 'submit', 'pointerdown', 'keydown']) {
      frame?.dispatchEvent(new Event(type, { bubbles: true }));
    }
    for (const data of [{ channel: 'card-form', type: 'submit' }, { type: 'submit' }, { type: 'pay' }]) {
      frame?.contentWindow?.postMessage(data, '*');
    }
  });
  // Even a script in the frame, which cannot exist, could not create trusted events.
  await checkout.payButton.evaluate((button: HTMLButtonElement) => {
    button.click();
    for (const target of [button, button.parentElement]) {
      target?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
    }
    button.form?.requestSubmit();
    button.form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  });
  // Before a press counts, the frame asks the page's script, which answers in order: after this call every press is
  // decided.
  await page.evaluate(() => window.forms[0]?.diagnostics());
  await expect(checkout.payButton).toHaveText('Pay $58.04');
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  expect(await checkout.events('processing')).toEqual([]);
});

test('threat-model 1.4: Enter at the end of text meant for the page moves to the button and does not pay', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const body = '<main><h1>Checkout</h1><input aria-label="Chat" id="chat"><div id="card-form"></div></main>';
  const { name: _, ...details } = KNOWN_BUYER.billingDetails;
  const checkout = await open(intent, { body, options: { defaultValues: { billingDetails: details } } });
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await checkout.field('name').fill(BUYER.name);
  await page.evaluate(() =>
    document.querySelector('#chat')?.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement && target.value === 'he') window.forms[0]?.focus('name');
    }),
  );
  await page.getByLabel('Chat').click();
  await page.keyboard.type('he');
  await expect(checkout.field('name')).toBeFocused();
  await page.keyboard.type('llo');
  await page.keyboard.press('Enter');
  await expect(checkout.payButton).toBeFocused();
  await expect(checkout.field('name')).toHaveValue(`${BUYER.name}llo`);
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({
    payment_intent: { billing_details: { name: `${BUYER.name}llo` } },
    charges: 1,
    confirms: 1,
  });
});

test.describe("payButton: 'host'", () => {
  const submit = (checkout: CheckoutPage) => checkout.page.evaluate(() => window.forms[0]?.submit());

  test('the form shows the total, the page submits, and receives the reason if a submit does not count, as with a covered total', async ({
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent, { options: { payButton: 'host' } });
    await expect(checkout.total).toHaveText('$58.04');
    await expect(checkout.payButton).toHaveCount(0);
    await submit(checkout);
    expect(await checkout.hears('error')).toMatchObject({
      charged: 'no',
      recovery: 'fix_input',
      code: 'incomplete',
    });
    await expect(checkout.field('number')).toHaveAttribute('aria-invalid', 'true');
    await checkout.fillCard(CARD.visa);
    await cover(checkout, checkout.total);
    await submit(checkout);
    await expect.poll(() => codes(checkout)).toContain('obscured');
    await expect(checkout.notice).toContainText(PRESS_AGAIN);
    expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
    await pressesUntilPaid(checkout, () => submit(checkout));
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    await submit(checkout);
    await expect.poll(() => codes(checkout)).toContain('not_ready');
  });

  test('after a changed amount the page must submit again', { tag: '@thorough' }, async ({
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent, { options: { payButton: 'host' } });
    await checkout.fillCard(CARD.visa);
    await expect(checkout.total).toHaveText('$58.04');
    // A page that submits again immediately, before the buyer can have read the new total.
    await checkout.page.evaluate(() => {
      const [form] = window.forms;
      form?.on('amountchange', () => form.submit());
    });
    await service.changeAmount(intent.id, 6804);
    await expect(async () => {
      await submit(checkout);
      await expect(checkout.notice).toContainText('The total changed from $58.04 to $68.04', {
        timeout: 1000,
      });
    }).toPass();
    await expect.poll(() => codes(checkout)).toContain('too_soon');
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await pressesUntilPaid(checkout, () => submit(checkout));
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });
});
