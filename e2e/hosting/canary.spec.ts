/**
 * A release for a share of visitors on a running nginx: the share is correct, each visitor stays on one side, and pages
 * of both sides pay while the share starts, grows, is extended to all, or is withdrawn.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Browser } from 'playwright/test';
import { earlyFrame } from '../support/built-modules.mjs';
import { CARD, checkoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { type Answer, ask } from './ask.ts';
import { LOADER, test } from './hosted.ts';
import { DIST, type Hosting, NGINX, needs, readManifest } from './hosting.ts';
import { releaseUnseen } from './program.ts';

/** The script at the moving address, as this browser on this machine receives it. */
const loaderFor = (
  hosting: Hosting,
  userAgent: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> => ask(hosting, LOADER, { 'user-agent': userAgent, ...more });

/** The visitors, out of `count`, who get the script of `release`. */
const visitorsWith = async (hosting: Hosting, release: string, count: number): Promise<number[]> => {
  const found: number[] = [];
  for (let visitor = 0; visitor < count; visitor += 1) {
    const { status, body } = await loaderFor(hosting, agentOf(visitor));
    expect(status).toBe(200);
    if (body.includes(release)) found.push(visitor);
  }
  return found;
};

const agentOf = (visitor: number) => `Mozilla/5.0 (visitor ${visitor}) Chrome/156`;

test.skip(NGINX.program === null, needs(NGINX));

test('contract 2.1: a share of 50 % is right within binomial bounds, sticky, and grows without taking anybody back; each side has every coding with an ETag of its own, a 304 for it alone, and no shared cache; without the include nothing changes, and nginx says what is missing', async ({
  hosting,
  next,
}) => {
  await releaseUnseen(hosting, ['publish', '--from', DIST]);
  await releaseUnseen(hosting, ['publish', '--from', next.dist, '--share', '50']);
  const count = 300;
  const first = await visitorsWith(hosting, next.release, count);
  // Five standard deviations: by chance once in two million runs.
  expect(Math.abs(first.length - count / 2)).toBeLessThan(5 * Math.sqrt(count / 4));
  expect(await visitorsWith(hosting, next.release, count)).toEqual(first);
  const outside = Array.from({ length: count }, (_, one) => one).find((one) => !first.includes(one));

  const hashIn = async (folder: string) =>
    JSON.parse(await readFile(join(folder, 'sri.json'), 'utf8')).files[LOADER];
  const tags: string[] = [];
  for (const [visitor, folder] of [
    [first[0], next.dist],
    [outside, DIST],
  ] as const) {
    const agent = agentOf(visitor ?? -1);
    const hash = await hashIn(folder);
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['identity', (bytes: Buffer) => bytes],
    ] as const) {
      const accepted = { 'accept-encoding': coding };
      const whole = await loaderFor(hosting, agent, accepted);
      const content = createHash('sha384').update(decode(whole.bytes)).digest('base64');
      expect([folder, coding, `sha384-${content}`]).toEqual([folder, coding, hash]);
      expect(whole.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      const tag = `${whole.headers.etag}`;
      const known = await loaderFor(hosting, agent, { ...accepted, 'if-none-match': tag });
      expect([known.status, known.headers.etag, known.body]).toEqual([304, tag, '']);
      // The ETags of other codings and of the other side of the split don't match.
      for (const other of tags) {
        const changed = await loaderFor(hosting, agent, { ...accepted, 'if-none-match': other });
        expect([changed.status, changed.headers.etag]).toEqual([200, tag]);
      }
      for (const { headers } of [whole, known]) {
        expect(headers['cache-control']).toBe('private, max-age=300, must-revalidate');
        expect(headers.vary).toBe('Accept-Encoding');
      }
      tags.push(tag);
    }
  }
  expect(new Set(tags).size).toBe(6);

  await releaseUnseen(hosting, ['publish', '--from', next.dist, '--share', '75']);
  const more = await visitorsWith(hosting, next.release, count);
  expect(more.filter((visitor) => first.includes(visitor))).toEqual(first);
  expect(Math.abs(more.length - count * 0.75)).toBeLessThan(5 * Math.sqrt(count * 0.1875));

  const status = await releaseUnseen(hosting, ['status']);
  expect(status).toContain(`${next.release} goes to 75 % of visitors.`);

  await releaseUnseen(hosting, ['abort']);
  const config = join(hosting.root, 'nginx.conf');
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace(/include \S+\/nginx\/http\/\*\.conf;/, ''));
  await expect(releaseUnseen(hosting, ['publish', '--from', next.dist, '--share', '50'])).rejects.toThrow(
    'unknown "card_form_canary" variable',
  );
  expect(await visitorsWith(hosting, next.release, 40)).toEqual([]);
});

