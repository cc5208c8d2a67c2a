/** promises 1.1: a form in the places of a page where merchants put it, and what the container says when it cannot be shown. */
import { BUYER, CARD, checkoutPage, KNOWN_BUYER, LABEL } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ knownBuyer: true });

const NO_FORM = /Card form does not load\./;

test.describe('when the form cannot be shown, the container says so', () => {
  test('threat-model C14: after ten seconds if the service does not respond, and trying again works', async ({
    time,
    open,
    page,
    service,
  }) => {
    const intent = await service.createIntent();
    const frameDocument = /\/card-form\/[^/]+\/frame\.html$/;
    await page.route(frameDocument, () => undefined);
    const checkout = await open(intent);
    await expect(checkout.iframe).toHaveCount(1);
    await time.waitOnPage(5);
    await expect(checkout.fallback).toHaveCount(0);
    await time.waitOnPage(6);
    await expect(checkout.fallback).toContainText(NO_FORM);
    await expect.poll(() => checkout.events('loaderror')).toMatchObject([{ reason: 'timeout' }]);
    await page.unroute(frameDocument);
    await checkout.fallback.getByRole('button', { name: 'Try again' }).click();
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(checkout.outcome).toHaveText('Payment received');
    await expect(checkout.fallback).toHaveCount(0);
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  });

  test('outcomes 2.7: at once if a blocker lets the frame through but not all of its files, and never an empty box', {
    tag: '@thorough',
  }, async ({ open, page, service, watch }) => {
    watch.expect(/Failed to fetch dynamically imported module/);
    const part = /\/assets\/pay\.js$/;
    await page.route(part, (route) => route.abort('blockedbyclient'));
    const checkout = await open(await service.createIntent());
    await expect(checkout.fallback).toContainText(NO_FORM, { timeout: 5_000 });
    await expect(checkout.iframe).toHaveCount(0);
    await expect.poll(() => checkout.events('loaderror')).toMatchObject([{ reason: 'timeout' }]);
    await page.unroute(part);
    await checkout.fallback.getByRole('button', { name: 'Try again' }).click();
    await checkout.ready('Pay $58.04');
  });
});

test('two loader tags in a column of min-content: one form, as wide as it must be to take a payment', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent, {
    loaders: 2,
    css: 'main { display: grid; grid-template-columns: min-content 1fr }',
    body: '<main><div id="card-form"></div><p>Order</p></main>',
  });
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await expect(page.locator('iframe')).toHaveCount(1);
  const { width } = (await page.locator('iframe').boundingBox()) ?? { width: 0 };
  expect(width).toBeGreaterThanOrEqual(200);
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1, retrieves: 1 });
});

