/**
 * `card-form release` on a real nginx and a real Caddy while buyers pay: releases move forward, back and away, and the
 * command is sometimes killed; src/operate/release/release.test.ts kills it at each step. RELEASE_ROUNDS=20 runs it for
 * as long as a busy year of releases.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright/test';
import { earlyFrame } from '../support/built-modules.mjs';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { type Hosting, needs, readManifest, startHosting, WEB_SERVERS, type WebServer } from './hosting.ts';
import { restamp } from './restamp.ts';

const ROUNDS = Number(process.env.RELEASE_ROUNDS ?? 1);
const LOADER = '/partner/v1/card-form.js';
const PROGRAM = fileURLToPath(new URL('../../dist/sandbox/cli.js', import.meta.url));
const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

type Ended = { code: number | null; signal: string | null; lines: readonly string[]; err: string };

/** Runs the command on a hosting. With `killAt`, kills it as soon as it announces its step of this number. */
type Run = (argv: readonly string[], killAt?: number) => Promise<Ended>;

/** Folders for releases, and a server that can be reloaded. */
const test = base.extend<{ server: WebServer; hosting: Hosting; folder: string; run: Run }>({
  server: [{ name: 'nginx', program: null }, { option: true }],
  hosting: async ({ server, service, merchant }, use) => {
    const addresses = { service: service.url, shop: merchant.url };
    const hosting = await startHosting(server, addresses, undefined, { isReloadable: true });
    await use(hosting);
    await hosting.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'card-form-releases-'));
    await use(folder);
    await rm(folder, { recursive: true });
  },
  run: async ({ hosting, server }, use) => {
    const { root, url, authority, check, reload } = hosting;
    const always = ['--target', root, '--server', server.name, '--url', url];
    const commands = ['--check', check, '--reload', reload, '--no-probe'];
    await use(
      (argv, killAt) =>
        new Promise((resolve) => {
          const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
          const child = spawn(process.execPath, [PROGRAM, 'release', ...argv, ...always, ...commands], {
            env,
          });
          let out = '';
          let err = '';
          const steps = () => out.split('\n').filter((line) => line.startsWith('  '));
          child.stdout.on('data', (text) => {
            out += text;
            if (killAt !== undefined && steps().length >= killAt) child.kill('SIGKILL');
          });
          child.stderr.on('data', (text) => {
            err += text;
          });
          child.on('close', (code, signal) => resolve({ code, signal, lines: steps(), err }));
        }),
    );
  },
});

type Answer = { status: number; headers: Readonly<Record<string, string | undefined>>; body: string };

/** One answer of the server, on a separate connection. */
const ask = async ({ url, authority }: Hosting, path: string, headers = {}): Promise<Answer> => {
  const ca = await readFile(authority);
  return new Promise((resolve, reject) => {
    request(url + path, { ca, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headersDistinct).map(([name, values]) => [name, values?.join(', ')]),
          ),
          body,
        }),
      );
    })
      .on('error', reject)
      .end();
  });
};

/** The release of the script that new pages get. */
const movingAt = async (hosting: Hosting, known: readonly string[]): Promise<string | undefined> => {
  const { body } = await ask(hosting, LOADER);
  return known.find((release) => body.includes(release));
};

const KINDS = ['moving', 'early', 'pinned'] as const;
type Kind = (typeof KINDS)[number];