test('pages of both sides pay, with and without an early frame, through a share, a promote and an abort', async ({
  browser,
  checkoutAt,
  hosting,
  next,
}) => {
  const trouble: string[] = [];
  let paid = 0;
  const pay = async (browser: Browser, agent: string, isEarly: boolean) => {
    const address = await checkoutAt(isEarly ? { frame: earlyFrame(hosting.url) } : {});
    const viewport = { width: 900, height: 1400 };
    const context = await browser.newContext({ ignoreHTTPSErrors: true, userAgent: agent, viewport });
    const page = await context.newPage();
    const frames = new Set<string>();
    page.on('response', (response) => {
      if (!response.url().includes('/partner/v1/card-form')) return;
      if (response.status() >= 400) trouble.push(`${response.status()} ${response.url()}`);
      if (/\/frame(\.html)?$/.test(response.url())) frames.add(response.url());
    });
    await page.goto(address);
    const checkout = checkoutPage(page);
    await checkout.ready();
    const used = await page.evaluate(() => window.CardForm?.version);
    await checkout.fillCard(CARD.visa);
    await checkout.pay();
    expect(await checkout.hears('result')).toMatchObject({ outcome: 'succeeded' });
    paid += 1;
    await context.close();
    return { used, frames: frames.size };
  };
  const { release } = await readManifest();
  await releaseUnseen(hosting, ['publish', '--from', DIST]);
  await releaseUnseen(hosting, ['publish', '--from', next.dist, '--share', '50']);
  const inShare = await visitorsWith(hosting, next.release, 40);
  const lucky = agentOf(inShare[0] ?? -1);
  const other = agentOf(
    Array.from({ length: 40 }, (_, one) => one).find((one) => !inShare.includes(one)) ?? -1,
  );

  expect(await pay(browser, lucky, false)).toEqual({ used: next.release, frames: 1 });
  expect(await pay(browser, other, false)).toEqual({ used: release, frames: 1 });
  // The moving frame belongs to the other release: the script replaces it with its own, which is one more load.
  expect(await pay(browser, lucky, true)).toEqual({ used: next.release, frames: 2 });
  expect(await pay(browser, other, true)).toEqual({ used: release, frames: 1 });

  /** Opens pages and pays while a command runs. */
  const payDuring = async (argv: readonly string[]) => {
    let isDone = false;
    const shopping = (async () => {
      for (let round = 0; round < 2 || !isDone; round += 1)
        await pay(browser, round % 2 === 0 ? lucky : other, round % 4 > 1);
    })();
    await releaseUnseen(hosting, argv);
    isDone = true;
    await shopping;
  };
  await payDuring(['abort']);
  expect(await pay(browser, lucky, true)).toEqual({ used: release, frames: 1 });
  await payDuring(['publish', '--from', next.dist, '--share', '50']);
  expect(await pay(browser, lucky, false)).toMatchObject({ used: next.release });
  await payDuring(['promote']);
  expect(await pay(browser, other, true)).toEqual({ used: next.release, frames: 1 });
  expect(trouble).toEqual([]);
  expect(paid).toBeGreaterThan(11);
});
