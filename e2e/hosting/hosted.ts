/** Fixtures: a server that hosts the form in front of the service and a shop, and checkouts in that shop. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KNOWN_BUYER } from '../support/checkout-page.ts';
import { test as base } from '../support/fixtures.ts';
import { type Hosting, NGINX, readManifest, startHosting, type WebServer } from './hosting.ts';
import { restamp } from './restamp.ts';

export const LOADER = '/partner/v1/card-form.js';

/** `frame` is in the container before the script runs; `script` is the form's script with its attributes. */
type Checkout = { at?: string; frame?: string; script?: string };

export const test = base.extend<{
  server: WebServer;
  hosting: Hosting;
  /** A folder for this test. */
  folder: string;
  /** The name of a release that ends with this, such as `cafe`. */
  named: (end: string) => Promise<string>;
  /** A second release: its name, and its build. */
  next: { release: string; dist: string };
  /** Serves a checkout of a new payment by a known buyer. Resolves to its address in the hosted shop. */
  checkoutAt: (checkout?: Checkout) => Promise<string>;
}>({
  server: [NGINX, { option: true }],
  hosting: async ({ server, service, merchant }, use) => {
    const hosting = await startHosting(server, { service: service.url, shop: merchant.url });
    await use(hosting);
    await hosting.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'card-form-hosting-'));
    await use(folder);
    await rm(folder, { recursive: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  named: async ({}, use) => {
    await use(async (end) => (await readManifest()).release.replace(/-\w+$/, `-${end.padStart(12, '0')}`));
  },
  next: async ({ folder, named }, use) => {
    const next = { release: await named('cafe'), dist: join(folder, 'next') };
    await restamp(next.dist, next.release);
    await use(next);
  },
  checkoutAt: async ({ hosting, merchant, serve, service }, use) => {
    await use(async ({ at = hosting.url, frame = '', script = `src="${at}${LOADER}"` } = {}) => {
      const address = serve(await service.createIntent(), {
        loaders: 0,
        body: `<main><h1>Checkout</h1><div id="card-form">${frame}</div></main><script ${script}></script>`,
        options: { defaultValues: KNOWN_BUYER },
      });
      return address.replace(merchant.url, hosting.shop);
    });
  },
});
