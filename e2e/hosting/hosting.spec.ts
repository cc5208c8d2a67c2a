/**
 * The built files behind a real nginx and a real Caddy with the configuration that the build wrote, over TLS, and the
 * result of `verify:served`. The tests of a server that is not installed are skipped; those of the sandbox are not.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { ask as askAt } from './ask.ts';
import { LOADER, test } from './hosted.ts';
import { needs, readManifest, WEB_SERVERS } from './hosting.ts';
import { cardForm } from './program.ts';
import { recordsOf } from './tls-records.ts';

const FRAME = '/partner/v1/card-form/frame';

/** The content of a response in this coding. */
const decoded = (bytes: Buffer, coding: string): Buffer =>
  coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes;

/** Headers that describe the server or this one response, not the card form. */
const OF_THE_SERVER = [
  'accept-ranges',
  'alt-svc',
  'connection',
  'content-length',
  'date',
  'etag',
  'keep-alive',
  'server',
  'transfer-encoding',
];

/** The format of the golden file: sorted lines, with placeholders for origin, release and hashes. */
const written = (
  answers: readonly (readonly [string, Record<string, string>])[],
  origin: string,
  release: string,
): string =>
  answers
    .map(([address, headers]) => {
      const lines = Object.entries(headers)
        .filter(([name]) => !OF_THE_SERVER.includes(name))
        .map(([name, value]) => `  ${name}: ${value}`)
        .sort();
      return `${[address, ...lines].join('\n')}\n`;
    })
    .join('\n')
    .replaceAll(origin, '{origin}')
    .replaceAll(release, '{release}')
    .replace(/'sha256-[^']+'/g, "'sha256-{hash}'")
    .replace(/=:[A-Za-z0-9+/=]+:$/gm, '=:{bytes}:');

/** One address of each kind. */
const addressesOf = (release: string): string[] => {
  const folder = `/partner/v1/card-form/${release}/`;
  const files = ['frame.html', 'frame.zh-Hant.html', 'card-form.js', 'assets/form.js', 'assets/de.json'].map(
    (name) => folder + name,
  );
  return [LOADER, FRAME, ...files, '/llms.txt'];
};

const golden = (name: string) => readFile(new URL(`../golden/${name}.txt`, import.meta.url), 'utf8');

/** Runs the program as `npm run verify:served -- --base-url …` does. */
const verify = async (url: string, authority?: string) => {
  const { code, out, err } = await cardForm(
    ['verify', '--base-url', url],
    authority === undefined ? {} : { NODE_EXTRA_CA_CERTS: authority },
  );
  return { code, said: out.trim(), differences: err.trim().split('\n').filter(Boolean) };
};

