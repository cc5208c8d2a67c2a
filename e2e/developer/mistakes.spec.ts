/**
 * Messages a developer gets on the first day: each row of "First-day mistakes" in docs/errors.md, made in a browser.
 * The test pages are loopback pages.
 */
import type { Page } from 'playwright/test';
import { readManifest } from '../hosting/hosting.ts';
import { violations } from '../support/axe.ts';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { overflowOf } from '../support/overflow.ts';

test.use({ knownBuyer: true });

const NO_FORM = /Card form does not load\./;
const REAL_KEY = `pk_live_${'a'.repeat(32)}`;

/** Call it before the page is opened. The returned function waits until the console has shown this. */
const consoleOf = (page: Page) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  return (words: string) => expect.poll(() => said.join('\n')).toMatch(new RegExp(words));
};

/** Mounts a form in a page without one, and returns the message of the exception. */
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

/** Serves the merchant's pages from https://shop.example, which is not a loopback address, with the service's files. */
const goLive = async (page: Page, merchant: { url: string }, service: { url: string }) => {
  await page.route('https://shop.example/**', async (route) => {
    const url = route.request().url().replace('https://shop.example', merchant.url);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  // The browser asks its user before a public page may reach a loopback address.
  await page.route(`${service.url}/**`, async (route) => route.fulfill({ response: await route.fetch() }));
};

/** Records requests that only a form sends. */
const formRequests = (page: Page) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/frame\.html|\/client\//.test(request.url())) asked.push(request.url());
  });
  return asked;
};

const panelOf = (page: Page) => {
  const { frame } = checkoutPage(page);
  return { count: frame.locator('.problem-count'), items: frame.locator('.problem-list li') };
};

test('promises 1.5 and 1.9: mount() throws a short message, and the console explains it', async ({
  page,
  merchant,
  service,
}) => {
  const says = consoleOf(page);
  const intent = await service.createIntent();
  const publishableKey = service.keys.publishable;
  const clientSecret = 'lg_cs_x';
  await page.goto(merchant.serve({ body: '<main><div id="card-form"></div><div id="other"></div></main>' }));

  await test.step('First day: The key is missing, cut off, or something else', async () => {
    expect(await mistakeOf(page, { clientSecret })).toBe('invalid_option: publishableKey: undefined');
    await says('got nothing. Give the publishable key');
  });
  await test.step('First day: Key and client secret are swapped', async () => {
    const swapped = { publishableKey: 'lg_cs_swapped', clientSecret: publishableKey };
    expect(await mistakeOf(page, swapped)).toBe('invalid_option: publishableKey: lg_cs_swa');
    await says('belongs in clientSecret');
  });
  await test.step('First day: The id of the intent, or the whole answer, instead of the client secret', async () => {
    const said = await mistakeOf(page, { publishableKey, clientSecret: intent.id });
    expect(said).toContain('clientSecret: lg_pi_');
    await says('got the id of a payment intent. Give the client_secret');
    await mistakeOf(page, { publishableKey, clientSecret: { ...intent, client_secret: '' } });
    await says('got an object .* Give the client_secret');
  });
  await test.step('First day: await was forgotten', async () => {
    const message = await page.evaluate((publishableKey) => {
      try {
        window.mountCardForm('#card-form', { publishableKey, clientSecret: Promise.resolve('lg_cs_x') });
        return null;
      } catch (mistake) {
        return mistake instanceof Error ? mistake.message : `${mistake}`;
      }
    }, publishableKey);
    expect(message).toBe('invalid_option: clientSecret: [object O');
    await says('got an object \\(if it is a promise, await it\\)');
  });
  await test.step('First day: A secret key on the page', async () => {
    const options = { publishableKey: service.keys.secret, clientSecret };
    expect(await mistakeOf(page, options)).toBe('secret_key_exposed');
    await says('revoke it');
  });
  await test.step('First day: mount() runs before the element exists', async () => {
    const message = await page.evaluate(
      (options) => {
        try {
          window.mountCardForm('#late', options);
          return null;
        } catch (mistake) {
          return mistake instanceof Error ? mistake.message : null;
        } finally {
          document
            .querySelector('main')
            ?.append(Object.assign(document.createElement('div'), { id: 'late' }));
        }
      },
      { publishableKey, clientSecret },
    );
    expect(message).toBe('target_not_found: #late');
    await says('yet when mount\\(\\) was called. Put the script');
  });
  await test.step('First day: Mounted twice, or two forms for one client secret', async () => {
    const options = { publishableKey, clientSecret: intent.client_secret, acceptedBrand: ['visa'] };
    await page.evaluate(`window.mountCardForm('#card-form', ${JSON.stringify(options)});
      forms[0].on('amountChange', () => {}); forms[0].on('decline', undefined)`);
    expect(await mistakeOf(page, options)).toBe('already_mounted');
    expect(await mistakeOf(page, options, '#other')).toBe('already_mounted');
    await says('unmount\\(\\) on it first');
  });
  await test.step('First day: An unknown or misspelt option, or update() of a fixed one', async () => {
    await checkoutPage(page).ready();
    await page.evaluate(() => window.forms[0]?.update({ publishableKey: 'x' }));
    await says('publishableKey: update\\(\\) cannot change it');
    const warnings = [
      expect.objectContaining({
        about: 'acceptedBrand',
        hint: expect.stringContaining('Did you mean acceptedBrands?'),
      }),
      expect.objectContaining({ about: 'publishableKey' }),
    ];
    await expect.poll(() => checkoutPage(page).events('warning')).toEqual(expect.arrayContaining(warnings));
  });
  await test.step('First day: An unknown or misspelt event, or a handler that is no function', async () => {
    await says('on\\("amountChange"\\): there is no such event. Did you mean "amountchange"\\?');
    await says('on\\("decline", …\\): the handler is not a function');
  });
  await test.step('First day: A method is called after unmount()', async () => {
    await page.evaluate(() => {
      const [form] = window.forms;
      form?.unmount();
      form?.refresh();
    });
    await says('refresh\\(\\) was called on a form that was unmounted');
  });
});

