/**
 * Pages of Turbo, htmx and idiomorph, which change the page without loading it, keep copies of replaced parts, and
 * restore them (promises 1.12). The libraries are real and unmodified.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { ForeignSite } from '../support/foreign-site.ts';
import type { Intent, Service } from '../support/service.ts';

const LIBRARIES = {
  turbo: ['@hotwired/turbo/dist/turbo.es2017-umd.js', ''],
  htmx: ['htmx.org/dist/htmx.js', 'hx-boost="true"'],
} as const;
type Library = keyof typeof LIBRARIES;

const library = (path: string) =>
  readFile(fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url)), 'utf8');

const html = (name: string, more: string, body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>${name}</title><link rel="icon" href="data:,">${head}</head>
<body ${more}><h1>${name}</h1>${body}</body></html>`;

/** The ways to put the form into a page. */
const WAYS = {
  '<card-form>': ({ client_secret }: Intent) =>
    `<card-form id="card-form" locale="en" client-secret="${client_secret}"></card-form>`,
  'data-card-form': ({ client_secret }: Intent) =>
    `<div id="card-form" data-card-form data-locale="en" data-client-secret="${client_secret}"></div>`,
  'mount()': ({ client_secret }: Intent, service: Service) =>
    `<div id="card-form"></div><script>CardForm.mount('#card-form', ${JSON.stringify({
      publishableKey: service.keys.publishable,
      clientSecret: client_secret,
      locale: 'en',
      defaultValues: KNOWN_BUYER,
    })})</script>`,
} as const;
type Way = keyof typeof WAYS;

const serveShop = async (site: ForeignSite, service: Service, intent: Intent, kind: Library, way: Way) => {
  const [file, attributes] = LIBRARIES[kind];
  site.put('/library.js', { body: await library(file), type: 'text/javascript' });
  const head = `<script src="/library.js"></script><script src="${service.url}/partner/v1/card-form.js" ${way === 'mount()' ? '' : `data-card-form data-publishable-key="${service.keys.publishable}"`}></script>`;
  site.put('/help', html('Help', attributes, '<a href="/checkout">Checkout</a>', head));
  return site.put(
    '/checkout',
    html('Checkout', attributes, `${WAYS[way](intent, service)}<a href="/help">Help</a>`, head),
  );
};

const openHelp = async (page: Page) => {
  await page.getByRole('link', { name: 'Help' }).click();
  await expect(page.getByRole('heading', { name: 'Help' })).toBeVisible();
};

const payIn = async (page: Page, way: Way) => {
  const checkout = checkoutPage(page);
  await checkout.ready();
  await expect(page.locator('iframe')).toHaveCount(1);
  if (way === 'mount()') await checkout.fillCard(CARD.visa);
  else await checkout.fill();
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
};

// Each library and each way, with and without moveBefore().
for (const [kind, way, moves] of [
  ['turbo', '<card-form>', true],
  ['htmx', 'mount()', true],
  ['htmx', 'data-card-form', false],
  ['turbo', 'mount()', false],
] as const) {
  const isRare = !moves;
  test(
    `promises 1.12: after Back the form is there and pays: ${kind}, ${way}${moves ? '' : ', without moveBefore()'}`,
    isRare ? { tag: '@thorough' } : {},
    async ({ page, service, site }) => {
      const intent = await service.createIntent();
      if (!moves)
        await page.addInitScript(() => {
          for (const { prototype } of [Element, Document, DocumentFragment])
            Reflect.deleteProperty(prototype, 'moveBefore');
        });
      await page.goto(await serveShop(site, service, intent, kind, way));
      await checkoutPage(page).ready();
      await openHelp(page);
      await page.goBack();
      await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible();
      await payIn(page, way);
      expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
    },
  );
}

test('promises 1.12: a copy of an earlier page says that its secret is lost, and Try again reloads the page', async ({
  page,
  service,
  site,
  watch,
}) => {
  watch.expect(/restored: the page was put back/);
  const intent = await service.createIntent();
  await page.goto(await serveShop(site, service, intent, 'htmx', '<card-form>'));
  await checkoutPage(page).ready();
  await openHelp(page);
  await page.reload();
  await page.goBack();
  await expect(page.getByRole('alert')).toHaveText(/^Card form does not load\. \(restored\)/);
  await expect(page.locator('iframe')).toHaveCount(0);
  await page.getByRole('button', { name: 'Try again' }).click();
  await payIn(page, '<card-form>');
});

