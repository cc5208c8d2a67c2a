/**
 * The built files behind a real nginx and a real Caddy with the configuration the build wrote, over TLS, and what
 * `verify:served` says of it. The tests of a server that is not installed are skipped; those of the sandbox are not.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { type Hosting, needs, readManifest, startHosting, WEB_SERVERS, type WebServer } from './hosting.ts';
import { recordsOf } from './tls-records.ts';

const LOADER = '/partner/v1/card-form.js';
const FRAME = '/partner/v1/card-form/frame';

type Host = (change?: (root: string) => Promise<void>) => Promise<Hosting>;

const test = base.extend<{ server: WebServer; host: Host }>({
  server: [{ name: 'nginx', program: null }, { option: true }],
  host: async ({ server, service, merchant }, use) => {
    const started: Hosting[] = [];
    await use(async (change) => {
      const hosting = await startHosting(server, { service: service.url, shop: merchant.url }, change);
      started.push(hosting);
      return hosting;
    });
    for (const hosting of started) await hosting.stop();
  },
});

/** A page that has the loader from there instead of the sandbox. */
const withLoaderOf = ({ url }: Hosting) => ({
  loaders: 0,
  body: `<main><h1>Checkout</h1><div id="card-form"></div></main><script src="${url}${LOADER}"></script>`,
});

type Answer = { status: number; headers: Record<string, string>; body: string; bytes: Buffer };

