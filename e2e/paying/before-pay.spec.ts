/**
 * `beforePay`: the form calls the page after the press, before it sends anything (promises 1.10). From a foreign page.
 */

import type { Page } from 'playwright/test';
import { block } from '../developer/docs.ts';
import { checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Intent, Service } from '../support/service.ts';

/** A shop's own page, with `beforePay` as its developer would write it. `save` is the shop's server. */
const shopPage = (site: ForeignSite, service: Service, { client_secret }: Intent, beforePay: string) =>
  site.put(
    '/checkout',
    `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">
    <main style="max-width: 480px"><div id="card-form"></div></main>
    <script src="${service.url}/partner/v1/card-form.js"></script>
    <script>
      window.events = [];
      window.asked = [];
      window.onerror = (message) => { window.events.push({ form: 0, name: 'uncaught', detail: message }); return true; };
      const beforePay = ${beforePay};
      const form = CardForm.mount('#card-form', {
        publishableKey: '${service.keys.publishable}',
        clientSecret: '${client_secret}',
        locale: 'en',
        defaultValues: ${JSON.stringify(KNOWN_BUYER)},
        beforePay: (total) => { asked.push(total); return beforePay(total); },
      });
      window.refreshForm = () => form.refresh();
      for (const name of ['error', 'warning', 'amountchange', 'processing', 'result'])
        form.on(name, (detail) => events.push({ form: 0, name, detail }));
    </script>`,
  );

declare global {
  interface Window {
    asked: unknown[];
    answer(answer: unknown): void;
    refreshForm(): void;
  }
}

const WAITS = '() => new Promise((resolve) => { window.answer = resolve; })';

/** Fills in the card and presses Pay; the form then calls the page's `beforePay`. */
const press = async (
  { page, site, service }: { page: Page; site: ForeignSite; service: Service },
  beforePay = WAITS,
) => {
  const intent = await service.createIntent();
  await page.goto(shopPage(site, service, intent, beforePay));
  const checkout = checkoutPage(page);
  await checkout.fillCard('4242424242424242');
  await checkout.pay();
  return { intent, checkout };
};

test.describe('promises 1.10: nothing is sent before the page says yes', () => {
  test('while the page decides, the button shows progress; its sentence is shown as text, the card stays, and only a yes to the total of the press pays', async ({
    page,
    site,
    service,
  }) => {
    const { intent, checkout } = await press({ page, site, service });
    await expect(checkout.notice).toContainText('The store is checking your order.');
    await expect(checkout.button).toHaveText('Paying…');
    await expect(checkout.button).toHaveAttribute('aria-disabled', 'true');
    await expect(checkout.field('number')).toHaveAttribute('readonly', '');
    await checkout.button.click({ force: true });
    await checkout.field('code').press('Enter');
    expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
    const asked = () => page.evaluate(() => window.asked);
    expect(await asked()).toEqual([{ amountTotal: 5804, currency: 'usd' }]);

    await page.evaluate(() => window.answer({ message: 'Only <b>2</b> left in stock.' }));
    await expect(checkout.notice).toHaveText('Only <b>2</b> left in stock.');
    await expect(checkout.field('code')).toHaveValue('123');
    expect(await checkout.events('error')).toEqual([]);

    await test.step('if the amount changes while the page decides, its yes to the old amount does not count', async () => {
      await checkout.pay();
      await expect.poll(asked).toHaveLength(2);
      await service.changeAmount(intent.id, 6804);
      await page.evaluate(() => {
        window.refreshForm();
        window.answer(true);
      });
      await expect(checkout.notice).toContainText('The total changed from $58.04 to $68.04');
      expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
    });
    await checkout.pay();
    await expect.poll(async () => (await asked()).at(-1)).toEqual({ amountTotal: 6804, currency: 'usd' });
    await page.evaluate(() => window.answer(true));
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    expect(await service.record(intent.id)).toMatchObject({ confirms: 1, charges: 1 });
  });

  test('going-live, Your word before a payment: the example pays only for an order that the shop’s server could hold', {
    tag: '@thorough',
  }, async ({ page, site, service }) => {
    const intent = await service.createIntent();
    const example = block('going-live: Your word before a payment: ts');
    const url = site.put(
      '/checkout',
      `<!doctype html><title>Shop</title><div id="card-form"></div>
      <script src="${service.url}/partner/v1/card-form.js"></script>
      <script>
        const publishableKey = '${service.keys.publishable}';
        const clientSecret = '${intent.client_secret}';
        ${example}
        form.update({ locale: 'en', defaultValues: ${JSON.stringify(KNOWN_BUYER)} });
      </script>`,
    );
    await page.goto(url);
    const checkout = checkoutPage(page);
    await checkout.fillCard('4242424242424242');
    for (const [status, sentence] of [
      [409, 'This was just sold out. You have not been charged.'],
      [500, 'The store could not accept this order. Nothing was charged.'],
    ] as const) {
      site.put('/api/order/hold', { body: '', status });
      await checkout.pay();
      await expect(checkout.notice).toHaveText(sentence);
    }
    expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
    site.put('/api/order/hold', { body: '', status: 204 });
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ confirms: 1, charges: 1 });
  });
});
