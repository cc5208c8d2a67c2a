/** `keep: true`: a buyer who leaves the payment step and comes back finds what they typed. From a foreign page. */
import type { Page } from 'playwright/test';
import { BUYER, CARD, type CheckoutPage, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Service } from '../support/service.ts';

type Keep = {
  heard: [string, unknown][];
  enter(more?: object): Promise<void>;
  /** Puts another payment intent into the form. */
  swap(clientSecret: string): Promise<unknown>;
  /** Sends more messages in a second than the channel accepts. */
  flood(): void;
  leave(): void;
};

declare global {
  interface Window {
    keep: Keep;
  }
}

type World = { page: Page; site: ForeignSite; service: Service };

/** A shop of two steps that removes the payment step with everything in it. */
const openShop = async ({ page, site, service }: World, options: object = {}) => {
  const intent = await service.createIntent();
  const documents: string[] = [];
  const requests: string[] = [];
  page.on('request', (request) => {
    if (/frame[^/]*\.html/.test(request.url())) documents.push(request.url());
    if (/\/client\//.test(request.url())) requests.push(request.url().replace(/.*\//, ''));
  });
  const url = site.put(
    '/checkout',
    `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">
    <main style="max-width: 480px"></main>
    <script src="${service.url}/partner/v1/card-form.js"></script>
    <script>
      let form;
      window.events = [];
      window.keep = {
        heard: [],
        async enter(more) {
          document.querySelector('main').innerHTML = '<section><h1>Payment</h1><div id="card-form"></div></section>';
          form = CardForm.mount('#card-form', {
            publishableKey: '${service.keys.publishable}',
            clientSecret: '${intent.client_secret}',
            locale: 'en',
            keep: true,
            ...${JSON.stringify(options)},
            ...more,
          });
          form.on('*', (name, detail) => {
            keep.heard.push([name, detail]);
            events.push({ form: 0, name, detail });
          });
          await form.ready;
        },
        swap: (clientSecret) => form.update({ clientSecret }),
        flood() {
          for (let count = 0; count <= 20; count += 1) form.blur();
        },
        leave() {
          form.unmount();
          document.querySelector('main').innerHTML = '<h1>Delivery</h1>';
          keep.heard = [];
        },
      };
      keep.enter();
    </script>`,
  );
  await page.goto(url);
  const checkout = checkoutPage(page);
  await expect(checkout.total).toContainText('$');
  await expect
    .poll(() =>
      page.evaluate(() => Object.hasOwn(document.querySelector('#card-form iframe') ?? {}, 'remove')),
    )
    .toBe(true); // it may be parked
  return { intent, checkout, documents, requests };
};

const enter = (page: Page, more: object = {}) => page.evaluate((more) => window.keep.enter(more), more);
const leave = (page: Page) => page.evaluate(() => window.keep.leave());
const parked = (page: Page) => page.locator('html > div[hidden] > iframe');

const typed = async (checkout: CheckoutPage) => ({
  number: await checkout.field('number').inputValue(),
  expiry: await checkout.field('expiry').inputValue(),
  code: await checkout.field('code').inputValue(),
  name: await checkout.field('name').inputValue(),
  city: await checkout.field('city').inputValue(),
});

const TYPED = {
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  code: '',
  name: BUYER.name,
  city: BUYER.city,
};

test('promises 1.15: a returning buyer finds everything but the security code, without loading the frame; the intent is read, then paid once', async ({
  page,
  site,
  service,
}) => {
  const { intent, checkout, documents, requests } = await openShop({ page, site, service });
  await checkout.fill();
  const frames = documents.length;
  const before = requests.length;
  await leave(page);
  await expect(parked(page)).toHaveCount(1);
  await expect(parked(page)).toBeHidden();
  await enter(page);
  expect(await typed(checkout)).toEqual(TYPED);
  expect(requests.slice(before)).toEqual(['retrieve']); // before `ready`
  expect(documents).toHaveLength(frames);
  await expect(page.locator('iframe')).toHaveCount(1);
  expect(await page.evaluate(() => window.keep.heard.map(([name]) => name))).toEqual(['ready', 'change']);
  await checkout.field('code').fill('123');
  await checkout.pay();
  await expect(checkout.outcome).toBeVisible();
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('promises 1.15: new options take effect on return as by update(), and a fixed option reloads the form', async ({
  page,
  site,
  service,
}) => {
  const { checkout, documents } = await openShop({ page, site, service });
  await checkout.field('number').fill(CARD.visa);
  const frames = documents.length;
  await leave(page);
  await enter(page, { locale: 'de', readOnly: true });
  await expect(checkout.frame.getByLabel('Kartennummer')).toHaveValue('4242 4242 4242 4242');
  await expect(checkout.frame.getByLabel('Kartennummer')).not.toBeEditable();
  await leave(page);
  await enter(page);
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await expect(checkout.field('number')).toBeEditable();
  expect(documents).toHaveLength(frames);
  await leave(page);
  await enter(page, { acceptedBrands: ['visa'], autoAdvance: false });
  await expect(checkout.field('number')).toHaveValue('');
  await checkout.ready();
  expect(documents).toHaveLength(frames + 1);
});

test('promises 1.15: lists that mount() refuses are refused at the return, too', async ({
  page,
  site,
  service,
}) => {
  const { checkout, documents } = await openShop({ page, site, service });
  await checkout.field('number').fill(CARD.visa);
  const frames = documents.length;
  await leave(page);
  await enter(page, { acceptedBrands: ['visa', 'vista'] });
  expect(documents).toHaveLength(frames + 1);
  expect(await page.evaluate(() => window.keep.heard.filter(([name]) => name === 'error'))).toMatchObject([
    ['error', { code: 'invalid_option' }],
  ]);
  await expect(checkout.payButton).toHaveCount(0);
});

test('promises 1.15: a total that changed meanwhile is shown beside the old one before it can be paid', async ({
  page,
  site,
  service,
}) => {
  const { intent, checkout } = await openShop({ page, site, service });
  await checkout.fill();
  await leave(page);
  await service.changeAmount(intent.id, 6000);
  await enter(page);
  await expect(checkout.payButton).toHaveText('Pay $60.00');
  await expect(checkout.notice).toContainText('$60.00');
  expect(await page.evaluate(() => window.keep.heard.map(([name]) => name))).toEqual([
    'ready',
    'amountchange',
    'change',
  ]);
});

test('threat-model C85: after 15 minutes the parked form is gone, and another secret gets its own frame', async ({
  page,
  site,
  service,
}) => {
  await page.clock.install();
  const { checkout, documents } = await openShop({ page, site, service });
  await checkout.field('number').fill(CARD.visa);
  await leave(page);
  await expect(parked(page)).toHaveCount(1);
  const frames = documents.length;
  const other = await service.createIntent();
  await enter(page, { clientSecret: other.client_secret });
  await expect(checkout.field('number')).toHaveValue('');
  expect(documents).toHaveLength(frames + 1);
  await expect(parked(page)).toHaveCount(1);
  await page.clock.fastForward('15:00');
  await expect(page.locator('html > div')).toHaveCount(0);
  await leave(page); // one at a time, and the first is gone
  await enter(page);
  await expect(checkout.field('number')).toHaveValue('');
});

test('threat-model C85: a form is not parked while a press has no outcome, nor after the payment', async ({
  page,
  site,
  service,
}) => {
  const { intent, checkout } = await openShop({ page, site, service });
  await checkout.fill({ number: CARD.chargedSlowly });
  await checkout.pay();
  await checkout.hears('processing');
  // A request that is not sent yet is lost with the frame.
  await expect.poll(async () => (await service.record(intent.id)).confirms).toBe(1);
  await leave(page);
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect.poll(async () => (await service.record(intent.id)).charges).toBe(1);
  await enter(page);
  await expect(checkout.outcome).toBeVisible();
  await leave(page);
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('threat-model C85: a form whose page broke a limit of the channel is not parked', async ({
  page,
  site,
  service,
}) => {
  const { checkout, documents } = await openShop({ page, site, service });
  await checkout.field('number').fill(CARD.visa);
  const frames = documents.length;
  await page.evaluate(() => window.keep.flood());
  await checkout.hears('error');
  await leave(page);
  await expect(page.locator('iframe')).toHaveCount(0);
  await enter(page);
  await expect(checkout.field('number')).toHaveValue('');
  expect(documents).toHaveLength(frames + 1);
});

test('threat-model C85: a parked frame sends no request, says nothing, and takes no press, whatever the page posts', async ({
  page,
  site,
  service,
}) => {
  await page.addInitScript(() => {
    const said: unknown[] = [];
    Reflect.set(window, 'overheard', said);
    addEventListener('message', ({ data }) => said.push(data));
    // The page keeps its end of each channel open.
    const ports: MessagePort[] = [];
    Reflect.set(window, 'ports', ports);
    const Real = MessageChannel;
    window.MessageChannel = class extends Real {
      constructor() {
        super();
        ports.push(this.port1);
        this.port1.close = () => {};
        this.port1.addEventListener('message', ({ data }) => said.push(data));
      }
    };
  });
  const { intent, checkout, requests } = await openShop({ page, site, service }, { payButton: 'host' });
  await checkout.fill();
  await leave(page);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve))); // earlier messages have been received
  await page.evaluate(() => {
    Reflect.get(window, 'overheard').length = 0;
  });
  const before = requests.length;
  await page.evaluate(async () => {
    for (const port of Reflect.get(window, 'ports'))
      for (const type of ['submit', 'refresh', 'validate', 'update']) port.postMessage({ type });
    const iframe = document.querySelector<HTMLIFrameElement>('html > div > iframe');
    for (const data of [
      { type: 'submit' },
      { channel: 'card-form', type: 'park' },
      { channel: 'card-form', type: 'submit' },
    ])
      iframe?.contentWindow?.postMessage(data, '*');
    iframe?.focus();
  });
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  // An answer proves that the frame received all of it: the frame greets again and says nothing else.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('message', resolve, { once: true });
        document
          .querySelector<HTMLIFrameElement>('html > div > iframe')
          ?.contentWindow?.postMessage({ channel: 'card-form' }, '*');
      }),
  );
  const said = await page.evaluate(() =>
    Reflect.get(window, 'overheard').map((data: object) => Reflect.get(data, 'type')),
  );
  expect([...new Set(said)]).toEqual(['hello']); // the answer to each message with our mark, and nothing more
  expect(requests.slice(before)).toEqual([]);
  expect(await service.record(intent.id)).toMatchObject({ confirms: 0 });
  await enter(page);
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
});