/** One answer of the server as it is on the wire. */
const ask = async (
  { url, authority }: Hosting,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const ca = await readFile(authority);
  return new Promise((resolve, reject) => {
    request(url + path, { ca, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
          ),
          body: Buffer.concat(chunks).toString(),
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end();
  });
};

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
const verify = (
  url: string,
  authority?: string,
): Promise<{ code: number | string; said: string; differences: string[] }> =>
  new Promise((resolve) => {
    const program = fileURLToPath(new URL('../../dist/sandbox/cli.js', import.meta.url));
    const env = { ...process.env, ...(authority ? { NODE_EXTRA_CA_CERTS: authority } : {}) };
    execFile(process.execPath, [program, 'verify', '--base-url', url], { env }, (error, stdout, stderr) =>
      resolve({
        code: error?.code ?? 0,
        said: stdout.trim(),
        differences: stderr.trim().split('\n').filter(Boolean),
      }),
    );
  });

for (const server of WEB_SERVERS)
  test.describe(`hosted by ${server.name}`, () => {
    test.skip(server.program === null, needs(server));
    test.use({ server });
    test.use({ ignoreHTTPSErrors: true });

    test('the document comes in TLS records of less than 8 kB, so that a browser reads it as it arrives', async ({
      host,
    }) => {
      const { url, authority } = await host();
      const records = await recordsOf(url, FRAME, await readFile(authority));
      expect(records.reduce((total, length) => total + length, 0)).toBeGreaterThan(10_000);
      expect(Math.max(...records)).toBeLessThan(8192);
    });

    test('contract 2.5: the query of the frame asks for its language, with an ETag of its own; any other is English', async ({
      host,
    }) => {
      const hosting = await host();
      const { release, languages, files } = await readManifest();
      const folder = `/partner/v1/card-form/${release}/`;
      const hashOf = (bytes: Buffer) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
      const english = files[`${folder}frame.html`];
      const asked = [
        ...languages.flatMap((language) => [
          [language, language] as const,
          [`${language}-XX&v=1`, language] as const,
        ]),
        ...(['no', 'nn-NO'] as const).map((tag) => [tag, 'nb'] as const),
        ...(['zh-TW', 'zh-HK', 'zh_MO', 'yue'] as const).map((tag) => [tag, 'zh-Hant'] as const),
        ...['', 'en-US', 'xx', 'DE', 'auto', '..%2fcard-form.js', '/../de'].map(
          (tag) => [tag, null] as const,
        ),
      ];
      expect(languages).toHaveLength(33);
      const tags = new Set<string | undefined>();
      for (const [query, language] of asked) {
        for (const address of [FRAME, `${folder}frame.html`]) {
          const { status, bytes, headers } = await ask(hosting, `${address}?${query}`, {
            'accept-encoding': 'br',
          });
          expect(
            [status, hashOf(decoded(bytes, headers['content-encoding'] ?? ''))],
            `${address}?${query}`,
          ).toEqual([200, language === null ? english : files[`${folder}frame.${language}.html`]]);
          if (address !== FRAME) continue;
          tags.add(headers.etag);
          const again = { 'accept-encoding': 'br', 'if-none-match': headers.etag ?? '' };
          expect((await ask(hosting, `${address}?${query}`, again)).status).toBe(304);
          if (language !== null) expect((await ask(hosting, address, again)).status).toBe(200);
        }
      }
      expect(tags.size).toBe(languages.length + 1);
    });

    test('a payment goes through it, in a shop that allows nothing else', async ({
      host,
      merchant,
      page,
      service,
    }) => {
      const hosting = await host();
      const intent = await service.createIntent();
      const address = merchant.serve({
        ...withLoaderOf(hosting),
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
    });

    test('threat-model C25 and C32: the headers of every kind of address are those of the golden file', async ({
      host,
    }) => {
      const hosting = await host();
      const { release } = await readManifest();
      const answers: [string, Record<string, string>][] = [];
      for (const address of addressesOf(release)) {
        const { status, headers } = await ask(hosting, address);
        expect([address, status]).toEqual([address, 200]);
        answers.push([address, headers]);
      }
      expect(written(answers, hosting.url, release)).toBe(await golden('headers'));
    });

    test('threat-model 2.4: every coding of every kind of file has the hash of sri.json, an ETag of its own, and says so', async ({
      host,
    }) => {
      const hosting = await host();
      const { release, files, codings } = await readManifest();
      expect(codings).toEqual(['gzip', 'br']);
      for (const address of addressesOf(release).filter((one) => one in files)) {
        const tags: string[] = [];
        for (const coding of [...codings, 'identity']) {
          const own = { 'accept-encoding': coding };
          const { headers, bytes } = await ask(hosting, address, own);
          expect([address, headers['content-encoding']]).toEqual([
            address,
            coding === 'identity' ? undefined : coding,
          ]);
          expect(headers.vary).toBe('Accept-Encoding');
          const hash = createHash('sha384').update(decoded(bytes, coding)).digest('base64');
          expect([address, coding, `sha384-${hash}`]).toEqual([address, coding, files[address]]);
          const tag = headers.etag ?? '';
          const known = await ask(hosting, address, { ...own, 'if-none-match': tag });
          expect([known.status, known.headers.etag, known.body]).toEqual([304, tag, '']);
          for (const other of tags) {
            const changed = await ask(hosting, address, { ...own, 'if-none-match': other });
            expect([changed.status, changed.headers.etag]).toEqual([200, tag]);
          }
          tags.push(tag);
        }
        expect(new Set(tags).size).toBe(tags.length);
      }
    });

    test('contract 2: a browser that asks a moving address again has its content whole', async ({
      host,
      page,
    }) => {
      const hosting = await host();
      const { release } = await readManifest();
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
      expect(new Set(lengths).size).toBe(1);
      expect(lengths[0]).toBeGreaterThan(1000);
    });

    test('threat-model C33: nothing lies at any other address: no source map, no listing, no compressed file, no way up', async ({
      host,
    }) => {
      const hosting = await host();
      const { release, files } = await readManifest();
      const folder = `/partner/v1/card-form/${release}`;
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
        const { status, headers } = await ask(hosting, path);
        expect([path, status === 404 || status === 400]).toEqual([path, true]);
        expect(headers['cache-control'] ?? 'no-store').toBe('no-store');
      }
    });

    test('llms.txt is the whole documentation, plain and compressed', async ({ host }) => {
      const hosting = await host();
      const built = await readFile(new URL('../../dist/llms.txt', import.meta.url), 'utf8');
      expect(built).toContain('\n# Going live\n');
      expect((await ask(hosting, '/llms.txt')).body).toBe(built);
      for (const coding of ['br', 'gzip']) {
        const packed = await ask(hosting, '/llms.txt', { 'accept-encoding': coding });
        expect(packed.headers['content-encoding']).toBe(coding);
        expect(decoded(packed.bytes, coding).toString()).toBe(built);
      }
    });

    test('threat-model C29: a page without https may not embed the form of a service with it', async ({
      host,
      merchant,
      page,
      watch,
    }) => {
      watch.expect(/frame-ancestors|CSP violation|chrome-error|ERR_BLOCKED_BY_RESPONSE/);
      const hosting = await host();
      const { release } = await readManifest();
      const frame = `${hosting.url}/partner/v1/card-form/${release}/frame.html`;
      const embeds = async (url: string): Promise<boolean> => {
        await page.goto(url);
        await page.evaluate((src) => {
          const loaded = new Promise((resolve) => {
            document.body.append(Object.assign(document.createElement('iframe'), { src, onload: resolve }));
          });
          return loaded;
        }, frame);
        return (await page.frames()[1]?.locator('#form').count()) === 1;
      };
      const address = `${merchant.url}/elsewhere`;
      expect(await embeds(address)).toBe(false);
      expect(await embeds(address.replace(merchant.url, hosting.shop))).toBe(true);
    });

    test.describe('verify:served', () => {
      test('finds everything as built', async ({ host }) => {
        const hosting = await host();
        const { release, files } = await readManifest();
        const { code, said, differences } = await verify(hosting.url, hosting.authority);
        expect(differences).toEqual([]);
        expect(code).toBe(0);
        expect(said).toContain(`${Object.keys(files).length} addresses of release ${release}`);
      });
    });
  });

test.describe('served by the sandbox', () => {
  test('the headers are those of the golden file: no pin to https, and pages of this machine may embed', async ({
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
  });

  test('verify:served finds everything as built, and says what it cannot ask', async ({ service }) => {
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
});