test('promises 1.9: keys and intents that the service refuses are explained on the console and in the panel', async ({
  open,
  page,
  service,
}) => {
  const says = consoleOf(page);
  const { count, items } = panelOf(page);
  const isUnavailable = async (code: string) => {
    const checkout = checkoutPage(page);
    await expect(checkout.outcome).toHaveText('The store cannot take this payment right now.');
    await expect(checkout.button.filter({ hasNotText: 'problem' })).toHaveCount(0);
    const error = { code, charged: 'unknown', recovery: 'fix_integration' };
    expect(await checkout.hears('error')).toMatchObject(error);
    expect(await checkout.hears('result promise')).toMatchObject({ outcome: 'failed', error });
  };
  await test.step('First day: Key and client secret belong to different accounts', async () => {
    await open(await service.createIntent(), { options: { clientSecret: 'lg_cs_of_somebody_else' } });
    await isUnavailable('invalid_client_secret');
    await says('the same account');
    await count.click();
    await expect(items).toHaveText([/^invalid_client_secret .*the same account/]);
  });
  await test.step('First day: The client secret was used already', async () => {
    const intent = await service.createIntent();
    const first = await open(intent);
    await first.fillCard(CARD.visa);
    await first.pay();
    await expect(first.outcome).toHaveText('Payment received');
    await expect(count).toHaveCount(0); // nothing is wrong with a payment
    const second = await open(intent);
    expect(await second.hears('result')).toMatchObject({ outcome: 'succeeded' });
    await says('already_paid: This client secret was used');
    await expect(count).toHaveText(/^1 problem /);
  });
  await test.step('First day: The intent was canceled', async () => {
    const intent = await service.createIntent();
    await service.cancel(intent.id);
    const checkout = await open(intent);
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'canceled' });
    await says('payment_intent_canceled: .*Create another intent');
  });
  await test.step('First day: The key is of another service, or was revoked', async () => {
    const checkout = await open(await service.createIntent(), {
      options: { publishableKey: REAL_KEY, acceptedBrand: ['visa'] },
    });
    await isUnavailable('invalid_api_key');
    await says('invalid_api_key: The service does not know this publishableKey');
    // A live key has no panel, whatever is wrong.
    await expect(checkout.frame.locator('.problems, .ribbon')).toHaveCount(0);
    await expect(checkout.frame.getByText('Sandbox')).toHaveCount(0);
  });
});

