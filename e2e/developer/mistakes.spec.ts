/**
 * What a developer is told on the first day: each row of "First-day mistakes" in docs/errors.md, made in a browser. The
 * test pages are loopback pages.
 */
import type { Page } from 'playwright/test';
import { readManifest } from '../hosting/hosting.ts';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ knownBuyer: true });

const CLIENT = /\/partner\/v1\/client\//;
const REAL_KEY = `pk_live_${'a'.repeat(32)}`;

/** Call it before the page is opened. The function waits until the console has said this. */
const consoleOf = (page: Page) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  return (words: string | RegExp) =>
    expect
      .poll(() => said.join('\n'), { timeout: 10_000 })
      .toMatch(typeof words === 'string' ? new RegExp(words) : words);
};

/** Mounts a form in a page that has none yet, and returns the message of the exception. */
const mistakeOf = (page: Page, options: object, target = '#card-form'): Promise<string | null> =>
  page.evaluate(
    ([target, options]) => {
      try {
        window.mountCardForm(target, options);
        return null;
      } catch (mistake) {
        return mistake instanceof Error ? mistake.message : `${mistake}`;
      }
    },
    [target, options] as const,
  );

/** Serves the merchant's pages from https://shop.example, which is no loopback address, with the service's files. */
const goLive = async (page: Page, merchant: { url: string }, service: { url: string }) => {
  await page.route('https://shop.example/**', async (route) => {
    const url = route.request().url().replace('https://shop.example', merchant.url);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  // The browser asks its user before a public page may reach a loopback address.
  await page.route(`${service.url}/**`, async (route) => route.fulfill({ response: await route.fetch() }));
};

const panelOf = (page: Page) => {
  const { frame } = checkoutPage(page);
  return { count: frame.locator('.problem-count'), items: frame.locator('.problem-list li') };
};

test('First day: The key is missing, cut off, or something else', async ({ page, merchant }) => {
  const says = consoleOf(page);
  await page.goto(merchant.serve({}));
  const clientSecret = 'lg_cs_x';
  expect(await mistakeOf(page, { clientSecret })).toBe('invalid_option: publishableKey: undefine');
  await says('got nothing. Give the publishable key');
  expect(await mistakeOf(page, { publishableKey: 'pk_live_cut', clientSecret })).toContain('invalid_option');
  await says('It is cut off');
  await mistakeOf(page, { publishableKey: 'pk_test_1234', clientSecret });
  await says('something that begins with "pk_test_"');
});

test('First day: The key is of another service, or was revoked', async ({ open, page, service }) => {
  const says = consoleOf(page);
  const foreign = await open(await service.createIntent(), { options: { publishableKey: REAL_KEY } });
  expect(await foreign.hears('error')).toMatchObject({ code: 'invalid_api_key' });
  await says('invalid_api_key: The service does not know this publishableKey');
  await service.revoke(service.keys.publishable);
  const revoked = await open(await service.createIntent());
  expect(await revoked.hears('error')).toMatchObject({ code: 'api_key_revoked' });
  await says('This publishableKey was revoked');
  await expect(panelOf(page).count).toHaveText(/^1/);
});

test('First day: Key and client secret are swapped', async ({ page, merchant, service }) => {
  const says = consoleOf(page);
  await page.goto(merchant.serve({}));
  const { publishable } = service.keys;
  expect(await mistakeOf(page, { publishableKey: 'lg_cs_swapped', clientSecret: publishable })).toBe(
    'invalid_option: publishableKey: lg_cs_sw',
  );
  await says('belongs into clientSecret');
  await mistakeOf(page, { publishableKey: publishable, clientSecret: publishable });
  await says('belongs into publishableKey');
});

test('First day: The id of the intent, or the whole answer, in place of the client secret', async ({
  page,
  merchant,
  service,
}) => {
  const says = consoleOf(page);
  const intent = await service.createIntent();
  await page.goto(merchant.serve({}));
  const publishableKey = service.keys.publishable;
  expect(await mistakeOf(page, { publishableKey, clientSecret: intent.id })).toContain(
    'clientSecret: lg_pi_',
  );
  await says('got the id of a payment intent. Give the client_secret');
  await mistakeOf(page, { publishableKey, clientSecret: { ...intent, client_secret: '' } });
  await says('got an object .* Give the client_secret');
});

test('First day: await was forgotten', async ({ page, merchant, service }) => {
  const says = consoleOf(page);
  await page.goto(merchant.serve({}));
  const message = await page.evaluate((publishableKey) => {
    const fetchSecret = async () => 'lg_cs_x';
    try {
      Reflect.apply(window.mountCardForm, null, [
        '#card-form',
        { publishableKey, clientSecret: fetchSecret() },
      ]);
      return null;
    } catch (mistake) {
      return mistake instanceof Error ? mistake.message : `${mistake}`;
    }
  }, service.keys.publishable);
  expect(message).toBe('invalid_option: clientSecret: [object ');
  await says('got an object \\(if it is a promise, await it\\)');
});

test('First day: The address of the script is wrong', async ({ page, merchant, service }) => {
  const says = consoleOf(page);
  await page.goto(merchant.serve({ loaders: 0 }));
  const address = `${service.url}/partner/v1/card-from.js`;
  await page.addScriptTag({ url: address }).catch(() => undefined);
  await says('404 \\(Not Found\\)');
  const answer = await fetch(address, { headers: { 'sec-fetch-dest': 'script' } });
  expect(await answer.text()).toContain('the script is /partner/v1/card-form.js');
});

test('First day: A secret key on the page', async ({ page, merchant, service }) => {
  const says = consoleOf(page);
  await page.goto(merchant.serve({}));
  const options = { publishableKey: service.keys.secret, clientSecret: 'lg_cs_x' };
  expect(await mistakeOf(page, options)).toBe('secret_key_exposed');
  await says('revoke it');
});

test('First day: Key and client secret belong to different accounts', async ({ open, page, service }) => {
  const says = consoleOf(page);
  const checkout = await open(await service.createIntent(), {
    options: { clientSecret: 'lg_cs_of_somebody_else' },
  });
  expect(await checkout.hears('error')).toMatchObject({ code: 'invalid_client_secret' });
  await says('the same account');
  const { count, items } = panelOf(page);
  await count.click();
  await expect(items).toHaveText([/^invalid_client_secret .*the same account/]);
});

test('First day: The client secret was used already', async ({ open, page, service }) => {
  const says = consoleOf(page);
  const intent = await service.createIntent();
  const first = await open(intent);
  await first.fillCard(CARD.visa);
  await first.pay();
  await expect(first.outcome).toHaveText('Payment received');
  await expect(panelOf(page).count).toHaveCount(0); // nothing is wrong with a payment
  const second = await open(intent);
  expect(await second.hears('result')).toMatchObject({ outcome: 'succeeded' });
  await says('already_paid: This client secret was used');
  await expect(panelOf(page).count).toHaveText(/^1 problem /);
});

test('First day: The intent was canceled', async ({ open, page, service }) => {
  const says = consoleOf(page);
  const intent = await service.createIntent();
  await service.cancel(intent.id);
  const checkout = await open(intent);
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'canceled' });
  await says('payment_intent_canceled: .*Create another intent');
  const { count, items } = panelOf(page);
  await count.click();
  await expect(items).toHaveText([/fetchClientSecret/]);
});

