import type { Page } from 'playwright/test';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { expect, test } from '../support/fixtures.ts';
import { startMerchant } from '../support/merchant.ts';

test.use({ knownBuyer: true });

const CONFIRMING = 'Confirming your payment. Please keep this page open.';
/** Its words change with the time since the press. */
const STILL = /^(Still confirming with your bank|Your bank (is slower|has not answered))/;
const NOT_CHARGED =
  'We could not reach the payment service and no payment was recorded. You can try again; this order cannot be charged twice.';
const COULD_NOT_LOAD = 'The payment form could not load.';

const CLIENT = /\/partner\/v1\/client\//;

const countConfirms = (page: Page) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) sent.push(request.url());
  });
  return () => sent.length;
};

test.describe('a connection that is lost during a payment', () => {
  test('and comes back: the form reads at once, and has reported no failure', async ({
    time,
    context,
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    await service.nextAnswer({ route: 'client.confirm', never: true });
    const sent = countConfirms(page);
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect.poll(async () => (await service.record(intent.id)).charges).toBe(1);
    await context.setOffline(true);
    await time.stop();
    await time.pass(300);
    expect(await checkout.events('result')).toEqual([]);
    expect(await checkout.events('error')).toEqual([]);
    await expect(checkout.payButton).toHaveCount(0);
    await expect(checkout.notice).toHaveText(STILL);
    const before = (await service.record(intent.id)).retrieves;
    await context.setOffline(false); // and no time passes: the read is not the next of a plan
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    expect(sent()).toBe(1);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1, retrieves: before + 1 });
  });

  test('before the confirm arrived: nothing is sent again, and the buyer can press again', async ({
    time,
    context,
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const sent = countConfirms(page);
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await page.route(/\/confirm$/, async (route) => {
      await context.setOffline(true);
      await route.abort('internetdisconnected');
    });
    await checkout.payButton.click();
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(60);
    await expect(checkout.notice).toHaveText(STILL);
    await page.unroute(/\/confirm$/);
    await context.setOffline(false);
    await time.pass(30);
    await expect(checkout.notice).toHaveText(NOT_CHARGED);
    expect(await checkout.events('result')).toEqual([]);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0 });
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(sent()).toBe(2);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test.describe('a blocker in the browser that stops the requests of the form', () => {
  test('from the start leaves a form that can be tried again', async ({ time, open, page, service }) => {
    const intent = await service.createIntent();
    await page.route(CLIENT, (route) => route.abort('blockedbyclient'));
    const checkout = await open(intent);
    await checkout.hears('ready');
    await time.pass(60);
    await expect(checkout.notice).toContainText(COULD_NOT_LOAD);
    await expect(checkout.button).toHaveText(['Try again']);
    // Which of the two depends on how soon the browser refuses, so on the machine; the rule itself is tested in
    // src/form/frame/session/network-diagnosis.test.ts.
    const code = expect.stringMatching(/^(blocked_fetch|network)$/);
    await expect
      .poll(() => checkout.events('error'))
      .toMatchObject([{ code, charged: 'unknown', recovery: 'retry' }]);
    expect(await service.record(intent.id)).toMatchObject({ retrieves: 0, confirms: 0 });
    await page.unroute(CLIENT);
    await checkout.button.click();
    await checkout.ready('Pay $58.04');
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('only at the press: no payment was recorded, and the buyer can try again', async ({
    time,
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    await page.route(/\/confirm$/, (route) => route.abort('blockedbyclient'));
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.notice).toHaveText(STILL);
    await time.pass(30);
    await expect(checkout.notice).toHaveText(NOT_CHARGED);
    await expect.poll(() => checkout.events('error')).toMatchObject([{ charged: 'no', recovery: 'retry' }]);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0 });
  });
});

test('outcomes 2.7: a frame served with a policy that forbids its own requests reports internal_csp', async ({
  time,
  open,
  page,
  service,
  watch,
}) => {
  watch.expect(/CSP violation: connect-src|Content Security Policy/);
  await page.route(/\/card-form\/[^/]+\/frame\.html$/, async (route) => {
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    const headers = {
      ...response.headers(),
      'content-security-policy': policy.replace(/connect-src [^;]+/, "connect-src 'none'"),
    };
    await route.fulfill({ response, headers });
  });
  const intent = await service.createIntent();
  const checkout = await open(intent);
  await checkout.hears('ready');
  await time.pass(60);
  await expect(checkout.notice).toContainText(COULD_NOT_LOAD);
  await expect
    .poll(() => checkout.events('error'))
    .toMatchObject([{ code: 'internal_csp', charged: 'unknown', recovery: 'fix_integration' }]);
  expect(await service.record(intent.id)).toMatchObject({ retrieves: 0, confirms: 0 });
});

test('threat-model C24: a cookie that the site of the service has set changes nothing, and no answer sets one', async ({
  context,
  page,
  service,
}) => {
  // The merchant is of the same site: browsers send no cookie into the frame of another without HTTPS.
  const pay = service.url.replace('127.0.0.1', 'localhost');
  await context.addCookies([
    { name: 'session', value: 'other-buyer', url: pay },
    { name: 'lang', value: 'de', url: pay },
  ]);
  const setting: string[] = [];
  const carrying: string[] = [];
  page.on('response', async (response) => {
    const { origin, pathname } = new URL(response.url());
    const sent = await response.request().headerValue('cookie');
    if (origin !== pay || !CLIENT.test(pathname)) return;
    if (sent?.includes('other-buyer')) carrying.push(pathname.replace(/^.*\//, ''));
    if ((await response.headerValue('set-cookie')) !== null) setting.push(pathname);
  });
  const intent = await service.createIntent();
  const merchant = await startMerchant(`${pay}/partner/v1/card-form.js`);
  const options = {
    publishableKey: service.keys.publishable,
    clientSecret: intent.client_secret,
    locale: 'en',
  };
  await page.goto(merchant.serve({ options }));
  const checkout = checkoutPage(page);
  await checkout.ready('Pay $58.04');
  await checkout.fill();
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  await expect.poll(() => carrying).toEqual(['retrieve', 'confirm']);
  expect(setting).toEqual([]);
  await merchant.stop();
});

test.describe('a captive portal that redirects the requests of the form', () => {
  const PORTALS = [
    { where: 'to another site', at: (stranger: FaultyProxy) => `${stranger.url}/portal` },
    {
      where: 'to an address of the service',
      at: (_: FaultyProxy, own: FaultyProxy) => `${own.url}/partner/v1/client/portal`,
    },
  ];
  for (const { where, at } of PORTALS) {
    test(`${where} is not followed`, async ({ time, page, service }) => {
      const intent = await service.createIntent();
      const [proxy, stranger] = [await startFaultyProxy(service.url), await startFaultyProxy(service.url)];
      const merchant = await startMerchant(`${proxy.url}/partner/v1/card-form.js`);
      const options = {
        publishableKey: service.keys.publishable,
        clientSecret: intent.client_secret,
        locale: 'en',
      };
      const portal = at(stranger, proxy);
      proxy.redirect(portal);
      await page.goto(merchant.serve({ options }));
      const checkout = checkoutPage(page);
      await checkout.hears('ready');
      await time.pass(60);
      await expect(checkout.notice).toContainText(COULD_NOT_LOAD);
      expect(proxy.redirected()).toContain('retrieve');

      proxy.redirect(null);
      await checkout.button.click();
      await checkout.ready('Pay $58.04');
      await checkout.fill();
      proxy.redirect(portal);
      await checkout.payButton.click();
      await expect(checkout.notice).toHaveText(STILL);
      await time.pass(10);
      proxy.redirect(null);
      await time.pass(30);
      await expect(checkout.notice).toHaveText(NOT_CHARGED);
      expect(proxy.redirected()).toContain('confirm');
      for (const way of [proxy, stranger]) {
        expect(way.arrived().filter((path) => path.includes('portal'))).toEqual([]);
      }
      expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0 });

      await checkout.fillCard(CARD.visa);
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received');
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
      await merchant.stop();
      await proxy.stop();
      await stranger.stop();
    });
  }
});

test.describe('threat-model C59: a computer that sleeps for minutes during a payment', () => {
  for (const { what, year } of [
    { what: '', year: 0 },
    { what: ', and wakes with a clock a year ahead', year: 1 },
    { what: ', and wakes with a clock a year behind', year: -1 },
  ]) {
    test(`the form reads before it shows an outcome${what}`, async ({ time, open, page, service }) => {
      const intent = await service.createIntent();
      await service.nextAnswer({ route: 'client.confirm', never: true });
      const sent = countConfirms(page);
      const checkout = await open(intent);
      await checkout.fillCard(CARD.visa);
      await checkout.pay();
      await expect.poll(async () => (await service.record(intent.id)).charges).toBe(1);
      await expect(checkout.notice).toHaveText(CONFIRMING);
      if (year !== 0) await page.clock.setSystemTime(Date.now() + year * 31_557_600_000);
      await time.waitOnPage(9 * 60); // one jump: every timer that was due meanwhile fires once, now
      await expect(checkout.outcome).toHaveText('Payment received');
      await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]);
      expect(await checkout.events('error')).toEqual([]);
      expect(sent()).toBe(1);
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    });
  }
});
