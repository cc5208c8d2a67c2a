import { type DesktopChromium, startDesktopChromium } from '../browsers/desktop-chromium.ts';
import { CARD, checkoutPage, KNOWN_BUYER, LABEL } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';

base.use({ knownBuyer: true });

const test = base.extend<{ chromium: DesktopChromium }>({
  chromium: async ({ browserName: _ }, use) => {
    const chromium = await startDesktopChromium();
    await use(chromium);
    await chromium.close();
  },
});

const FRAME = '/frame.html';

/** Records in the page whether it was restored from the back/forward cache. */
const noteReturns = () => {
  Reflect.set(window, 'returns', []);
  addEventListener('pageshow', ({ persisted }) => Reflect.get(window, 'returns').push(persisted));
};

test.describe('a page restored by Back from the back/forward cache', () => {
  /** Opens a form, types a card, leaves the page, runs `meanwhile`, and goes back. */
  const awayAndBack = async (
    { chromium, address, elsewhere }: { chromium: DesktopChromium; address: string; elsewhere: string },
    meanwhile: () => Promise<unknown>,
  ) => {
    const page = await chromium.newPage();
    await page.addInitScript(noteReturns);
    await page.goto(address);
    const checkout = checkoutPage(page);
    await checkout.fillCard(CARD.visa);
    await checkout.ready();
    await page.goto(elsewhere);
    await meanwhile();
    await page.goBack({ waitUntil: 'commit' });
    await page.waitForFunction(() => Reflect.get(window, 'returns')?.length === 2, null, { polling: 100 });
    expect(await page.evaluate(() => Reflect.get(window, 'returns'))).toEqual([false, true]);
    return { page, checkout };
  };

  const value = (label: string) =>
    `[...document.querySelectorAll('label')].find((one) => one.textContent.startsWith(${JSON.stringify(label)}))?.control.value`;

  test('threat-model C22: forgets the card, reads the total again, and pays', async ({
    chromium,
    merchant,
    serve,
    service,
  }) => {
    const intent = await service.createIntent();
    const places = { chromium, address: serve(intent), elsewhere: `${merchant.url}/elsewhere` };
    const { page, checkout } = await awayAndBack(places, () => service.changeAmount(intent.id, 6000));

    const button = () => chromium.inFrame(FRAME, "document.querySelector('button.pay').innerText");
    await expect.poll(button).toBe('Pay $60.00');
    for (const name of ['number', 'expiry', 'code'] as const) {
      expect(await chromium.inFrame(FRAME, value(LABEL[name])), LABEL[name]).toBe('');
    }
    const known = await chromium.inFrame(FRAME, "document.querySelector('.known').innerText");
    expect(known).toContain(KNOWN_BUYER.billingDetails.email);
    expect(await service.record(intent.id)).toMatchObject({ confirms: 0, retrieves: 2 });

    /** The position of an element of the form on the page, in px. */
    const spot = async (selector: string) => {
      const [x, y] = String(
        await chromium.inFrame(
          FRAME,
          `(() => { const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
            return (box.x + box.width / 2) + ' ' + (box.y + box.height / 2); })()`,
        ),
      ).split(' ');
      const box = await page.locator('iframe').boundingBox();
      return { x: Number(x) + (box?.x ?? 0), y: Number(y) + (box?.y ?? 0) };
    };
    const click = async (selector: string) => {
      const { x, y } = await spot(selector);
      await page.mouse.click(x, y);
    };
    for (const [index, text] of [CARD.visa, '12/34', '123'].entries()) {
      const control = `document.querySelectorAll('input')[${index}]`;
      // A complete number moves the focus on, sooner or later than the next key: so no Tab here.
      if (index === 0) await click('input');
      else await chromium.inFrame(FRAME, `${control}.focus()`);
      await page.keyboard.type(text);
      expect(await chromium.inFrame(FRAME, `${control}.value.length`)).toBeGreaterThanOrEqual(text.length);
    }
    // Playwright does not know this frame, so this makes the check that click() would make: the button would be hit.
    const isHit = `(() => { const { x, y, width, height } = document.querySelector('button.pay').getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2).closest('button') !== null; })()`;
    await expect.poll(() => chromium.inFrame(FRAME, isHit)).toBe(true);
    await click('button.pay');
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    expect(await chromium.inFrame(FRAME, 'document.body.innerText')).toContain('Payment received');
    expect(await service.record(intent.id)).toMatchObject({
      payment_intent: { amount_total: 6000 },
      charges: 1,
      confirms: 1,
    });
  });

  test('shows that the payment was paid in the meantime, and charges nothing', { tag: '@thorough' }, async ({
    browser,
    chromium,
    merchant,
    serve,
    service,
  }) => {
    const intent = await service.createIntent();
    const address = serve(intent);
    const { checkout } = await awayAndBack(
      { chromium, address, elsewhere: `${merchant.url}/elsewhere` },
      async () => {
        const other = checkoutPage(await browser.newPage());
        await other.page.goto(address);
        await other.fillCard(CARD.mastercard);
        await other.pay();
        await expect(other.outcome).toHaveText('Payment received');
        await other.page.close();
      },
    );
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    expect(await chromium.inFrame(FRAME, 'document.body.innerText')).toContain('Payment received');
    expect(
      await chromium.inFrame(FRAME, "document.querySelectorAll('button:not(.receipt button)').length"),
    ).toBe(0);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test.describe('a page in the background during a payment', () => {
  const pressAndHide = async (chromium: DesktopChromium, address: string) => {
    const page = await chromium.newPage();
    await page.goto(address);
    const checkout = checkoutPage(page);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await checkout.hears('processing');
    await chromium.hide(page);
    return checkout;
  };

  test('sends nothing until it is visible, and then retrieves at once', { tag: '@thorough' }, async ({
    chromium,
    serve,
    service,
  }) => {
    const intent = await service.createIntent();
    // With the page in the background, the response is lost as often as the browser repeats the request.
    await service.nextAnswer({ route: 'client.confirm', delay_seconds: 60, cut: 'after', times: 10 });
    const checkout = await pressAndHide(chromium, serve(intent));
    const record = () => service.record(intent.id);
    await expect.poll(async () => (await record()).charges).toBe(1);
    await expect
      .poll(async () => {
        await service.pass(60); // each delivery waits again
        return checkout.notice.innerText();
      })
      .toContain('Still confirming');
    // The first read would be due after a second; in the background the form does not send it.
    await checkout.frame.locator(':root').evaluate(async () => {
      const from = performance.now();
      while (performance.now() - from < 4_000) await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(await record()).toMatchObject({ charges: 1, retrieves: 1 });
    expect(await checkout.events('result')).toEqual([]);
    await chromium.show(checkout.page);
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]);
    expect(await record()).toMatchObject({
      payment_intent: { confirmation_attempts: 1 },
      charges: 1,
      retrieves: 2,
    });
  });

  test('shows how the payment ended after being frozen and resumed', { tag: '@thorough' }, async ({
    chromium,
    serve,
    service,
  }) => {
    const intent = await service.createIntent();
    await service.nextAnswer({ route: 'client.confirm', delay_seconds: 60 });
    const checkout = await pressAndHide(chromium, serve(intent));
    const { page } = checkout;
    await page.evaluate(() => {
      Reflect.set(window, 'stops', []);
      for (const name of ['freeze', 'resume']) {
        document.addEventListener(name, () => Reflect.get(window, 'stops').push(name));
      }
    });
    // The answer's delay begins when the request arrives.
    await expect.poll(async () => (await service.record(intent.id)).confirms).toBe(1);
    await chromium.freeze(page, 'frozen');
    await service.pass(60);
    await chromium.freeze(page, 'active');
    await chromium.show(page);
    expect(await page.evaluate(() => Reflect.get(window, 'stops'))).toEqual(['freeze', 'resume']);
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});
