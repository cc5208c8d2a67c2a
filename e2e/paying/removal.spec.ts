import type { Page } from 'playwright/test';
import { CARD, type CheckoutPage, checkoutPage, LABEL } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { startMerchant } from '../support/merchant.ts';
import type { Intent, Service } from '../support/service.ts';
import { CONFIRMING, chargedUnanswered, DECLINED, expectPaid, questions } from './journey.ts';

test.use({ knownBuyer: true });

const UNMOUNTED = { outcome: 'unknown', reason: 'unmounted', paymentIntent: null };

const optionsOf = (service: Service, intent: Intent) => ({
  publishableKey: service.keys.publishable,
  clientSecret: intent.client_secret,
  locale: 'en',
});

test.describe('threat-model C58: a form removed during a payment reports unknown, and shows the outcome when mounted again', () => {
  const WAYS = {
    'by unmount()': () => window.forms[0]?.unmount(),
    'by innerHTML = ""': () => {
      const container = document.querySelector('#card-form');
      if (container) container.innerHTML = '';
    },
    'with everything around it': () => document.querySelector('main')?.remove(),
  };
  for (const [how, away] of Object.entries(WAYS)) {
    test(how, { tag: how === 'by unmount()' ? [] : ['@thorough'] }, async ({
      checkout,
      intent,
      page,
      service,
    }) => {
      await chargedUnanswered(checkout, service, intent, CARD.visa);
      await page.evaluate(away);
      expect(await checkout.hears('result promise')).toEqual(UNMOUNTED);
      await expect.poll(() => checkout.events('result')).toEqual([UNMOUNTED]);
      await expect(page.locator('iframe')).toHaveCount(0);

      await page.evaluate(
        (options) => {
          const container = document.createElement('div');
          container.id = 'again';
          document.body.append(container);
          window.mountCardForm('#again', options);
        },
        optionsOf(service, intent),
      );
      await expectPaid(checkoutPage(page, '#again'), service, intent);
      await expect.poll(() => checkout.events('result')).toMatchObject([UNMOUNTED, { outcome: 'succeeded' }]);
    });
  }
});

test('threat-model C56: leaving the page prompts the buyer only while a payment is in flight, and a reopened page shows that it is paid', async ({
  merchant,
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const elsewhere = `${merchant.url}/elsewhere`;
  let leave = true;
  // The iframe's sandbox lacks allow-modals, so the browser ignores the frame's `beforeunload`.
  const asked = questions(page, () => leave);
  const checkout = await open(intent);
  const address = page.url();
  await checkout.fillCard(CARD.declined);
  await checkout.pay();
  await expect(checkout.notice).toHaveText(DECLINED);
  await checkout.ready();
  await page.goto(elsewhere);
  expect(asked).toEqual([]); // typed and declined, with no payment in progress

  await page.goto(address);
  await chargedUnanswered(checkout, service, intent, CARD.visa);
  leave = false;
  await page.evaluate((url) => location.assign(url), elsewhere);
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await expect(checkout.notice).toHaveText(CONFIRMING);
  expect(page.url()).toBe(address);

  leave = true;
  await page.reload();
  for (const way of ['during the payment', 'after it']) {
    await expect(checkout.outcome, way).toHaveText('Payment received');
    await expect(checkout.button).toHaveCount(0);
    await checkout.hears('result promise');
    await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'succeeded' }]); // exactly once
    expect(await checkout.events('processing')).toEqual([]);
    await page.reload();
  }
  expect(asked).toHaveLength(2);
  await expectPaid(checkout, service, intent, { charges: 1, confirms: 2 });
});

test.describe('a frame whose document is reloaded', () => {
  /** Reloads the frame, as an extension does, or a person with the frame's context menu. */
  const reload = async (checkout: CheckoutPage) => {
    await checkout.frame.locator(':root').evaluate(() => location.reload());
  };

  test('is reconnected once, without the card, and not a second time', { tag: '@thorough' }, async ({
    checkout,
    intent,
    service,
  }) => {
    await checkout.fillCard(CARD.visa);
    await reload(checkout);
    for (const name of ['number', 'expiry', 'code'] as const) {
      await expect(checkout.field(name), LABEL[name]).toHaveValue('');
    }
    await checkout.ready();
    await reload(checkout);
    await expect(checkout.fallback).toBeVisible();
    await expect(checkout.iframe).toHaveCount(0);
    await expect.poll(() => checkout.events('loaderror')).toMatchObject([{ reason: 'blocked' }]);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0, retrieves: 2 });
  });
});

test.describe('a frame that is navigated to another site', { tag: '@thorough' }, () => {
  const leadAway = (page: Page, to: string) =>
    page.evaluate(
      (url) =>
        new Promise((resolve) => {
          const iframe = document.querySelector('iframe');
          if (!iframe) return;
          iframe.addEventListener('load', resolve);
          iframe.src = url;
        }),
      to,
    );

  test('receives nothing, and the page shows that there is no form', async ({
    merchant,
    time,
    checkout,
    page,
  }) => {
    await checkout.ready();
    await leadAway(page, `${merchant.url}/elsewhere`);
    await expect(checkout.frame.getByText('Elsewhere')).toBeVisible();
    await time.waitOnPage(11);
    await expect(checkout.fallback).toBeVisible();
    const message = `blocked: src="${merchant.url}/elsewhere"`;
    await expect.poll(() => checkout.events('loaderror')).toEqual([{ reason: 'blocked', message }]);
    await page.evaluate(() => window.forms[0]?.unmount());
    expect(await checkout.hears('result promise')).toMatchObject({ outcome: 'unknown' });
    expect(await checkout.events('result')).toEqual([]); // no payment was in progress
    await expect(checkout.fallback).toHaveCount(0);
  });

  test('makes the page receive unknown during a payment', async ({
    merchant,
    time,
    checkout,
    intent,
    page,
    service,
  }) => {
    questions(page);
    await chargedUnanswered(checkout, service, intent, CARD.visa);
    await leadAway(page, `${merchant.url}/elsewhere`);
    await time.waitOnPage(11);
    expect(await checkout.hears('result promise')).toMatchObject({ outcome: 'unknown' });
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test('a script of another build that loads second leaves the first in place', {
  tag: '@thorough',
}, async ({ context, page, service }) => {
  const intent = await service.createIntent();
  const built = await (await fetch(`${service.url}/partner/v1/card-form.js`)).text();
  const release = /\d+\.\d+\.\d+-[0-9a-f]{12}/.exec(built)?.[0] ?? '';
  expect(release).not.toBe('');
  await context.route(/\/card-form\/9\.9\.9-aaaaaaaaaaaa\/card-form\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: built.replaceAll(release, '9.9.9-aaaaaaaaaaaa') }),
  );
  const merchant = await startMerchant(`${service.url}/partner/v1/card-form.js`);
  await page.goto(
    merchant.serve({
      body: `<main><div id="card-form"></div></main><script src="${service.url}/partner/v1/card-form.js"></script>
<script src="${service.url}/partner/v1/card-form/9.9.9-aaaaaaaaaaaa/card-form.js"></script>`,
      options: optionsOf(service, intent),
    }),
  );
  const checkout = checkoutPage(page);
  await checkout.ready();
  expect(await page.evaluate(() => window.CardForm?.version)).toBe(release);
  await expect(page.locator('iframe')).toHaveCount(1);
  await checkout.fill();
  await checkout.pay();
  await expectPaid(checkout, service, intent);
  await merchant.stop();
});
