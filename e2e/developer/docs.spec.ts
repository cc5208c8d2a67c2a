/** The checkout pages of the documentation, unchanged except for the service's address, the keys and the release. */

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { readManifest } from '../hosting/hosting.ts';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import type { Intent, Service } from '../support/service.ts';
import { block, type HeldBy } from './docs.ts';

type PageName = Exclude<
  HeldBy<'browser'>,
  'going-live: Content security policy: text' | 'testing: With Cypress: js'
>;

/** A page with the keys of this service and payment, and the release that was built. */
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

/** The address that each page opens after the payment; null if it stays. */
const LEADS_TO: Record<PageName, RegExp | null> = {
  'README: Card form: html': /\/thanks$/,
  'quick-start: 3. Write the page: html': /\/thanks$/,
  'no-code: Forms without code: html': /\/thanks$/,
  'no-code: Inside your own form: html': /\/thanks\?payment_intent=lg_pi_\w+$/,
  'quick-start: Show the form sooner: html': null,
  'going-live: Moving, signed or pinned: html': null,
  'going-live: Pin one release: html': null,
};

/** The documented policy for pages with an inline script; it allows nothing else. */
const strict = (service: Service) =>
  `default-src 'none'; ${block('going-live: Content security policy: text')
    .replace('script-src', "script-src 'self' 'unsafe-inline'")
    .replaceAll('\n', ' ')
    .replaceAll('https://pay.example', service.url)}; style-src 'self'; img-src data:`;

/** The policy's source for the page's own inline style. */
const styleHash = (html: string): string => {
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  return style === undefined ? '' : ` 'sha256-${createHash('sha256').update(style).digest('base64')}'`;
};

for (const [name, address] of Object.entries(LEADS_TO)) {
  const isFirst = /^README|^quick-start: 3/.test(name);
  test(
    `${name}: pays under the documented policy`,
    isFirst ? {} : { tag: '@thorough' },
    async ({ merchant, page, service, site }) => {
      const intent = await service.createIntent();
      const body = await pageOf(name, service, intent);
      expect(body).not.toMatch(/pay\.example|…/);
      // As in the table for pages that pin a release.
      const allowed =
        name === 'going-live: Pin one release: html'
          ? strict(service).replace(`${service.url}/partner/v1/card-form.js`, '')
          : strict(service);
      const policy = allowed.replace("style-src 'self'", `$&${styleHash(body)}`);
      const said: string[] = [];
      page.on('console', (message) => said.push(message.text()));
      await page.route(/\/thanks/, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Thanks</title>' }),
      );
      // A complete page is served as it is; a fragment is put into a page of the test's.
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
      // Every event is also a DOM event; this page listens to one of them.
      if (name === 'no-code: Inside your own form: html') expect(said).toContain('succeeded');
    },
  );
}

test('README: one file is a checkout that takes a payment and asks the service before it thanks the buyer', async ({
  page,
  service,
}) => {
  const port = await freePort();
  const program = block('README: From nothing to a paid payment: js')
    .replace('http://127.0.0.1:4010', service.url)
    .replaceAll('3000', `${port}`);
  const server = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'pipe' });
  try {
    await new Promise((resolve) => server.stdout.once('data', resolve));
    await page.goto(`http://localhost:${port}/thanks`);
    await expect(page.getByRole('heading')).toHaveText('Not paid yet.');
    await page.goto(`http://localhost:${port}/`);
    const checkout = checkoutPage(page, 'body');
    await checkout.ready();
    await expect(checkout.frame.locator('.known')).toContainText(
      'Billing and delivery address: 12 Orchard Lane',
    );
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    await expect(page.getByRole('heading')).toHaveText('Paid. Thank you!');
  } finally {
    server.kill('SIGKILL');
  }
});

for (const { name, command, file, argv } of [
  { name: 'server: Python: python', command: 'python3', file: 'server.py', argv: () => ['server.py'] },
  {
    name: 'server: PHP: php',
    command: 'php',
    file: 'server.php',
    argv: (port: number) => ['-S', `127.0.0.1:${port}`, 'server.php'],
  },
] as const) {
  test(
    `${name}: its page takes a payment of a known buyer`,
    { tag: '@thorough' },
    async ({ page, service }, info) => {
      test.skip(spawnSync(command, ['--version']).status !== 0, `It needs ${command}.`);
      const port = await freePort();
      const cwd = info.outputPath();
      await mkdir(cwd, { recursive: true });
      await writeFile(info.outputPath(file), block(name));
      const { publishable: PUBLISHABLE_KEY, secret: SECRET_KEY } = service.keys;
      const env = {
        SERVICE: service.url,
        PUBLISHABLE_KEY,
        SECRET_KEY,
        STATE: cwd,
        PORT: `${port}`,
        ENDPOINT_ID: '',
      };
      const server = spawn(command, argv(port), {
        cwd,
        env: { PATH: process.env.PATH, ...env },
        stdio: 'ignore',
      });
      try {
        const isUp = () =>
          fetch(`http://127.0.0.1:${port}/none`).then(
            () => true,
            () => false,
          );
        await expect.poll(isUp).toBe(true);
        await page.goto(`http://127.0.0.1:${port}/`);
        const checkout = checkoutPage(page, 'body');
        await checkout.ready();
        await expect(checkout.frame.locator('.known')).toContainText('12 Orchard Lane');
        await checkout.fillCard(CARD.visa);
        await checkout.pay();
        await expect(page.getByRole('heading')).toHaveText('Thank you for your order!');
      } finally {
        server.kill('SIGKILL');
      }
    },
  );
}

test('quick-start: the page is a complete document, and fits a narrow phone and a desktop', {
  tag: '@thorough',
}, async ({ browser, service, site }) => {
  const body = await pageOf('quick-start: 3. Write the page: html', service, await service.createIntent());
  for (const [width, isMobile] of [
    [320, true],
    [1280, false],
  ] as const) {
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
    // 4 px wider than its container on each side, for the focus ring.
    expect(form?.width).toBeLessThanOrEqual(Math.min(width, 488));
    expect(form?.width).toBeGreaterThan(Math.min(width, 488) - 60);
    await context.close();
  }
});

test('quick-start: if the script is blocked, the page tells the buyer what to do', {
  tag: '@thorough',
}, async ({ page, service, site, watch }) => {
  watch.expect(/CardForm is not defined|ERR_BLOCKED_BY_CLIENT/);
  const body = await pageOf('quick-start: 3. Write the page: html', service, await service.createIntent());
  await page.route(/card-form\.js$/, (route) => route.abort('blockedbyclient'));
  await page.goto(site.put('/checkout.html', { body, type: 'text/html' }));
  await expect(page.locator('#card-form')).toHaveText(
    `Something blocks the card form. Allow ${service.url} in your ad blocker, and load this page again.`,
  );
});

test('going-live, Content security policy: a nonce allows the script and the file that mounts elements', {
  tag: '@thorough',
}, async ({ merchant, page, service }) => {
  const nonce = 'bWVyY2hhbnQ';
  const html = await pageOf('no-code: Forms without code: html', service, await service.createIntent());
  const body = html.replace('<script', `<script nonce="${nonce}"`);
  const policy = strict(service).replace(/script-src [^;]*/, `script-src 'nonce-${nonce}'`);
  await page.goto(merchant.serve({ body, loaders: 0, policy, nonce }), { waitUntil: 'domcontentloaded' });
  await checkoutPage(page, 'body').ready();
});