test('promises 1.12: a page morphed into the HTML of the server has the form, and pays', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const intent = await service.createIntent();
  const address = await serveShop(site, service, intent, 'htmx', '<card-form>');
  site.put('/library.js', { body: await library('idiomorph/dist/idiomorph.js'), type: 'text/javascript' });
  await page.goto(address);
  await checkoutPage(page).ready();
  const children = await page.evaluate(async () => {
    const served = await (await fetch(location.href)).text();
    const { body } = new DOMParser().parseFromString(served, 'text/html');
    Reflect.get(window, 'Idiomorph').morph(document.body, body);
    return document.querySelector('#card-form')?.childElementCount;
  });
  expect(children).toBe(0);
  await payIn(page, '<card-form>');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
});

test('promises 1.12: after Back, fetchClientSecret of the page is called again', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const intents = [await service.createIntent(), await service.createIntent()];
  const [first, second] = intents.map(({ client_secret }) => client_secret);
  site.put('/library.js', { body: await library(LIBRARIES.turbo[0]), type: 'text/javascript' });
  const head = `<script src="/library.js"></script><script src="${service.url}/partner/v1/card-form.js"></script>
<script>const secrets = ${JSON.stringify([first, second])}; const fetchClientSecret = async () => secrets.shift();</script>`;
  site.put('/help', html('Help', '', '<a href="/checkout">Checkout</a>', head));
  await page.goto(
    site.put(
      '/checkout',
      html(
        'Checkout',
        '',
        `<div id="card-form"></div><script>CardForm.mount('#card-form', { ...${JSON.stringify({
          publishableKey: service.keys.publishable,
          locale: 'en',
          defaultValues: KNOWN_BUYER,
        })}, fetchClientSecret })</script><a href="/help">Help</a>`,
        head,
      ),
    ),
  );
  await checkoutPage(page).ready();
  await openHelp(page);
  await page.goBack();
  await payIn(page, 'mount()');
  const charges = await Promise.all(intents.map(async ({ id }) => (await service.record(id)).charges));
  expect(charges).toEqual([0, 1]);
});

/** Opens the shop with a script that mounts once, as the module of a bundle does. */
const mountOnce = async (page: Page, site: ForeignSite, service: Service, kind: Library) => {
  const intent = await service.createIntent();
  const address = await serveShop(site, service, intent, kind, 'mount()');
  const served = await (await fetch(address)).text();
  const [script = '', once = ''] = /<script>(CardForm.*?)<\/script>/.exec(served) ?? [];
  site.put('/checkout', served.replace(script, ''));
  await page.goto(address);
  await page.addScriptTag({ content: once });
  await checkoutPage(page).ready();
};

test('promises 1.12: on a page that mounts only at load, the copy of the frame says that it has no form', {
  tag: '@thorough',
}, async ({ page, service, site, watch }) => {
  watch.expect(/restored: the page was put back/);
  await page.clock.install();
  await mountOnce(page, site, service, 'htmx');
  await openHelp(page);
  const hello = page.waitForRequest(/frame\.html/);
  await page.goBack();
  await expect((await (await hello).response())?.status()).toBe(200);
  await expect(page.locator('iframe')).toHaveCount(1);
  await expect(async () => {
    await page.clock.fastForward(10_000);
    await expect(page.getByRole('alert')).toHaveText(/^Card form does not load\. \(restored\)/, {
      timeout: 100,
    });
  }).toPass();
  await expect(page.locator('iframe')).toHaveCount(0);
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Try again' }).click();
  await loaded;
});

test('promises 1.12: when Turbo restores an empty container, the console tells the developer what to do', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.clock.install();
  await mountOnce(page, site, service, 'turbo');
  await openHelp(page);
  await page.goBack();
  await expect(page.locator('#card-form')).toHaveCount(1);
  await expect(async () => {
    await page.clock.fastForward(10_000);
    expect(said.join()).toContain('put_back: #card-form was taken out of the page and put back');
  }).toPass();
});

test('promises 1.12: a page replaced by document.write() mounts the same payment again, and pays', {
  tag: '@thorough',
}, async ({ page, service, site }) => {
  const intent = await service.createIntent();
  const head = `<script src="${service.url}/partner/v1/card-form.js"></script>`;
  const body = WAYS['mount()'](intent, service);
  await page.goto(site.put('/checkout', html('Checkout', '', body, head)));
  await checkoutPage(page).ready();
  await page.evaluate(
    (written) => {
      document.open();
      document.write(written);
      document.close();
    },
    html('Checkout', '', body),
  );
  await payIn(page, 'mount()');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1 });
});