test('First day: mount() runs before the element exists', async ({ page, merchant, service }) => {
  const says = consoleOf(page);
  await page.goto(merchant.serve({ body: '<main></main>' }));
  const options = { publishableKey: service.keys.publishable, clientSecret: 'lg_cs_x' };
  const message = await page.evaluate((options) => {
    try {
      window.mountCardForm('#late', options);
      return null;
    } catch (mistake) {
      return mistake instanceof Error ? mistake.message : null;
    } finally {
      document.querySelector('main')?.append(Object.assign(document.createElement('div'), { id: 'late' }));
    }
  }, options);
  expect(message).toBe('target_not_found: #late');
  await says('yet when mount\\(\\) was called. Put the script');
  await mistakeOf(page, options, '#nowhere');
  await says('Check the selector');
});

test('First day: Mounted twice, or two forms for one client secret', async ({ open, page, service }) => {
  const says = consoleOf(page);
  const intent = await service.createIntent();
  await open(intent, { body: '<div id="card-form"></div><div id="other"></div>' });
  const options = { publishableKey: service.keys.publishable, clientSecret: intent.client_secret };
  expect(await mistakeOf(page, options)).toBe('already_mounted');
  expect(await mistakeOf(page, options, '#other')).toBe('already_mounted');
  await says('unmount\\(\\) on it first');
});

