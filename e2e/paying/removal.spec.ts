import type { Page } from 'playwright/test';
import { CARD, type CheckoutPage, checkoutPage, LABEL } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { startMerchant } from '../support/merchant.ts';
import type { Intent, Service } from '../support/service.ts';

test.use({ knownBuyer: true });

const CONFIRMING = 'Confirming your payment. Please keep this page open.';
const UNMOUNTED = { outcome: 'unknown', reason: 'unmounted', paymentIntent: null };

/** Pays, and returns when the service has charged but not responded. */
const chargedUnanswered = async (checkout: CheckoutPage, intent: Intent, service: Service) => {
  await service.nextAnswer({ route: 'client.confirm', never: true });
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect.poll(async () => (await service.record(intent.id)).charges).toBe(1);
  await expect(checkout.notice).toHaveText(CONFIRMING);
  await checkout.hears('processing');
};

const optionsOf = (service: Service, intent: Intent) => ({
  publishableKey: service.keys.publishable,
  clientSecret: intent.client_secret,
  locale: 'en',
});

/** The questions the browser asks before it leaves a page; each is answered with `leave`. */
const questions = (page: Page, leave: () => boolean) => {
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await (leave() ? dialog.accept() : dialog.dismiss());
  });
  return asked;
};

test.describe('threat-model C58: a form that is removed during a payment reports unknown, and shows the outcome when mounted again', () => {
  const WAYS = [
    { how: 'by unmount()', away: (page: Page) => page.evaluate(() => window.forms[0]?.unmount()) },
    {
      how: 'by innerHTML = ""',
      away: (page: Page) =>
        page.evaluate(() => {
          const container = document.querySelector('#card-form');
          if (container) container.innerHTML = '';
        }),
    },
    {
      how: 'with all that stands around it',
      away: (page: Page) =>
        page.evaluate(() => {
          document.querySelector('main')?.remove();
        }),
    },
  ];
  for (const { how, away } of WAYS) {
    test(how, async ({ open, page, service }) => {
      const intent = await service.createIntent();
      const checkout = await open(intent);
      await chargedUnanswered(checkout, intent, service);
      await away(page);
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
      await expect(checkoutPage(page, '#again').outcome).toHaveText('Payment received');
      await expect.poll(() => checkout.events('result')).toMatchObject([UNMOUNTED, { outcome: 'succeeded' }]);
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    });
  }
});

test.describe('leaving the page', () => {
  test('asks the buyer while a payment is in flight, not before and not after', async ({
    merchant,
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const elsewhere = `${merchant.url}/elsewhere`;
    let leave = true;
    const asked = questions(page, () => leave);
    const checkout = await open(intent);
    const address = page.url();
    await checkout.fillCard(CARD.visa);
    await page.goto(elsewhere);
    expect(asked).toEqual([]); // typed, and nothing sent

    await page.goto(address);
    await chargedUnanswered(checkout, intent, service);
    leave = false;
    await page.evaluate((url) => location.assign(url), elsewhere);
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await expect(checkout.notice).toHaveText(CONFIRMING);
    expect(page.url()).toBe(address);

    leave = true;
    await page.goto(elsewhere);
    expect(asked).toEqual(['beforeunload', 'beforeunload']);
    await page.goto(address);
    await expect(checkout.outcome).toHaveText('Payment received');
    await page.goto(elsewhere);
    expect(asked).toHaveLength(2);
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('asks no longer once the card was declined', async ({ merchant, open, page, service }) => {
    const asked = questions(page, () => true);
    const checkout = await open(await service.createIntent());
    await checkout.fillCard(CARD.declined);
    await checkout.pay();
    await expect(checkout.notice).toContainText('declined');
    await checkout.ready();
    await page.goto(`${merchant.url}/elsewhere`);
    expect(asked).toEqual([]);
  });
});

test.describe('a frame whose document is reloaded', () => {
  /** As an extension does, or a person with the frame's context menu. */
  const reload = async (checkout: CheckoutPage) => {
    await checkout.frame.locator(':root').evaluate(() => location.reload());
  };

  test('without a payment in flight is connected again once, without the card', async ({ open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await reload(checkout);
    for (const name of ['number', 'expiry', 'code'] as const) {
      await expect(checkout.field(name), LABEL[name]).toHaveValue('');
    }
    await checkout.ready();
    await checkout.fillCard(CARD.mastercard);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await checkout.hears('result promise')).toMatchObject({ outcome: 'succeeded' });
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1, retrieves: 2 });
  });

  test('a second time is not connected again', async ({ open, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    await checkout.fillCard(CARD.visa);
    await reload(checkout);
    await expect(checkout.field('number')).toHaveValue('');
    await checkout.ready();
    await reload(checkout);
    await expect(checkout.fallback).toBeVisible();
    await expect(checkout.iframe).toHaveCount(0);
    await expect.poll(() => checkout.events('loaderror')).toMatchObject([{ reason: 'blocked' }]);
    expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0, retrieves: 2 });
  });

  test('during a payment is not connected again, and the page receives unknown', async ({
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    questions(page, () => true);
    await chargedUnanswered(checkout, intent, service);
    await reload(checkout);
    expect(await checkout.hears('result promise')).toMatchObject({ outcome: 'unknown' });
    await expect.poll(() => checkout.events('result')).toMatchObject([{ outcome: 'unknown' }]);
    await expect(checkout.iframe).toHaveCount(0);
    await expect(checkout.fallback).toBeVisible();
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test.describe('a frame that is navigated to another site', () => {
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

  test('receives nothing, and the page says that there is no form', async ({
    merchant,
    time,
    open,
    page,
    service,
  }) => {
    const checkout = await open(await service.createIntent());
    await checkout.ready();
    await leadAway(page, `${merchant.url}/elsewhere`);
    await expect(checkout.frame.getByText('Elsewhere')).toBeVisible();
    await time.waitOnPage(11);
    await expect(checkout.fallback).toBeVisible();
    await expect.poll(() => checkout.events('loaderror')).toMatchObject([{ reason: 'blocked' }]);
    expect(await checkout.hears('result promise')).toMatchObject({ outcome: 'unknown' });
    expect(await checkout.events('result')).toEqual([]); // nothing was under way
  });

  test('during a payment makes the page receive unknown', async ({ merchant, time, open, page, service }) => {
    const intent = await service.createIntent();
    const checkout = await open(intent);
    questions(page, () => true);
    await chargedUnanswered(checkout, intent, service);
    await leadAway(page, `${merchant.url}/elsewhere`);
    await time.waitOnPage(11);
    expect(await checkout.hears('result promise')).toMatchObject({ outcome: 'unknown' });
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
});

test('a second form of the same payment in another container is an error, and the first still works', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  const code = await page.evaluate(
    (options) => {
      const container = document.createElement('div');
      container.id = 'second';
      document.body.append(container);
      try {
        window.mountCardForm('#second', options);
        return null;
      } catch (error) {
        return error instanceof Error && 'code' in error ? error.code : null;
      }
    },
    optionsOf(service, intent),
  );
  expect(code).toBe('already_mounted');
  await expect(page.locator('iframe')).toHaveCount(1);
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('a script of another build that is loaded second leaves the first in place', async ({
  context,
  page,
  service,
}) => {
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
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  await merchant.stop();
});
