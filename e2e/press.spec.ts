/** Research 1.4: when a press counts. Each test looks at what the service received. */
import { CARD, type CheckoutPage } from './checkout-page.ts';
import { expect, test } from './fixtures.ts';

test.use({ knownBuyer: true });

const PRESS_AGAIN = 'Please check the total, then press Pay again.';

/** Lays something over the form that lets every pointer through, as a page that means ill would. */
const overlay = (checkout: CheckoutPage) =>
  checkout.page.evaluate(() => {
    const veil = document.createElement('div');
    veil.style.cssText = 'position:fixed;inset:0;background:#fff;opacity:.99;pointer-events:none;z-index:9';
    document.body.append(veil);
  });

/** Until the browser has told the frame what it sees; Chromium looks every 100 ms. */
const looked = (checkout: CheckoutPage) =>
  checkout.frame.locator(':root').evaluate(async () => {
    for (let frames = 0; frames < 40; frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });

test('a button that something lies over asks for a second press, which counts: never a dead button', async ({
  open,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await overlay(checkout);
  await looked(checkout);
  await checkout.armed();
  await checkout.payButton.click();
  await expect(checkout.notice).toContainText(PRESS_AGAIN);
  expect(await checkout.hears('error')).toMatchObject({ code: 'obscured', charged: 'no', recovery: 'retry' });
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('the second half of a double click is no second press', async ({ open, service }) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await overlay(checkout);
  await looked(checkout);
  await checkout.armed();
  await checkout.payButton.dblclick();
  await expect(checkout.notice).toContainText(PRESS_AGAIN);
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
});

test('who types needs no sight of the button: Enter in a field pays', async ({ open, service }) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await overlay(checkout);
  await looked(checkout);
  await checkout.armed();
  await checkout.field('code').press('Enter');
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
});

test('a form with less than 200 by 120 pixels is not paid in, and says so', async ({ open, service }) => {
  const intent = await service.createIntent();
  const checkout = await open(intent, { css: '#card-form { width: 190px }' });
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.notice).toContainText('too little room');
  expect(await checkout.hears('error')).toMatchObject({ code: 'too_small', recovery: 'fix_integration' });
  await checkout.pay();
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
});

test('for 500 ms after the form comes into sight a press does not count', async ({ open, service, page }) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await checkout.armed();
  // Shown and pressed in the same moment, as by a page that opens the form under the buyer's pointer.
  const box = await checkout.payButton.boundingBox();
  if (!box) throw new Error('the button has no place');
  await checkout.container.evaluate(async (element: HTMLElement) => {
    element.style.display = 'none';
    for (let frames = 0; frames < 40; frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await checkout.container.evaluate((element: HTMLElement) => {
    element.style.display = '';
  });
  await page.mouse.down();
  await page.mouse.up();
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
});

test('clicks and messages that a script makes up never start a confirm', async ({ open, service, page }) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.ready();
  await checkout.fillCard(CARD.visa);
  await checkout.armed();
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
  // A script in the frame, which there is not: what it made up would not be trusted either.
  await checkout.payButton.evaluate((button: HTMLButtonElement) => {
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    button.form?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  });
  await looked(checkout);
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  expect(await checkout.events('processing')).toEqual([]);
  await expect(checkout.payButton).toHaveText('Pay $58.04');
});

test.describe("payButton: 'host'", () => {
  const submit = (checkout: CheckoutPage) => checkout.page.evaluate(() => window.forms[0]?.submit());
  const codes = async (checkout: CheckoutPage) =>
    (await checkout.events('error')).map((error) =>
      error instanceof Object && 'code' in error ? error.code : error,
    );

  test('the total stands in the form, the page presses, and is told what keeps a press from counting', async ({
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
    await looked(checkout);
    await expect(async () => {
      await submit(checkout);
      await expect(checkout.outcome).toHaveText('Payment received', { timeout: 1000 });
    }).toPass();
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    await submit(checkout);
    await expect.poll(() => codes(checkout)).toContain('not_ready');
  });

  test('the same rules for the amount: after a change the page must submit again', async ({
    open,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent, { options: { payButton: 'host' } });
    await checkout.fillCard(CARD.visa);
    await expect(checkout.total).toHaveText('$58.04');
    await service.changeAmount(intent.id, 6804);
    await expect(async () => {
      await submit(checkout);
      await expect(checkout.notice).toContainText('The total changed from $58.04 to $68.04', {
        timeout: 1000,
      });
    }).toPass();
    await submit(checkout);
    await expect.poll(() => codes(checkout)).toContain('too_soon');
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 1 });
    await expect(async () => {
      await submit(checkout);
      await expect(checkout.outcome).toHaveText('Payment received', { timeout: 1000 });
    }).toPass();
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });
  });

  test('a total that something lies over does not count for a submit, once', async ({ open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent, { options: { payButton: 'host' } });
    await expect(checkout.total).toHaveText('$58.04');
    await checkout.fillCard(CARD.visa);
    await overlay(checkout);
    await looked(checkout);
    await expect(async () => {
      await submit(checkout);
      expect(await codes(checkout)).toContain('obscured');
    }).toPass();
    expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
    await expect(checkout.notice).toContainText(PRESS_AGAIN);
  });
});