test('threat-model C85: without moveBefore() the form is reloaded, as without `keep`', async ({
  page,
  site,
  service,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Element.prototype, 'moveBefore');
  });
  const { checkout, documents } = await openShop({ page, site, service });
  await checkout.field('number').fill(CARD.visa);
  const frames = documents.length;
  await leave(page);
  await expect(page.locator('iframe')).toHaveCount(0);
  await enter(page);
  await expect(checkout.field('number')).toHaveValue('');
  expect(documents).toHaveLength(frames + 1);
});

test('promises 1.6, 1.15: after update({ clientSecret }) the form returns for its new intent, not for the old one', async ({
  page,
  site,
  service,
}) => {
  const { intent, checkout, documents } = await openShop({ page, site, service });
  await checkout.fill();
  const after = await service.createIntent({ amount: 6804 });
  expect(await page.evaluate((secret) => window.keep.swap(secret), after.client_secret)).toBeNull();
  await checkout.ready('Pay $68.04');
  const frames = documents.length;
  await leave(page);
  await expect(parked(page)).toHaveCount(1);
  await enter(page); // the previous intent
  await expect(checkout.field('number')).toHaveValue('');
  expect(documents).toHaveLength(frames + 1);
  await expect(parked(page)).toHaveCount(1);
  await page.evaluate(() => document.querySelector('main')?.replaceChildren()); // the form is not parked
  await enter(page, { clientSecret: after.client_secret });
  expect(await typed(checkout)).toEqual(TYPED);
  expect(documents).toHaveLength(frames + 1);
  await checkout.field('code').fill('123');
  await checkout.pay();
  await expect(checkout.outcome).toBeVisible();
  expect(await service.record(after.id)).toMatchObject({ charges: 1, confirms: 1 });
  expect(await service.record(intent.id)).toMatchObject({ charges: 0, confirms: 0 });
});