test('messages of other windows and of another frame change nothing and get no reply', async ({
  merchant,
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const other = await service.createIntent({ amount: 100 });
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.ready('Pay $58.04');
  const before = await checkout.events();
  /** Messages arrive in order: a window that has received the last one has received them all. */
  const listenForLast = () => {
    const heard = new Promise((resolve) => {
      addEventListener('message', ({ data }) => data === 'last' && resolve(null));
    });
    Reflect.set(window, 'heardLast', heard);
  };
  const hearLast = () => Reflect.get(window, 'heardLast');
  const root = checkout.frame.locator(':root');
  await root.evaluate(listenForLast);
  await page.evaluate(listenForLast);

  await page.evaluate(
    ({ publishableKey, clientSecret }) => {
      const learned: unknown[] = [];
      Reflect.set(window, 'learned', learned);
      const frame = document.querySelector('iframe')?.contentWindow;
      const cycle: { self?: unknown } = {};
      cycle.self = cycle;
      const init = { channel: 'card-form', protocol: 1, publishableKey, clientSecret };
      const hello = { channel: 'card-form', type: 'hello', protocols: [1], release: 'x' };
      const garbage = [
        null,
        '',
        'init',
        0,
        [],
        {},
        cycle,
        new Uint8Array(64),
        { channel: 'card-form' },
        { channel: 'card-form', protocol: 1 },
        { channel: 'card-form', type: 'destroy' },
        { type: 'result', result: { outcome: 'succeeded' } },
        JSON.parse('{"__proto__": {"channel": "card-form"}, "type": "init"}'),
        hello,
        init,
      ];
      for (const target of [frame, window]) {
        for (const message of [...garbage, 'last']) {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => learned.push(data);
          target?.postMessage(message, '*', [port2]);
        }
      }
    },
    { publishableKey: service.keys.publishable, clientSecret: other.client_secret },
  );
  await root.evaluate(hearLast);
  await page.evaluate(hearLast);

  expect(await page.evaluate(() => Reflect.get(window, 'learned'))).toEqual([]);
  await page.evaluate((src) => {
    const stranger = document.createElement('iframe');
    stranger.src = src;
    stranger.title = 'Stranger';
    document.body.append(stranger);
  }, `${merchant.url}/elsewhere`);
  const stranger = page.frameLocator('iframe[title="Stranger"]').locator(':root');
  const reply = await stranger.evaluate(
    () =>
      new Promise((resolve) => {
        const heard: unknown[] = [];
        const { parent } = window;
        addEventListener('message', ({ data }) => {
          if (data === 'echo') resolve(heard);
          else heard.push(data);
        });
        // The page replies to the message after the hello, so any reply of the loader has arrived by then.
        parent.addEventListener('message', ({ data }) => data === 'ask' && window.postMessage('echo', '*'));
        parent.postMessage({ channel: 'card-form', type: 'hello', protocols: [1], release: 'x' }, '*');
        parent.postMessage('ask', '*');
      }),
  );
  expect(reply).toEqual([]);
  await expect.poll(() => checkout.events()).toEqual(before);
  await expect(checkout.payButton).toHaveText('Pay $58.04');
  await expect(checkout.field('number')).toHaveValue('4242 4242 4242 4242');
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
  expect(await service.record(other.id)).toMatchObject({ charges: 0, confirms: 0, retrieves: 0 });
});

test('threat-model C34: under the strictest policy with two lines added a form pays, asks only the service, puts no secret in a URL and stores nothing', async ({
  context,
  merchant,
  open,
  service,
}) => {
  const urls: string[] = [];
  context.on('request', (request) => urls.push(request.url()));
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    `script-src 'self' ${service.url}/partner/v1/`,
    `frame-src ${service.url}/partner/v1/card-form/`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const intent = await service.createIntent();
  const checkout = await open(intent, { policy });
  await checkout.fillCard(CARD.declined);
  await checkout.pay();
  await expect(checkout.notice).toContainText('declined');
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await checkout.hears('result');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });

  const origins = new Set(urls.map((url) => new URL(url).origin));
  expect([...origins].filter((origin) => ![service.url, merchant.url, 'null'].includes(origin))).toEqual([]);
  for (const secret of [intent.client_secret, service.keys.publishable, CARD.visa, BUYER.email]) {
    expect(urls.filter((url) => decodeURIComponent(url).includes(secret))).toEqual([]);
  }
  expect(await context.cookies()).toEqual([]);
  const kept = () => {
    try {
      return { local: localStorage.length, session: sessionStorage.length, cookie: document.cookie };
    } catch {
      return { local: 0, session: 0, cookie: '' }; // a browser that lets no frame of another site keep anything
    }
  };
  const nothing = { local: 0, session: 0, cookie: '' };
  expect(await checkout.frame.locator(':root').evaluate(kept)).toEqual(nothing);
  expect(await checkout.page.evaluate(kept)).toEqual(nothing);
});

