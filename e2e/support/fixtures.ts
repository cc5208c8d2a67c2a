/**
 * Fixtures of every test: a payment service, a merchant on another site, and a watch that fails the test for anything
 * that must never happen on any page (errors, policy violations, third-party requests, secrets in URLs).
 */
import { test as base, expect } from 'playwright/test';
import { listenShop } from './built-modules.mjs';
import { type CheckoutPage, checkoutPage, KNOWN_BUYER } from './checkout-page.ts';
import { type FakeTime, installFakeTime } from './fake-time.ts';
import { type ForeignSite, startForeignSite } from './foreign-site.ts';
import { type Merchant, type MerchantPage, startMerchant } from './merchant.ts';
import { type Intent, type SandboxOptions, type Service, startServer, startService } from './service.ts';
import { startTamperingProxy, type TamperingProxy } from './tampering-proxy.ts';

export { expect } from 'playwright/test';

/** Lets a test allow an error that would fail every other test. */
export type Watch = { expect(trouble: RegExp): void };

/** Opens a checkout page with a form for this intent. */
export type Open = (intent: Intent, page?: MerchantPage) => Promise<CheckoutPage>;

type Fixtures = {
  /** Options of a service used only by this test. */
  sandboxOptions: SandboxOptions;
  /** The merchant provides the billing details, so that only the card is left to type. */
  knownBuyer: boolean;
  service: Service;
  merchant: Merchant;
  /** A site that serves whole pages of the test's own, instead of the merchant's. */
  site: ForeignSite;
  /** A proxy in front of the service that can alter a file. */
  tampering: TamperingProxy;
  /** Address of the demo shop, with the sandbox's own keys. */
  shop: string;
  /** Returns the address of a page with a form for this intent. */
  serve: (intent: Intent, page?: MerchantPage) => string;
  open: Open;
  /** A new intent, and a page with a form for it. `checkout` also comes after `time`. */
  intent: Intent;
  checkout: CheckoutPage;
  /** Opens a page with a form over http, on a host that is not loopback. */
  openWithoutHttps: (host?: string) => Promise<CheckoutPage>;
  /** List it before `open`: the clock must be replaced before the page is opened. */
  time: FakeTime;
  watch: Watch;
};

type WorkerFixtures = { sharedServer: Awaited<ReturnType<typeof startServer>> };

/** The browser logs this for every failed request, including those that a test fails on purpose. */
const EXPECTED = /^Failed to load resource: /;

const SECRET = /lg_cs_|[ps]k_live_|(?<!\d)\d{13,19}(?!\d)/;

export const test = base.extend<Fixtures, WorkerFixtures>({
  sharedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],

  sandboxOptions: [{}, { option: true }],
  knownBuyer: [false, { option: true }],

  service: async ({ sandboxOptions, sharedServer }, use) => {
    const isOwn = Object.keys(sandboxOptions).length > 0;
    const service = isOwn ? await startService(sandboxOptions) : sharedServer.newService();
    await use(service);
    await service.stop();
  },

  merchant: async ({ service }, use) => {
    const merchant = await startMerchant(`${service.url}/partner/v1/card-form.js`);
    await use(merchant);
    await merchant.stop();
  },

  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  site: async ({}, use) => {
    const site = await startForeignSite();
    await use(site);
    await site.stop();
  },

  tampering: async ({ service }, use) => {
    const tampering = await startTamperingProxy(service.url);
    await use(tampering);
    await tampering.stop();
  },

  shop: async ({ service }, use) => {
    const shop = await listenShop({
      service: service.url,
      secretKey: service.keys.secret,
      publishableKey: service.keys.publishable,
      port: 0,
    });
    await use(`http://localhost:${shop.port}`);
    await shop.close();
  },

  serve: async ({ service, merchant, knownBuyer }, use) => {
    await use(({ client_secret }, { options = {}, ...page } = {}) =>
      merchant.serve({
        ...page,
        options: {
          publishableKey: service.keys.publishable,
          clientSecret: client_secret,
          locale: 'en',
          ...(knownBuyer ? { defaultValues: KNOWN_BUYER } : {}),
          ...options,
        },
      }),
    );
  },

  open: async ({ page, serve }, use) => {
    await use(async (intent, merchantPage) => {
      // `load` would wait for a frame that a test never answers.
      await page.goto(serve(intent, merchantPage), { waitUntil: 'domcontentloaded' });
      return checkoutPage(page);
    });
  },

  intent: async ({ service }, use) => {
    await use(await service.createIntent());
  },

  checkout: async ({ open, intent }, use) => {
    await use(await open(intent));
  },

  openWithoutHttps: async ({ context, merchant, page, serve, service, watch }, use) => {
    await use(async (host = 'shop.example') => {
      const origin = `http://${host}`;
      watch.expect(new RegExp(`^asked a stranger: ${origin.replaceAll('.', '\\.')}/`));
      await context.route(`${origin}/**`, async (route) => {
        const url = route.request().url().replace(origin, merchant.url);
        await route.fulfill({ response: await route.fetch({ url }) });
      });
      // A browser asks its user before such a page may reach a loopback address.
      await context.route(/\/(?:card-form|page|mistakes)\.js$/, async (route) =>
        route.fulfill({ response: await route.fetch() }),
      );
      await page.goto(serve(await service.createIntent()).replace(merchant.url, origin));
      return checkoutPage(page);
    });
    // A file may still be on its way when the test ends.
    await page.close();
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  },

  time: async ({ page }, use) => {
    await use(await installFakeTime(page));
  },

  watch: [
    async ({ context }, use) => {
      const trouble: string[] = [];
      const foreseen: RegExp[] = [];
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          console.error(`CSP violation: ${effectiveDirective} ${blockedURI}`);
        });
      });
      context.on('weberror', (error) => trouble.push(`page error: ${error.error().message}`));
      context.on('console', (message) => {
        if (message.type() === 'error' && !EXPECTED.test(message.text())) trouble.push(message.text());
      });
      context.on('request', (request) => {
        const url = request.url();
        if (!/^(data:|https?:\/\/(127\.0\.0\.1|localhost):)/.test(url))
          trouble.push(`asked a stranger: ${url}`);
        if (SECRET.test(url)) trouble.push(`secret in an address: ${url}`);
      });
      await use({ expect: (pattern) => foreseen.push(pattern) });
      const unforeseen = trouble.filter((one) => !foreseen.some((pattern) => pattern.test(one)));
      expect(unforeseen, 'trouble on the page').toEqual([]);
    },
    { auto: true },
  ],
});