/** Serves pages of each kind, and collects everything that must never happen on any of them. */
const buyersOf = (
  browser: Browser,
  hosting: Hosting,
  make: (body: string) => Promise<string>,
  pinned: () => Promise<{ release: string; integrity: string }>,
) => {
  const trouble: string[] = [];
  let paid = 0;
  const bodyOf = async (kind: Kind): Promise<string> => {
    const frame = kind === 'early' ? earlyFrame(hosting.url) : '';
    const container = `<main><h1>Checkout</h1><div id="card-form">${frame}</div></main>`;
    if (kind !== 'pinned') return `${container}<script src="${hosting.url}${LOADER}"></script>`;
    const { release, integrity } = await pinned();
    const src = `${hosting.url}/partner/v1/card-form/${release}/card-form.js`;
    return `${container}<script src="${src}" integrity="${integrity}" crossorigin></script>`;
  };
  const open = async (kind: Kind): Promise<Page> => {
    const context = await browser.newContext({
      ignoreHTTPSErrors: true,
      viewport: { width: 900, height: 1400 },
    });
    const page = await context.newPage();
    page.on('response', (response) => {
      if (response.url().includes('/partner/v1/card-form') && response.status() >= 400)
        trouble.push(`${kind}: ${response.status()} ${response.url()}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') trouble.push(`${kind}: ${message.text()}`);
    });
    await page.goto((await make(await bodyOf(kind))).replace(/^http:\/\/[^/]+/, hosting.shop));
    await checkoutPage(page).ready();
    return page;
  };
  const pay = async (page: Page): Promise<void> => {
    const checkout = checkoutPage(page);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    const result = await checkout.hears('result');
    expect(result).toMatchObject({ outcome: 'succeeded' });
    paid += 1;
    await page.context().close();
  };
  return { open, pay, trouble, paid: () => paid };
};

for (const server of WEB_SERVERS)
  test.describe(`card-form release on ${server.name}`, () => {
    test.skip(server.program === null, needs(server));
    test.use({ server });

    test('no buyer is ever without a form while releases go forward, back and away, with kills in between; a page that pinned a withdrawn release says so, to the buyer and to the page', async ({
      browser,
      folder,
      hosting,
      merchant,
      run,
      service,
    }) => {
      const { release: built } = await readManifest();
      const named = (end: string) => built.replace(/-\w+$/, `-${end.padStart(12, '0')}`);
      const oldest = named('ff'); // withdrawn in the first round
      const releases = [oldest, named('fe'), built];
      const dists = new Map(releases.map((one) => [one, one === built ? DIST : join(folder, one)]));
      for (const [one, dist] of dists) {
        if (one !== built) await restamp(dist, one);
        expect(await run(['publish', '--from', dist])).toMatchObject({ code: 0, err: '' });
      }

      const make = async (body: string) => {
        const { client_secret: clientSecret } = await service.createIntent();
        const { publishable: publishableKey } = service.keys;
        const options = { publishableKey, clientSecret, locale: 'en', defaultValues: KNOWN_BUYER };
        return merchant.serve({ body, loaders: 0, options });
      };
      const pinnedTo = async (release: string) => {
        const { files } = JSON.parse(await readFile(join(dists.get(release) ?? DIST, 'sri.json'), 'utf8'));
        return { release, integrity: files[`/partner/v1/card-form/${release}/card-form.js`] };
      };
      const buyers = buyersOf(
        browser,
        hosting,
        make,
        () => pinnedTo(releases.at(-2) ?? built), // the last one known to be published
      );

      let isOver = false;
      const shopping = (async () => {
        for (let round = 0; !isOver; round += 1)
          await buyers.pay(await buyers.open(KINDS[round % 3] ?? 'moving'));
      })();
      shopping.catch(() => undefined); // awaited below

      let kills = 0;
      /** Runs a command and kills it at its step number `at`, then runs it again to its end. */
      const runTwice = async (argv: readonly string[], at: number): Promise<void> => {
        const killed = await run(argv, at);
        if (killed.signal === 'SIGKILL') kills += 1;
        const done = await run(argv);
        expect(done).toMatchObject({ code: 0, err: '' });
      };

      for (let round = 1; round <= ROUNDS; round += 1) {
        const former = releases.at(-1) ?? built;
        const next = named(round.toString(16));
        const dist = join(folder, next);
        await restamp(dist, next);
        dists.set(next, dist);
        const open = await buyers.open('moving');
        const before = await ask(hosting, LOADER);

        await runTwice(['publish', '--from', dist], 5 + round * 3);
        releases.push(next);
        expect(await movingAt(hosting, releases)).toBe(next);
        // A browser with the former script cached revalidates with its ETag after the five minutes.
        const asked = await ask(hosting, LOADER, { 'if-none-match': before.headers.etag });
        expect([asked.status, asked.body.includes(next)]).toEqual([200, true]);

        await runTwice(['rollback', '--to', former], 1 + (round % 4));
        expect(await movingAt(hosting, releases)).toBe(former);
        await buyers.pay(open); // opened before the release that came and went

        await runTwice(['publish', '--from', dist], 1 + (round % 7));
        expect(await movingAt(hosting, releases)).toBe(next);

        // Withdraws the release before the former one, as if it had been the moving one six minutes ago.
        const old = releases.at(-4);
        if (old === undefined) continue;
        const file = join(hosting.root, 'releases.json');
        const list = JSON.parse(await readFile(file, 'utf8'));
        for (const one of list.releases)
          if (one.release === old) one.lastMoving = new Date(Date.now() - 360_000).toISOString();
        await writeFile(`${file}.new`, JSON.stringify(list));
        await rename(`${file}.new`, file);
        await runTwice(['withdraw', '--release', old], 1 + (round % 8));
      }
      isOver = true;
      await shopping;
      expect(buyers.trouble).toEqual([]);
      expect(buyers.paid()).toBeGreaterThan(ROUNDS);
      expect(kills).toBeGreaterThan(ROUNDS);
      expect(await readdir(join(hosting.root, 'moving'))).toEqual([releases.at(-1)]);

      const { integrity } = await pinnedTo(oldest);
      const src = `${hosting.url}/partner/v1/card-form/${oldest}/card-form.js`;
      const address = await make(
        `<main><h1>Checkout</h1><div id="card-form"></div></main><script src="${src}" integrity="${integrity}" crossorigin></script>`,
      );
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const shop = await context.newPage();
      await shop.goto(address.replace(merchant.url, hosting.shop));
      await expect(shop.getByRole('alert')).toContainText('Card form does not load. (withdrawn)');
      expect(await checkoutPage(shop).hears('loaderror')).toEqual({
        reason: 'withdrawn',
        message:
          'withdrawn: the service withdrew this release; load the moving script, or pin another release',
      });
      await context.close();
      console.log(`      ${server.name}: ${ROUNDS} rounds, ${kills} kills, ${buyers.paid()} payments`);
    });
  });