test('the first problem moves nothing, and the panel opens and closes by keyboard', async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent());
  const { count, items } = panelOf(page);
  const list = checkout.frame.locator('.problem-list');
  const boxes = () =>
    Promise.all(
      [checkout.iframe, checkout.frame.locator('.ribbon'), checkout.field('number'), checkout.payButton].map(
        (part) => part.boundingBox(),
      ),
    );
  await checkout.ready();
  // threat-model C74: a form that moves no money says so.
  await expect(checkout.frame.getByText('Sandbox', { exact: true })).toBeVisible();
  await expect(checkout.frame.locator('.test-cards')).toBeVisible();
  const before = await boxes();
  await page.evaluate(() => {
    window.forms[0]?.update({ publishableKey: 'x' });
    window.forms[0]?.update({ appearance: { variables: { colorPrimary: 'nothing' } } });
  });
  await expect(count).toHaveText('2 problems for the developer of the page');
  expect(await boxes()).toEqual(before);
  await count.focus();
  await page.keyboard.press('Enter');
  await expect(items).toHaveText([/^publishableKey /, /colorPrimary/]);
  await expect(list).toContainText(`${service.url}/llms.txt`);
  await expect(async () => expect(await boxes()).not.toEqual(before)).toPass();
  await page.keyboard.press('Enter');
  await expect(list).toBeHidden();
  await expect(async () => expect(await boxes()).toEqual(before)).toPass();
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await expect(count).toHaveText(/^2 /); // the outcome replaces the form but not the panel
});

test('the open panel passes axe and makes nothing wider', { tag: '@thorough' }, async ({
  open,
  page,
  service,
}) => {
  const checkout = await open(await service.createIntent(), {
    css: ':root { color-scheme: light dark }',
    options: { acceptedBrand: ['visa'], appearance: { variables: { colorPrimary: 'nothing' } } },
  });
  const { count } = panelOf(page);
  await expect(count).toHaveText(/^2 /);
  const root = checkout.frame.locator(':root');
  const frame = formFrame(page);
  for (const [width, colorScheme, ground] of [
    [320, 'light', '#ffffff'],
    [1280, 'dark', '#121214'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    await expect(root).toHaveAttribute('data-scheme', colorScheme);
    const closed = await overflowOf(root);
    await count.click();
    expect(await violations(frame, ground)).toEqual([]);
    expect(await overflowOf(root)).toEqual(closed);
    await count.click();
    expect(await violations(frame, ground)).toEqual([]);
  }
});

test('promises 1.9: a policy that lacks the two lines is explained', async ({
  open,
  page,
  service,
  site,
  watch,
}) => {
  watch.expect(/CardForm is not defined|CSP violation: (script|frame)-src|violates|Content Security Policy/);
  watch.expect(/Failed to fetch dynamically|Framing '/);
  const says = consoleOf(page);
  await test.step('First day: The script itself is blocked, by an extension or by script-src', async () => {
    const thrown = page.waitForEvent('pageerror');
    await open(await service.createIntent(), { policy: "script-src 'self'" });
    expect((await thrown).message).toBe('CardForm is not defined');
  });
  await test.step('First day: The policy lacks frame-src', async () => {
    const checkout = await open(await service.createIntent(), { policy: "frame-src 'none'" });
    const error = { reason: 'csp', message: expect.stringContaining(service.url) };
    await expect.poll(() => checkout.events('loaderror')).toMatchObject([error]);
    const folder = `${service.url}/partner/v1/card-form`;
    await says(`frame-src ${folder}/; script-src ${folder}.js`);
    await expect(checkout.fallback).toContainText(NO_FORM);
    await expect(checkout.iframe).toHaveCount(0);
    await checkout.fallback.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => checkout.events('loaderror')).toHaveLength(2);
    await expect(checkout.fallback).toContainText(NO_FORM);
  });
  await test.step('First day: The policy lacks the folder in script-src', async () => {
    const loader = `${service.url}/partner/v1/card-form.js`;
    const folder = `${service.url}/partner/v1/card-form/`;
    const checkout = await open(await service.createIntent(), { policy: `script-src 'self' ${loader}` });
    await says('CardForm: script-src: Cannot check what covers the total'); // before anything is typed
    await checkout.ready();
    const { count, items } = panelOf(page);
    await count.click();
    await expect(items.locator('code')).toHaveText(`script-src ${loader} ${folder}; frame-src ${folder}`);

    // Without code nothing works without the folder.
    const body = `<card-form></card-form><script src="${loader}" data-card-form></script>`;
    const headers = { 'Content-Security-Policy': `script-src ${loader}` };
    await page.goto(site.put('/no-code', { body, headers }));
    await expect(page.getByRole('alert')).toHaveText('Card form does not load. (csp, integrity)');
  });
});

test.describe('threat-model C13: a page that must not take payments gets an explanation, and nothing is sent', () => {
  test('without https, on a host that is not loopback', { tag: '@thorough' }, async ({
    openWithoutHttps,
    page,
  }) => {
    const asked = formRequests(page);
    const says = consoleOf(page);
    for (const [row, host, words] of [
      ['First day: No https', 'shop.example', 'insecure_context'],
      [
        'First day: A page by http on an address of the local network',
        '192.168.1.20',
        'open the page at http://localhost instead of a network address',
      ],
    ] as const)
      await test.step(row, async () => {
        const checkout = await openWithoutHttps(host);
        await expect(checkout.fallback).toHaveText(/Card form does not load\. \(insecure_context\)/);
        expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'insecure_context' });
        await says(words);
        await expect(checkout.iframe).toHaveCount(0);
        await expect(checkout.fallback.getByRole('button')).toHaveCount(0);
        expect(asked).toEqual([]);
      });
  });

  test('First day: The page is a file, or in a sandboxed frame', async ({
    merchant,
    page,
    serve,
    service,
  }) => {
    const says = consoleOf(page);
    const asked = formRequests(page);
    const address = serve(await service.createIntent());
    await page.goto(
      merchant.serve({ body: `<iframe title="shop" sandbox="allow-scripts" src="${address}"></iframe>` }),
    );
    const shop = page.frameLocator('iframe[title="shop"]');
    await expect(shop.getByRole('alert')).toHaveText(/Card form does not load\. \(opaque_parent\)/);
    await says('add allow-same-origin.*give the HTML a base URL');
    const events = await shop.locator(':root').evaluate(() => window.events);
    expect(events).toMatchObject([{ name: 'loaderror', detail: { reason: 'opaque_parent' } }]);
    await expect(shop.locator('iframe')).toHaveCount(0);
    expect(asked).toEqual([]);
  });
});

