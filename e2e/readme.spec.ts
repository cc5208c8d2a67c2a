/** The pages of README.md, as they stand there but for the address of the service, the keys and the release. */
import { createHash } from 'node:crypto';
import { checkoutPage } from './checkout-page.ts';
import { expect, test } from './fixtures.ts';
import { readManifest } from './hosting.ts';
import { block, type HeldBy } from './readme.ts';
import type { Intent, Service } from './service.ts';

type PageName = Exclude<HeldBy<'browser'>, 'Content security policy: text'>;

/** A page with the keys of this service and payment; the release is the one that was built. */
const pageOf = async (name: string, service: Service, { client_secret }: Intent): Promise<string> => {
  const { release, files } = await readManifest();
  const integrity = files[`/partner/v1/card-form/${release}/card-form.js`] ?? '';
  return block(name)
    .replaceAll('https://pay.example', service.url)
    .replaceAll('pk_live_…', service.keys.publishable)
    .replaceAll('lg_cs_…', client_secret)
    .replaceAll('sha384-…', integrity)
    .replaceAll('ed25519-…', service.integrity)
    .replaceAll('0.1.0-5504ff6e62fb', release);
};

/** Where each page leads after the payment; null where it stays. */
const LEADS_TO: Record<PageName, RegExp | null> = {
  'A script tag: html': /\/thanks$/,
  'No code: html': /\/thanks$/,
  'No code: html 2': /\/thanks\?payment_intent=lg_pi_\w+$/,
  'The iframe in your HTML: faster: html': null,
  'Moving, signed or pinned: html': null,
  'Staying with one release: html': null,
};

/** The policy of the README, for pages with a script of their own, and nothing else allowed. */
const strict = (service: Service) =>
  `default-src 'none'; ${block('Content security policy: text')
    .replace('script-src', "script-src 'self' 'unsafe-inline'")
    .replaceAll('\n', ' ')
    .replaceAll('https://pay.example', service.url)}; style-src 'self'; img-src data:`;

/** What a policy says of the page's own style, which stands in it. */
const styleHash = (html: string): string => {
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  return style === undefined ? '' : ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
};

for (const [name, address] of Object.entries(LEADS_TO)) {
  test(`README.md, ${name}: pays under the policy that stands there`, async ({
    merchant,
    page,
    service,
    site,
  }) => {
    const intent = await service.createIntent();
    const body = await pageOf(name, service, intent);
    expect(body).not.toMatch(/pay\.example|…/);
    // What the table says of pinned pages.
    const allowed = /^Staying/.test(name)
      ? strict(service).replace(`${service.url}/partner/v1/card-form.js`, '')
      : strict(service);
    const policy = allowed.replace("style-src 'self'", `$&${styleHash(body)}`);
    await page.route(/\/thanks/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Thanks</title>' }),
    );
    // A whole page is served as it stands; what is a part of one stands in a page of the test's own.
    const served = body.startsWith('<!doctype html>')
      ? site.put('/checkout.html', { body, headers: { 'Content-Security-Policy': policy } })
      : merchant.serve({ body, loaders: 0, policy });
    await page.goto(served, { waitUntil: 'domcontentloaded' });
    const checkout = checkoutPage(page, 'body');
    await checkout.fill();
    await checkout.pay();
    if (address) await expect(page).toHaveURL(address);
    else await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });
}

for (const [device, width, isMobile] of [
  ['a phone', 390, true],
  ['a narrow phone', 320, true],
  ['a desktop', 1280, false],
] as const) {
  test(`README.md, A script tag: the quick start's page is a whole page, and fits ${device}`, async ({
    browser,
    service,
    site,
  }) => {
    const body = await pageOf('A script tag: html', service, await service.createIntent());
    const context = await browser.newContext({ viewport: { width, height: 844 }, isMobile });
    const page = await context.newPage();
    await page.goto(site.put('/checkout.html', { body, type: 'text/html' }));
    await checkoutPage(page, 'body').ready();
    const seen = await page.evaluate(() => ({
      mode: document.compatMode,
      charset: document.characterSet,
      lang: document.documentElement.lang,
      title: document.title !== '',
      width: innerWidth,
      overflow: document.documentElement.scrollWidth - innerWidth,
    }));
    expect(seen).toEqual({
      mode: 'CSS1Compat',
      charset: 'UTF-8',
      lang: 'en',
      title: true,
      width,
      overflow: expect.any(Number),
    });
    expect(seen.overflow).toBeLessThanOrEqual(0);
    const form = await page.locator('iframe').boundingBox();
    expect(form?.width).toBeLessThanOrEqual(Math.min(width, 480));
    expect(form?.width).toBeGreaterThan(Math.min(width, 480) - 60);
    await context.close();
  });
}

test('README.md, Warnings: a policy that lacks the folder keeps nobody from paying, and the page is told', async ({
  open,
  service,
  watch,
}) => {
  watch.expect(/CSP violation: script-src|violates|Failed to fetch dynamically/);
  const policy = strict(service).replace(`${service.url}/partner/v1/card-form/;`, ';');
  const intent = await service.createIntent();
  const checkout = await open(intent, { policy });
  await checkout.fill();
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  expect(await checkout.events('warning')).toMatchObject([
    { about: 'script-src', hint: expect.stringContaining('/partner/v1/card-form/') },
  ]);
});

test('README.md, Content security policy: a nonce lets in the script and what follows the elements', async ({
  merchant,
  page,
  service,
}) => {
  const nonce = 'bWVyY2hhbnQ';
  const html = await pageOf('No code: html', service, await service.createIntent());
  const body = html.replace('<script', `<script nonce="${nonce}"`);
  const policy = strict(service).replace(/script-src [^;]*/, `script-src 'nonce-${nonce}'`);
  await page.goto(merchant.serve({ body, loaders: 0, policy, nonce }), { waitUntil: 'domcontentloaded' });
  await checkoutPage(page, 'body').ready();
});

test('README.md, No code: every event is a DOM event', async ({ merchant, page, service }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const intent = await service.createIntent();
  const body = await pageOf('No code: html 2', service, intent);
  await page.route(/\/thanks/, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Thanks</title>' }),
  );
  await page.goto(merchant.serve({ body, loaders: 0 }), { waitUntil: 'domcontentloaded' });
  const checkout = checkoutPage(page, 'body');
  await checkout.fill();
  await checkout.pay();
  await expect.poll(() => said).toContain('succeeded');
  await expect(page).toHaveTitle('Thanks');
});
