/**
 * `card-form release` on a real nginx and a real Caddy while buyers pay: releases move forward, back and away, and the
 * command is sometimes killed; src/owner/release/release.test.ts kills it at each step. RELEASE_ROUNDS=20 runs it for
 * as long as a busy year of releases.
 */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright/test';
import { earlyFrame } from '../support/built-modules.mjs';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { ask } from './ask.ts';
import { LOADER, test } from './hosted.ts';
import { DIST, type Hosting, needs, readManifest, WEB_SERVERS } from './hosting.ts';
import { release } from './program.ts';
import { restamp } from './restamp.ts';

const ROUNDS = Number(process.env.RELEASE_ROUNDS ?? 1);

/** The release of the script that new pages get. */
const movingAt = async (hosting: Hosting, known: readonly string[]): Promise<string | undefined> => {
  const { body } = await ask(hosting, LOADER);
  return known.find((release) => body.includes(release));
};

const KINDS = ['moving', 'early', 'pinned'] as const;
type Kind = (typeof KINDS)[number];

/** Opens pages of each kind, and collects everything that must never happen on any of them. */
const buyersOf = (browser: Browser, addressOf: (kind: Kind) => Promise<string>) => {
  const trouble: string[] = [];
  let paid = 0;
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
    await page.goto(await addressOf(kind));
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
      checkoutAt,
      folder,
      hosting,
      named,
    }) => {
      const { release: built } = await readManifest();
      /** Runs a command. With `killAt`, kills it as soon as it announces its step of this number. */
      const run = async (argv: readonly string[], killAt = Number.POSITIVE_INFINITY) => {
        let steps = 0;
        return release(hosting, [...argv, '--no-probe'], {
          watch: (process) =>
            process.stdout?.on('data', (text) => {
              steps += `${text}`.split(/^ {2}/m).length - 1;
              if (steps >= killAt) process.kill('SIGKILL');
            }),
        });
      };
      const oldest = await named('ff'); // withdrawn in the first round
      const releases = [oldest, await named('fe'), built];
      const dists = new Map(releases.map((one) => [one, one === built ? DIST : join(folder, one)]));
      for (const [one, dist] of dists) {
        if (one !== built) await restamp(dist, one);
        expect(await run(['publish', '--from', dist])).toMatchObject({ code: 0, err: '' });
      }

      /** The script of a release, as a page pins it. */
      const pinned = async (one: string) => {
        const { files } = JSON.parse(await readFile(join(dists.get(one) ?? DIST, 'sri.json'), 'utf8'));
        const path = `/partner/v1/card-form/${one}/card-form.js`;
        return `src="${hosting.url}${path}" integrity="${files[path]}" crossorigin`;
      };
      const buyers = buyersOf(browser, async (kind) =>
        checkoutAt({
          ...(kind === 'early' ? { frame: earlyFrame(hosting.url) } : {}),
          // The last one known to be published.
          ...(kind === 'pinned' ? { script: await pinned(releases.at(-2) ?? built) } : {}),
        }),
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
        if (killed.code === null) kills += 1;
        const done = await run(argv);
        expect(done).toMatchObject({ code: 0, err: '' });
      };

      for (let round = 1; round <= ROUNDS; round += 1) {
        const former = releases.at(-1) ?? built;
        const next = await named(round.toString(16));
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

      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const shop = await context.newPage();
      await shop.goto(await checkoutAt({ script: await pinned(oldest) }));
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
