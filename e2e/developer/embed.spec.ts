/**
 * promises 1.1: a form in the places where merchants put it, and the container's message when the form can't be shown.
 */
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
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
    const part = /\/assets\/payment\.js$/;
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

test('two loader tags in a min-content column mount one form, wide enough to pay', async ({
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
  // The second file; and the explanations, because this is a developer's own page.
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
  await expect(checkout.container).toHaveClass(''); // its classes show the form's state and disappear with the form
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

test('promises 2.7: page rules for iframes do not cut the form off, and a scroll container is not reported', async ({
  open,
  page,
  service,
}) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const rules =
    'height: auto !important; max-height: 200px !important; max-width: 100% !important; width: 300px !important';
  const checkout = await open(await service.createIntent(), {
    css: `iframe { ${rules}; padding: 20px !important } main { height: 400px; overflow: auto }`,
  });
  await checkout.ready();
  await expect
    .poll(async () => {
      const { width = 0, height = 0 } = (await checkout.iframe.boundingBox()) ?? {};
      const { width: place = 0 } = (await checkout.container.boundingBox()) ?? {};
      const inside = await checkout.frame
        .locator('#form')
        .evaluate((form) => form.getBoundingClientRect().height);
      return [width - place, Math.abs(height - inside) < 1];
    })
    .toEqual([0, true]); // inside a scroll container, the focus ring has no room beside the container
  expect(said.join()).not.toContain('cut_off');
});