for (const server of WEB_SERVERS)
  test.describe(`hosted by ${server.name}`, () => {
    test.skip(server.program === null, needs(server));
    test.use({ server, ignoreHTTPSErrors: true });

    test('contract 2.5, threat-model 2.4, C25, C32, C33: every address has what was built, with its headers, and no other address has anything', async ({
      hosting,
    }) => {
      const ask = (path: string, headers = {}) => askAt(hosting, path, headers);
      const { release, languages, files, codings } = await readManifest();
      const folder = `/partner/v1/card-form/${release}`;
      const hashOf = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

      await test.step('verify:served finds everything as built', async () => {
        expect(await verify(hosting.url, hosting.authority)).toEqual({
          code: 0,
          said: expect.stringContaining(`${Object.keys(files).length} addresses of release ${release}`),
          differences: [],
        });
      });

      await test.step('threat-model C25 and C32: the headers of every kind of address are those of the golden file', async () => {
        const answers: [string, Record<string, string>][] = [];
        for (const address of addressesOf(release)) {
          const { status, headers } = await ask(address);
          expect([address, status]).toEqual([address, 200]);
          answers.push([address, headers]);
        }
        expect(written(answers, hosting.url, release)).toBe(await golden('headers'));
      });

      await test.step('the document comes in TLS records of less than 8 kB, so that a browser reads it as it arrives', async () => {
        const records = await recordsOf(hosting.url, FRAME, await readFile(hosting.authority));
        expect(records.reduce((total, length) => total + length, 0)).toBeGreaterThan(10_000);
        expect(Math.max(...records)).toBeLessThan(8192);
      });

      await test.step('contract 2.5: the query of the frame asks for its language, with an ETag of its own; any other is English', async () => {
        const english = files[`${folder}/frame.html`];
        // src/api/served/language-documents.test.ts tests the language of each query. Here every second query has
        // additional text.
        const asked = [
          ...languages.map((language, turn) => [language + (turn % 2 ? '-XX&v=1' : ''), language] as const),
          ...(['no', 'nn-NO'] as const).map((tag) => [tag, 'nb'] as const),
          ...(['zh-TW', 'zh-HK', 'zh_MO', 'yue'] as const).map((tag) => [tag, 'zh-Hant'] as const),
          ...['', 'en-US', 'xx', 'DE', 'auto', '..%2fcard-form.js', '/../de'].map(
            (tag) => [tag, null] as const,
          ),
        ];
        expect(languages).toHaveLength(33);
        const tags = new Set<string | undefined>();
        for (const [turn, [query, language]] of asked.entries()) {
          const expected = language === null ? english : files[`${folder}/frame.${language}.html`];
          // The release's address has the same rules: every fourth query tests it too.
          for (const address of turn % 4 ? [FRAME] : [FRAME, `${folder}/frame.html`]) {
            const { status, bytes, headers } = await ask(`${address}?${query}`, { 'accept-encoding': 'br' });
            expect(
              [status, hashOf(decoded(bytes, headers['content-encoding'] ?? ''))],
              `${address}?${query}`,
            ).toEqual([200, expected]);
            if (address !== FRAME) continue;
            tags.add(headers.etag);
            const again = { 'accept-encoding': 'br', 'if-none-match': headers.etag ?? '' };
            expect((await ask(`${address}?${query}`, again)).status).toBe(304);
            if (language !== null) expect((await ask(address, again)).status).toBe(200);
          }
        }
        expect(tags.size).toBe(languages.length + 1);
      });

      await test.step('threat-model 2.4: every coding of every kind of file has the hash of sri.json, an ETag of its own, and says so', async () => {
        expect(codings).toEqual(['gzip', 'br']);
        for (const address of addressesOf(release).filter((one) => one in files)) {
          const tags: string[] = [];
          for (const coding of [...codings, 'identity']) {
            const own = { 'accept-encoding': coding };
            const { headers, bytes } = await ask(address, own);
            expect([address, headers['content-encoding']]).toEqual([
              address,
              coding === 'identity' ? undefined : coding,
            ]);
            expect(headers.vary).toBe('Accept-Encoding');
            expect([address, coding, hashOf(decoded(bytes, coding))]).toEqual([
              address,
              coding,
              files[address],
            ]);
            const tag = headers.etag ?? '';
            const known = await ask(address, { ...own, 'if-none-match': tag });
            expect([known.status, known.headers.etag, known.body]).toEqual([304, tag, '']);
            for (const other of tags) {
              const changed = await ask(address, { ...own, 'if-none-match': other });
              expect([changed.status, changed.headers.etag]).toEqual([200, tag]);
            }
            tags.push(tag);
          }
          expect(new Set(tags).size).toBe(tags.length);
        }
      });

      await test.step('llms.txt is the whole documentation, plain and compressed', async () => {
        const built = await readFile(new URL('../../dist/llms.txt', import.meta.url), 'utf8');
        expect(built).toContain('\n# Going live\n');
        for (const coding of [...codings, 'identity']) {
          const { bytes } = await ask('/llms.txt', { 'accept-encoding': coding });
          expect(decoded(bytes, coding).toString()).toBe(built);
        }
      });

      await test.step('threat-model C33: nothing lies at any other address: no source map, no listing, no compressed file, no way up', async () => {
        const wrong = [
          ...Object.keys(files).map((address) => `${address}.map`),
          ...Object.keys(files).map((address) => `${address}.br`),
          ...Object.keys(files).map((address) => `${address}.gz`),
          `${folder}/`,
          `${folder}/assets/`,
          `${folder}/..%2f..%2f..%2f..%2fnginx.conf`,
          `${folder}/assets/..%2fkey.pem`,
          `${folder}/moving/card-form.js`,
          `${folder}/moving/frame.html`,
          '/partner/v1/card-form/frame.html',
          '/partner/v1/card-form/',
          '/nginx/card-form.conf',
          '/caddy/card-form.caddy',
          '/key.pem',
        ];
        for (const path of wrong) {
          const { status, headers } = await ask(path);
          expect([path, status === 404 || status === 400]).toEqual([path, true]);
          expect(headers['cache-control'] ?? 'no-store').toBe('no-store');
        }
      });
    });

    test('contract 2: a payment goes through it, in a shop that allows nothing else, and a moving address that is asked again has its content whole', async ({
      hosting,
      merchant,
      page,
      service,
    }) => {
      const { release } = await readManifest();
      const intent = await service.createIntent();
      const address = merchant.serve({
        loaders: 0,
        body: `<main><h1>Checkout</h1><div id="card-form"></div></main><script src="${hosting.url}${LOADER}"></script>`,
        policy: [
          "default-src 'none'",
          `script-src 'self' ${hosting.url}${LOADER} ${hosting.url}/partner/v1/card-form/`,
          `frame-src ${hosting.url}/partner/v1/card-form/`,
          "style-src 'self'",
          'img-src data:',
          "require-trusted-types-for 'script'",
          "trusted-types 'none'",
        ].join('; '),
        headers: {
          'Cross-Origin-Embedder-Policy': 'require-corp',
          'Cross-Origin-Opener-Policy': 'same-origin',
          'Referrer-Policy': 'no-referrer',
        },
        options: {
          publishableKey: service.keys.publishable,
          clientSecret: intent.client_secret,
          locale: 'en',
          defaultValues: KNOWN_BUYER,
        },
      });
      await page.goto(address.replace(merchant.url, hosting.shop));
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      const checkout = checkoutPage(page);
      await checkout.fillCard(CARD.declined);
      await checkout.pay();
      await expect(checkout.notice).toContainText('declined');
      await checkout.fillCard(CARD.visa);
      await checkout.pay();
      await expect(checkout.outcome).toHaveText('Payment received');
      expect(await service.record(intent.id)).toMatchObject({ charges: 1, confirms: 2 });

      await page.goto(`${hosting.shop}/elsewhere`);
      const lengths = await page.evaluate(
        async ([moving, pinned]) => {
          const read = async (url: string, cache: RequestCache) => (await fetch(url, { cache })).text();
          const texts = [
            await read(moving, 'default'),
            await read(moving, 'no-cache'),
            await read(pinned, 'default'),
            await read(pinned, 'default'),
          ];
          return texts.map((text) => text.length);
        },
        [hosting.url + LOADER, `${hosting.url}/partner/v1/card-form/${release}/card-form.js`] as const,
      );
      expect(new Set(lengths).size, 'the loader, asked for again').toBe(1);
      expect(lengths[0]).toBeGreaterThan(1000);
    });

    test('threat-model C29: a page without https may not embed the form of a service with it', async ({
      hosting,
      merchant,
      page,
      watch,
    }) => {
      watch.expect(/frame-ancestors|CSP violation|chrome-error|ERR_BLOCKED_BY_RESPONSE/);
      const { release } = await readManifest();
      const embeds = async (url: string): Promise<boolean> => {
        await page.goto(url);
        await page.evaluate((src) => {
          const loaded = new Promise((resolve) => {
            document.body.append(Object.assign(document.createElement('iframe'), { src, onload: resolve }));
          });
          return loaded;
        }, `${hosting.url}/partner/v1/card-form/${release}/frame.html`);
        return (await page.frames()[1]?.locator('#form').count()) === 1;
      };
      expect(await embeds(`${merchant.url}/elsewhere`), 'a page without https').toBe(false);
      expect(await embeds(`${hosting.shop}/elsewhere`), 'a page with https').toBe(true);
    });
  });

test('served by the sandbox: the headers are those of the golden file: no pin to https, and pages of this machine may embed; verify:served finds everything as built, and says what it cannot ask', async ({
  service,
}) => {
  const { release } = await readManifest();
  const answers: [string, Record<string, string>][] = [];
  for (const address of addressesOf(release)) {
    const response = await fetch(service.url + address, { headers: { 'accept-encoding': 'identity' } });
    expect([address, response.status]).toEqual([address, 200]);
    answers.push([address, Object.fromEntries(response.headers)]);
  }
  expect(written(answers, service.url, release)).toBe(await golden('headers-sandbox'));

  expect(await verify(service.url)).toMatchObject({ code: 0, differences: [] });
  expect(await verify(`${service.url}/partner`)).toMatchObject({
    code: 2,
    differences: [expect.stringContaining('--base-url must be scheme and host')],
  });
  expect(await verify('http://127.0.0.1:1')).toMatchObject({
    code: 2,
    differences: [expect.stringContaining('cannot be asked')],
  });
});