test('First day: A method is called after unmount()', async ({ open, page, service }) => {
  const says = consoleOf(page);
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  await page.evaluate(() => {
    const [form] = window.forms;
    form?.unmount();
    form?.refresh();
    void form?.validate();
  });
  await says('refresh\\(\\) was called on a form that was unmounted');
  await says('validate\\(\\) was called on a form that was unmounted');
});

test('First day: The script was bundled or inlined', async ({ page, merchant, service, watch }) => {
  watch.expect(/script_not_found/);
  const thrown = page.waitForEvent('pageerror');
  await page.goto(merchant.serve({ loaders: 0 }));
  const script = await (await fetch(`${service.url}/partner/v1/card-form.js`)).text();
  await page.addScriptTag({ content: script });
  expect((await thrown).message).toBe('script_not_found: use an HTML <script src>');
});

test('First day: The script itself is blocked, by an extension or by script-src', async ({
  open,
  page,
  service,
  watch,
}) => {
  watch.expect(/CardForm is not defined|CSP violation: script-src|Content Security Policy/);
  const intent = await service.createIntent();
  const byPolicy = page.waitForEvent('pageerror');
  await open(intent, { policy: "script-src 'self'" });
  expect((await byPolicy).message).toBe('CardForm is not defined');
  await page.route(/card-form\.js$/, (route) => route.abort('blockedbyclient'));
  const byExtension = page.waitForEvent('pageerror');
  await open(intent);
  expect((await byExtension).message).toBe('CardForm is not defined');
});

test('First day: The policy lacks frame-src', async ({ open, page, service, watch }) => {
  watch.expect(/frame-src/);
  const says = consoleOf(page);
  const checkout = await open(await service.createIntent(), { policy: "frame-src 'none'" });
  expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'csp' });
  await says(
    `frame-src ${service.url}/partner/v1/card-form/; script-src ${service.url}/partner/v1/card-form.js`,
  );
});

test('First day: The policy lacks the folder in script-src', async ({ open, page, service, watch }) => {
  watch.expect(/CSP violation: script-src|violates|Failed to fetch dynamically/);
  const says = consoleOf(page);
  const checkout = await open(await service.createIntent(), {
    policy: `script-src 'self' ${service.url}/partner/v1/card-form.js`,
  });
  await checkout.ready(); // the form asks what covers the total once there is one
  await checkout.fillCard(CARD.visa);
  await says('CardForm: script-src: Cannot check what covers the total');
  const { count, items } = panelOf(page);
  await count.click();
  await expect(items.locator('code')).toHaveText(
    `script-src ${service.url}/partner/v1/card-form.js ${service.url}/partner/v1/card-form/; frame-src ${service.url}/partner/v1/card-form/`,
  );
});

test('First day: No https', async ({ openWithoutHttps }) => {
  const checkout = await openWithoutHttps();
  await expect(checkout.fallback).toContainText('(insecure_context)');
  expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'insecure_context' });
});

test('First day: A page by http on an address of the local network', async ({ openWithoutHttps, page }) => {
  const says = consoleOf(page);
  const checkout = await openWithoutHttps('192.168.1.20');
  await expect(checkout.fallback).toContainText('(insecure_context)');
  await says('open the page by http://localhost instead of an address of the network');
});

test('First day: The page is a file, or in a sandboxed frame', async ({ merchant, page, serve, service }) => {
  const says = consoleOf(page);
  const address = serve(await service.createIntent());
  await page.goto(
    merchant.serve({ body: `<iframe title="shop" sandbox="allow-scripts" src="${address}"></iframe>` }),
  );
  await expect(page.frameLocator('iframe[title="shop"]').getByRole('alert')).toContainText('(opaque_parent)');
  await says('add allow-same-origin.*give the HTML a base URL');
});

test('First day: The browser is offline', async ({ context, page, merchant, service }) => {
  const { client_secret } = await service.createIntent();
  await page.goto(merchant.serve({}));
  await context.setOffline(true);
  await mistakeOf(page, {
    publishableKey: service.keys.publishable,
    clientSecret: client_secret,
    locale: 'en',
  });
  const checkout = checkoutPage(page);
  expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'offline' });
  await context.setOffline(false);
  await checkout.fallback.getByRole('button', { name: 'Try again' }).click();
  await checkout.ready();
});

test('First day: An extension or a proxy keeps the frame away', async ({ open, page, service }) => {
  const says = consoleOf(page);
  await page.route(/frame\.html$/, (route) => route.abort('blockedbyclient'));
  const checkout = await open(await service.createIntent());
  expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'http' });
  await says(/Open http:\/\/.*\/frame\.html in a tab.*an ad blocker/);
});