test.describe('promises 1.9: whatever blocks the form or its requests', { tag: '@thorough' }, () => {
  test('First day: The script was bundled, inlined or loaded as a module', async ({
    page,
    merchant,
    service,
    watch,
  }) => {
    watch.expect(/script_not_found/);
    const says = consoleOf(page);
    const thrown = page.waitForEvent('pageerror');
    await page.goto(merchant.serve({ loaders: 0 }));
    const script = await (await fetch(`${service.url}/partner/v1/card-form.js`)).text();
    await page.addScriptTag({ content: script });
    expect((await thrown).message).toBe('script_not_found: needs a classic <script src>');
    const asModule = page.waitForEvent('pageerror');
    await page.addScriptTag({ url: `${service.url}/partner/v1/card-form.js`, type: 'module' });
    expect((await asModule).message).toBe('script_not_found: needs a classic <script src>');

    await test.step('First day: The address of the script is wrong', async () => {
      const url = `${service.url}/partner/v1/card-from.js`;
      await page.addScriptTag({ url }).catch(() => undefined);
      await says('404 \\(Not Found\\)');
      const answer = await fetch(url, { headers: { 'sec-fetch-dest': 'script' } });
      expect(await answer.text()).toContain('the script is /partner/v1/card-form.js');
    });
  });

  test('the browser, an extension or a proxy', async ({ context, open, page, serve, service }) => {
    const says = consoleOf(page);
    const frameDocument = /frame\.html$/;
    const checkout = checkoutPage(page);
    const address = serve(await service.createIntent());
    await test.step('First day: An extension or a proxy keeps the frame away', async () => {
      await page.route(frameDocument, (route) => route.abort('blockedbyclient'));
      await page.goto(address);
      expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'http' });
      await says('Open http://.*/frame\\.html in a tab.*an ad blocker');
      await page.unroute(frameDocument);
    });
    await test.step('First day: The browser is offline', async () => {
      await context.setOffline(true);
      await checkout.fallback.getByRole('button', { name: 'Try again' }).click();
      await expect.poll(() => checkout.events('loaderror')).toMatchObject([{}, { reason: 'offline' }]);
      await context.setOffline(false);
      await checkout.fallback.getByRole('button', { name: 'Try again' }).click();
      await checkout.ready();
    });
    await test.step('First day: An extension or a proxy blocks the requests of the form', async () => {
      await page.route(/\/partner\/v1\/client\//, (route) => route.abort('blockedbyclient'));
      await open(await service.createIntent());
      await says('blocked_requests: .*an ad blocker');
      expect(await checkout.events('error')).toEqual([]); // the form itself is still trying
      const { count, items } = panelOf(page);
      await count.click();
      await expect(items).toHaveText([/^blocked_requests /]);
    });
  });

  test('First day: A consent manager or a lazy loader holds the address of the frame back', async ({
    open,
    page,
    service,
    time,
  }) => {
    const says = consoleOf(page);
    const checkout = await open(await service.createIntent());
    await page.locator('iframe').evaluate((iframe: HTMLIFrameElement) => {
      iframe.src = 'about:blank';
    });
    await expect(checkout.payButton).toHaveCount(0);
    await time.waitOnPage(11);
    expect(await checkout.hears('loaderror')).toMatchObject({ reason: 'blocked' });
    await says('blocked: .*now has src="about:blank".*The form starts when the address is restored');
  });

  test('First day: The service is on http, the page on https', async ({
    merchant,
    page,
    serve,
    service,
    watch,
  }) => {
    watch.expect(/^asked a stranger/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const says = consoleOf(page);
    await goLive(page, merchant, service);
    const live = (address: string) => address.replace(merchant.url, 'https://shop.example');
    await test.step('a live page gets no explanations without `debug`, and the same ones with it', async () => {
      await page.goto(live(merchant.serve({})));
      const options = { publishableKey: 'lg_cs_swapped', clientSecret: service.keys.publishable };
      await mistakeOf(page, options);
      await expect.poll(() => asked.join()).toContain('/page.js');
      await page.waitForLoadState('networkidle');
      expect(asked.join()).not.toContain('mistakes.js');
      await mistakeOf(page, { ...options, debug: true });
      await says('The two are swapped');
    });
    // To a browser, a loopback service is not mixed content, so the test plays the browser's part.
    await page.route(/frame\.html$/, (route) => route.abort('blockedbyclient'));
    await page.goto(live(serve(await service.createIntent(), { options: { debug: true } })));
    expect(await checkoutPage(page).hears('loaderror')).toMatchObject({ reason: 'http' });
    await says('the browser blocks mixed content');
  });

  test('First day: The page pins a release that the service withdrew', async ({ open, page, service }) => {
    const says = consoleOf(page);
    // Like the document that replaces a withdrawn release; release.test.ts checks that one.
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
    const address = Object.keys(files).find((file) => file.endsWith('/assets/form.js')) ?? '';
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
    await says('A script of the form arrived altered.*form\\.js');
  });
});