test('a typed card is gone after a reload, after Back and after the payment', async ({
  merchant,
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  const checkout = await open(intent);
  for (const leave of [
    () => page.reload(),
    async () => {
      await page.goto(`${merchant.url}/elsewhere`);
      await page.goBack();
    },
  ]) {
    await checkout.fillCard(CARD.visa);
    await leave();
    await checkout.ready('Pay $58.04');
    for (const name of ['number', 'expiry', 'code'] as const)
      await expect(checkout.field(name), LABEL[name]).toHaveValue('');
  }
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  const html = await checkout.frame.locator(':root').evaluate((root) => root.outerHTML);
  expect(html.replaceAll(' ', '')).not.toContain(CARD.visa);
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('a payment in flight when the form is removed is not reported as failed', async ({
  open,
  page,
  service,
}) => {
  const intent = await service.createIntent();
  await service.nextAnswer({ route: 'client.confirm', never: true });
  const checkout = await open(intent);
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect.poll(async () => (await service.record(intent.id)).charges).toBe(1);
  await checkout.hears('processing');
  await page.evaluate(() => document.querySelector('#card-form')?.replaceChildren());
  const unknown = { outcome: 'unknown', reason: 'unmounted' };
  expect(await checkout.hears('result')).toMatchObject(unknown);
  expect(await checkout.hears('result promise')).toMatchObject(unknown);
  await page.evaluate((options) => window.mountCardForm('#card-form', options), {
    publishableKey: service.keys.publishable,
    clientSecret: intent.client_secret,
    locale: 'en',
  });
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
});

test('threat-model C16: the script uses no cookie and no storage, leaves one global, and touches nothing outside of its container except the link to its second file', async ({
  merchant,
  page,
  service,
}) => {
  await page.addInitScript(() => {
    if (self !== top) return; // secrets.spec.ts searches the frame's own storage
    const touched: string[] = [];
    Reflect.set(window, 'touched', touched);
    const spy = (holder: object, name: string) => {
      const { get, set } = Object.getOwnPropertyDescriptor(holder, name) ?? {};
      if (!get) throw new Error(`nothing to watch: ${name}`);
      Object.defineProperty(holder, name, {
        configurable: true,
        get() {
          touched.push(name);
          return Reflect.apply(get, this, []);
        },
        set(value: unknown) {
          touched.push(`${name} =`);
          if (set) Reflect.apply(set, this, [value]);
        },
      });
    };
    spy(Document.prototype, 'cookie');
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'name', 'history'])
      spy(window, name);
  });
  const { client_secret } = await service.createIntent();
  await page.goto(merchant.serve({ loaders: 0 }));
  const touched = (): Promise<readonly string[]> => page.evaluate(() => Reflect.get(window, 'touched'));
  const globals = await page.evaluate(
    (src) =>
      new Promise<readonly string[]>((resolve, reject) => {
        const before = new Set(Object.getOwnPropertyNames(window));
        const script = document.createElement('script');
        Object.assign(script, {
          src,
          onerror: reject,
          onload: () => resolve(Object.getOwnPropertyNames(window).filter((name) => !before.has(name))),
        });
        document.head.append(script);
        new MutationObserver((changes) => {
          for (const { target, type, attributeName } of changes) {
            const inside =
              target.parentElement?.closest('#card-form') || target === document.querySelector('#card-form');
            if (!inside || (target.nodeName === 'DIV' && type === 'attributes' && attributeName !== 'class'))
              Reflect.get(window, 'touched').push(`${type} ${attributeName} of ${target.nodeName}`);
          }
        }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      }),
    `${service.url}/partner/v1/card-form.js`,
  );
  expect(globals).toEqual(['CardForm']);
  await page.evaluate((options) => window.mountCardForm('#card-form', options), {
    publishableKey: service.keys.publishable,
    clientSecret: client_secret,
    locale: 'en',
    defaultValues: KNOWN_BUYER,
  });
  const checkout = checkoutPage(page);
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  await checkout.hears('result');
  await page.evaluate(() => window.forms[0]?.unmount());
  await expect(checkout.iframe).toHaveCount(0);
  // The second file, and on a developer's own page, as this is one, the explanations.
  const links = ['childList null of HEAD', 'childList null of HEAD'];
  expect(await touched()).toEqual(links);
  expect(
    await page
      .locator('head > link[rel=modulepreload]')
      .evaluateAll((links) => links.map((link) => link.outerHTML)),
  ).toEqual(
    ['page', 'mistakes'].map((name) =>
      expect.stringMatching(
        new RegExp(`^<link [^>]*modulepreload[^>]*/partner/v1/card-form/[^/]+/${name}\\.js"[^>]*>$`),
      ),
    ),
  );
  await expect(checkout.container).toHaveClass(''); // its classes tell how the form is, and go with it
  // Proves that the observers work.
  await page.evaluate(() => {
    Reflect.set(document, 'cookie', 'a=1');
    localStorage.setItem('a', '1');
    document.body.className = 'a';
    document.querySelector('#card-form')?.setAttribute('title', 'a');
  });
  expect(await touched()).toEqual([
    ...links,
    'cookie =',
    'localStorage',
    'attributes class of BODY',
    'attributes title of DIV',
  ]);
});