test('First day: The service is on http, the page on https', async ({
  merchant,
  page,
  serve,
  service,
  watch,
}) => {
  watch.expect(/^asked a stranger/);
  const says = consoleOf(page);
  const address = serve(await service.createIntent(), { options: { debug: true } });
  await goLive(page, merchant, service);
  // A loopback service is no mixed content to a browser, so the browser's part is played.
  await page.route(/frame\.html$/, (route) => route.abort('blockedbyclient'));
  await page.goto(address.replace(merchant.url, 'https://shop.example'));
  expect(await checkoutPage(page).hears('loaderror')).toMatchObject({ reason: 'http' });
  await says('the browser blocks mixed content');
});

test('First day: An extension or a proxy blocks the requests of the form', async ({
  open,
  page,
  service,
}) => {
  const says = consoleOf(page);
  await page.route(CLIENT, (route) => route.abort('blockedbyclient'));
  const checkout = await open(await service.createIntent());
  await says('blocked_requests: .*an ad blocker');
  expect(await checkout.events('error')).toEqual([]); // the form itself is still trying
  const { count, items } = panelOf(page);
  await count.click();
  await expect(items).toHaveText([/^blocked_requests /]);
});

test('First day: The page pins a release that the service withdrew', async ({ open, page, service }) => {
  const says = consoleOf(page);
  // As the document that takes the place of a withdrawn release, which release.test.ts holds to this.
  await page.route(/frame\.html$/, async (route) => {
    const [, release = ''] = /card-form\/([^/]+)\/frame/.exec(route.request().url()) ?? [];
    const hello = { channel: 'card-form', type: 'hello', protocols: [1], release };
    await route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><script>
        addEventListener('message', ({ ports }) => ports[0]?.postMessage({ type: 'loaderror', reason: 'withdrawn' }));
        parent.postMessage(${JSON.stringify(hello)}, '*');
      </script>`,
    });
  });
  const checkout = await open(await service.createIntent());
  expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'withdrawn' });
  await says('pin another release');
});

test('First day: A library put back a copy of a page loaded earlier', async ({
  merchant,
  page,
  service,
  watch,
}) => {
  watch.expect(/restored: the page was put back/);
  const error = page.waitForEvent('pageerror');
  await page.goto(
    merchant.serve({
      body: '<card-form data-card-form-name="1-2-3-4"></card-form>',
      attributes: `data-card-form data-publishable-key="${service.keys.publishable}"`,
    }),
  );
  expect((await error).message).toContain('data-restored="reload" on the script tag');
  await expect(page.getByRole('alert')).toHaveText(/\(restored\)/);
});

test('First day: A cache or a proxy changed a file', async ({ page, service, site, tampering, watch }) => {
  watch.expect(/integrity|dynamically imported module|ERR_/);
  const says = consoleOf(page);
  const { files } = await readManifest();
  const address = Object.keys(files).find((file) => file.endsWith('/assets/pay.js')) ?? '';
  tampering.alter({ address, alter: (text) => `${text};` });
  const { client_secret } = await service.createIntent();
  const options = { publishableKey: service.keys.publishable, clientSecret: client_secret };
  await page.goto(
    site.put(
      '/checkout',
      `<!doctype html><title>Shop</title><div id="card-form"></div>
      <script src="${tampering.url}/partner/v1/card-form.js"></script>
      <script>CardForm.mount('#card-form', ${JSON.stringify(options)})</script>`,
    ),
  );
  await expect(checkoutPage(page).fallback).toContainText('(integrity)');
  await says(/A script of the form arrived altered.*pay\.js/);
});

test('First day: The container was removed and put back', async ({ open, page, service }) => {
  const says = consoleOf(page);
  const explanations = page.waitForResponse(/\/mistakes\.js$/);
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  // They come after the form, and see only what happens then.
  const address = (await explanations).url();
  await page.addScriptTag({ type: 'module', content: `import '${address}'` });
  await page.evaluate(async () => {
    const container = document.querySelector('#card-form');
    container?.remove();
    await new Promise((resolve) => setTimeout(resolve));
    if (container) document.body.append(container);
  });
  await says('#card-form was taken out of the page and put back');
  expect(await checkout.events('result')).toEqual([]); // nothing was sent
});

const CUTTING = [
  ['#card-form { contain: strict }', '#card-form'],
  ['main { height: 0; overflow: hidden }', '<main>'],
  ['body { display: grid; grid-template-rows: 0 } main { overflow: clip }', '<main>'],
] as const;

test('First day: Something around the form has no height and cuts it off', async ({
  open,
  page,
  service,
}) => {
  const says = consoleOf(page);
  for (const [css, element] of CUTTING) {
    await open(await service.createIntent(), { body: '<main><div id="card-form"></div></main>', css });
    await says(`has no height and cuts off the form: ${element}`);
  }
});

test('First day: The container is hidden, in a tab, an accordion or a dialog', async ({
  open,
  page,
  service,
}) => {
  const says = consoleOf(page);
  const hidden = [
    '<div id="around" hidden><div id="card-form"></div></div>',
    '<details id="around"><summary>Pay</summary><div id="card-form"></div></details>',
    '<dialog id="around"><div id="card-form"></div></dialog>',
  ];
  for (const body of hidden) {
    const intent = await service.createIntent();
    const checkout = await open(intent, { body });
    await expect(checkout.iframe).toBeHidden();
    await page.evaluate(() => {
      const around = document.querySelector('#around');
      if (around instanceof HTMLDialogElement) around.showModal();
      else if (around instanceof HTMLDetailsElement) around.open = true;
      else around?.removeAttribute('hidden');
    });
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
    // Who sees the form has nothing to do.
    await expect(panelOf(page).items.filter({ hasText: /container|not shown/ })).toHaveCount(0);
  }
  const checkout = await open(await service.createIntent(), { css: '#card-form { display: none }' });
  expect(await checkout.hears('warning')).toMatchObject({ about: 'container' });
  await says('The form is not shown: .*display: none');
});

test('First day: The container has no width, or is too small', async ({ open, page, service }) => {
  const says = consoleOf(page);
  const flat = await open(await service.createIntent(), {
    css: '#card-form { width: 0; overflow: hidden }',
  });
  expect(await flat.hears('warning')).toMatchObject({ about: 'container' });
  await says('The container has no width');
  const small = await open(await service.createIntent(), { css: '#card-form { width: 150px }' });
  expect(await small.hears('warning')).toMatchObject({ about: 'container' });
  await says('The form needs at least 200 by 120');
});

test('First day: The form is scaled down, faded or blurred, as in a dialog that opens', async ({
  open,
  page,
  service,
}) => {
  const says = consoleOf(page);
  for (const style of ['transform: scale(0.4)', 'opacity: 0.4', 'filter: blur(4px)']) {
    const intent = await service.createIntent();
    const checkout = await open(intent, { css: `#card-form:not(.opened) { ${style} }` });
    await checkout.fillCard(CARD.visa);
    await checkout.payButton.press('Enter'); // Playwright clicks beside what is in a scaled frame
    expect(await checkout.hears('error'), style).toMatchObject({ code: 'obscured' });
    await says('scaled below half its size');
    await expect(panelOf(page).count).toHaveText(/^1 /);
    await checkout.container.evaluate((container) => container.classList.add('opened'));
    await expect(async () => {
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received', { timeout: 3000 });
    }).toPass();
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  }
});

test('First day: An unknown or misspelt option, or update() of a fixed one', async ({
  open,
  page,
  service,
}) => {
  const says = consoleOf(page);
  const checkout = await open(await service.createIntent(), { options: { acceptedBrand: ['visa'] } });
  await checkout.ready();
  await says('Did you mean acceptedBrands');
  await page.evaluate(() => window.forms[0]?.update({ publishableKey: 'x' }));
  await says('publishableKey: update\\(\\) cannot change it');
  const { count, items } = panelOf(page);
  await count.click();
  await expect(items).toHaveText([/^acceptedBrand /, /^publishableKey /]);
});

test('with `debug` a page that is not on loopback gets the same explanations, and without it none', async ({
  merchant,
  page,
  service,
  watch,
}) => {
  watch.expect(/^asked a stranger/);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const says = consoleOf(page);
  await goLive(page, merchant, service);
  await page.goto(merchant.serve({}).replace(merchant.url, 'https://shop.example'));
  const options = { publishableKey: 'lg_cs_swapped', clientSecret: service.keys.publishable };
  await mistakeOf(page, options);
  await expect.poll(() => asked.join()).toContain('/page.js');
  await page.waitForLoadState('networkidle');
  expect(asked.join()).not.toContain('mistakes.js');
  await mistakeOf(page, { ...options, debug: true });
  await says('The two are swapped');
});