test.describe('promises 1.9: a container that hides the form', { tag: '@thorough' }, () => {
  test('First day: The container was removed and put back', async ({ open, page, service }) => {
    const says = consoleOf(page);
    const explanations = page.waitForResponse(/\/mistakes\.js$/);
    const checkout = await open(await service.createIntent());
    await checkout.ready();
    // They load after the form, and see only later events.
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

  test('First day: Something around the form is smaller and cuts it off', async ({ open, page, service }) => {
    const says = consoleOf(page);
    const cutOffBy = () => page.evaluate(async () => (await window.forms[0]?.diagnostics())?.cutOffBy);
    for (const [css, element] of [
      ['#card-form { contain: strict }', '#card-form'],
      ['body { display: grid; grid-template-rows: 0 } main { overflow: clip }', '<main>'],
      ['main { max-height: 300px; overflow: hidden }', '<main>'],
    ] as const) {
      // The shop's own form, with fields named like the properties that the script reads.
      const fields = ['id', 'parentElement', 'getBoundingClientRect']
        .map((name) => `<input type="hidden" name="${name}">`)
        .join('');
      const body = `<main><form>${fields}<div id="card-form"></div></form></main>`;
      await open(await service.createIntent(), { body, css });
      await says(`smaller than the form and cuts it off: ${element}`);
      await expect.poll(cutOffBy).toBe(element);
    }
    await page.addStyleTag({ content: 'main { max-height: none !important }' });
    expect(await cutOffBy()).toBeUndefined();
  });

  test('First day: The container is hidden, in a tab, an accordion or a dialog', async ({
    open,
    page,
    service,
  }) => {
    const says = consoleOf(page);
    for (const body of [
      '<div id="around" hidden><div id="card-form"></div></div>',
      '<details id="around"><summary>Pay</summary><div id="card-form"></div></details>',
      '<dialog id="around"><div id="card-form"></div></dialog>',
    ]) {
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
      // A visible form needs no action.
      await expect(panelOf(page).items.filter({ hasText: /container|not shown/ })).toHaveCount(0);
    }
    const checkout = await open(await service.createIntent(), { css: '#card-form { display: none }' });
    expect(await checkout.hears('warning')).toMatchObject({ about: 'container' });
    await says('The form is not shown: .*display: none');

    await test.step('First day: The container has no width, or is too small', async () => {
      for (const [css, hint] of [
        ['#card-form { width: 0; overflow: hidden }', 'The container has no width'],
        ['#card-form { width: 150px }', 'The form needs at least 200 by 120'],
      ] as const) {
        const checkout = await open(await service.createIntent(), { css });
        expect(await checkout.hears('warning')).toMatchObject({ about: 'container' });
        await says(hint);
      }
    });
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
      await checkout.payButton.press('Tab');
      await checkout.payButton.press('Enter'); // Playwright misses elements in a scaled frame
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
});
