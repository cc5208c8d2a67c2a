/**
 * The built files behind a real nginx with the configuration the build wrote, over TLS, and what `verify:served`
 * says of it. Without nginx these tests are skipped; those of the sandbox are not.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { createSandbox, listen } from '../support/built-modules.mjs';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import { test as base, expect } from '../support/fixtures.ts';
import { type Hosting, readManifest, startHosting } from './hosting.ts';
import { findNginx } from './nginx.mjs';

const nginx = findNginx();
const LOADER = '/partner/v1/card-form.js';
const FRAME = '/partner/v1/card-form/frame';

const test = base.extend<{ host: (change?: (root: string) => Promise<void>) => Promise<Hosting> }>({
  host: async ({ service, merchant }, use) => {
    const started: Hosting[] = [];
    await use(async (change) => {
      const hosting = await startHosting(nginx ?? '', { service: service.url, shop: merchant.url }, change);
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

type Answer = { status: number; headers: Record<string, string>; body: string };

/** One answer of nginx as it is on the wire. */
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
        }),
      );
    })
      .on('error', reject)
      .end();
  });
};

/** Headers that describe the server or this one response, not the card form. */
const OF_THE_SERVER = [
  'accept-ranges',
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
  const files = ['frame.html', 'card-form.js', 'assets/pay.js'].map((name) => folder + name);
  return [LOADER, FRAME, ...files, '/llms.txt'];
};

const golden = (name: string) => readFile(new URL(`../golden/${name}.txt`, import.meta.url), 'utf8');

/** Runs the program as `npm run verify:served -- …` does. */
const verify = (
  url: string,
  authority?: string,
): Promise<{ code: number | string; said: string; differences: string[] }> =>
  new Promise((resolve) => {
    const program = fileURLToPath(new URL('../../dist/sandbox/verify-served.js', import.meta.url));
    const env = { ...process.env, ...(authority ? { NODE_EXTRA_CA_CERTS: authority } : {}) };
    execFile(process.execPath, [program, url], { env }, (error, stdout, stderr) =>
      resolve({
        code: error?.code ?? 0,
        said: stdout.trim(),
        differences: stderr.trim().split('\n').filter(Boolean),
      }),
    );
  });

test.describe('hosted by nginx', () => {
  test.skip(nginx === null, 'needs nginx: install it, or set NGINX_PATH');
  test.use({ ignoreHTTPSErrors: true });

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

  test('a compressed answer says so, and its content is the same', async ({ host, page }) => {
    const hosting = await host();
    const plain = await ask(hosting, LOADER, { 'accept-encoding': 'gzip, br;q=0' });
    const packed = await ask(hosting, LOADER, { 'accept-encoding': 'gzip, deflate, br' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.body.length).toBeLessThan(plain.body.length);
    await page.goto(`${hosting.shop}/elsewhere`);
    const read = await page.evaluate(async (url) => (await fetch(url)).text(), hosting.url + LOADER);
    expect(read).toBe(plain.body);
  });

  test('contract 2: at a moving address a known content is answered by 304, and the browser has it whole', async ({
    host,
    page,
  }) => {
    const hosting = await host();
    const { release } = await readManifest();
    for (const address of [LOADER, FRAME]) {
      for (const coding of ['br', 'identity']) {
        const first = await ask(hosting, address, { 'accept-encoding': coding });
        const tag = first.headers.etag ?? '';
        expect(tag).toMatch(/^W\/"[\da-f]{32}"$/);
        const known = await ask(hosting, address, { 'accept-encoding': coding, 'if-none-match': tag });
        expect([known.status, known.body, known.headers.etag]).toEqual([304, '', tag]);
        const other = await ask(hosting, address, { 'if-none-match': 'W/"0123456789abcdef"' });
        expect([other.status, other.headers.etag]).toEqual([200, tag]);
      }
    }
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
      `${folder}/`,
      `${folder}/assets/`,
      `${folder}/..%2f..%2f..%2f..%2fnginx.conf`,
      `${folder}/assets/..%2fkey.pem`,
      '/partner/v1/card-form/frame.html',
      '/partner/v1/card-form/',
      '/nginx/card-form.conf',
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
    const packed = await ask(hosting, '/llms.txt', { 'accept-encoding': 'br' });
    expect(packed.headers['content-encoding']).toBe('br');
    expect(packed.body.length).toBeLessThan(built.length);
  });

  test('two releases stand beside each other', async ({ host }) => {
    const { release } = await readManifest();
    const hosting = await host(async (root) => {
      const former = '0.0.9-000000000000';
      const folder = join(root, 'partner/v1/card-form');
      await cp(join(folder, release), join(folder, former), { recursive: true });
      const conf = await readFile(join(root, `nginx/card-form-${release}.conf`), 'utf8');
      const moved = conf
        .replaceAll(release, former)
        .replaceAll(release.replaceAll('.', '\\.'), former.replaceAll('.', '\\.'));
      await writeFile(join(root, `nginx/card-form-${former}.conf`), moved);
    });
    const { status, headers } = await ask(hosting, '/partner/v1/card-form/0.0.9-000000000000/frame.html');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain('/partner/v1/card-form/0.0.9-000000000000/;');
    expect((await ask(hosting, FRAME)).headers['content-security-policy']).toContain(`/${release}/;`);
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

    /** Each alters one hosted file or header, and names the one difference that must be reported. */
    const spoilt: readonly [string, (root: string, release: string) => Promise<void>, RegExp][] = [
      [
        'a byte of a script, at its end',
        (root, release) =>
          change(join(root, `partner/v1/card-form/${release}/card-form.js`), (text) => `${text} `),
        /^\S+\/card-form\.js: content: expected sha384-\S+; got sha384-\S+ \(\d+ bytes\)$/,
      ],
      [
        'the compressed form of a script alone',
        async (root, release) => {
          await writeFile(
            join(root, `partner/v1/card-form/${release}/card-form.js.br`),
            brotliCompressSync('steal()'),
          );
        },
        /^\S+\/card-form\.js: content: expected/,
      ],
      [
        'the document of the frame',
        (root) =>
          change(join(root, 'partner/v1/card-form/frame.html'), (text) =>
            text.replace('</body>', '<script src="https://evil.example/x.js"></script></body>'),
          ),
        /^\/partner\/v1\/card-form\/frame: content: expected/,
      ],
      [
        'a dropped header',
        (root) =>
          change(join(root, 'nginx/card-form.conf'), (text) =>
            text.replace(/\n *add_header referrer-policy .*/, ''),
          ),
        /^\/partner\/v1\/card-form\/frame: referrer-policy: expected "no-referrer"; got none$/,
      ],
      [
        'a policy that lets more in',
        (root) =>
          change(join(root, 'nginx/card-form.conf'), (text) =>
            text.replace('connect-src', 'connect-src https://evil.example'),
          ),
        /^\/partner\/v1\/card-form\/frame: content-security-policy: expected "default-src.*"; got ".*evil/,
      ],
      [
        'a header that was added',
        (root) =>
          change(join(root, 'nginx/card-form.conf'), (text) =>
            text.replace(
              'add_header referrer-policy',
              'add_header refresh "0; url=https://evil.example"; add_header referrer-policy',
            ),
          ),
        /^\/partner\/v1\/card-form\/frame: refresh: expected none; got "0; url=https:\/\/evil\.example"$/,
      ],
      [
        'a cache rule that would keep the loader for ever',
        (root) =>
          change(join(root, 'nginx/card-form.conf'), (text) =>
            text.replace('max-age=300', 'max-age=31536000'),
          ),
        /^\/partner\/v1\/card-form\.js: cache-control: expected "public, max-age=300, must-revalidate"; got/,
      ],
      [
        'a missing file',
        async (root, release) => {
          const file = join(root, `partner/v1/card-form/${release}/frame.html`);
          await rm(file);
        },
        /^\S+\/frame\.html: expected status 200; got 404$/,
      ],
      [
        'a security.txt that is still the template',
        (root) =>
          cp(
            new URL('../../dist/well-known/security.txt.template', import.meta.url),
            join(root, 'security.txt'),
          ),
        /^\/\.well-known\/security\.txt: it is still the template: .*\{contact\}, \{expires\}, \{origin\}$/,
      ],
      [
        'a source map',
        async (root, release) => {
          const file = join(root, `partner/v1/card-form/${release}/card-form.js.map`);
          await writeFile(file, '{}');
          await change(join(root, `nginx/card-form-${release}.conf`), (text) =>
            text.replace('return 404;', `location ~ \\.map$ { root ${root}; }\n    return 404;`),
          );
        },
        /^\S+\/card-form\.js\.map: a source map is served$/,
      ],
    ];
    for (const [name, spoil, message] of spoilt) {
      test(`finds ${name}`, async ({ host }) => {
        const { release } = await readManifest();
        const hosting = await host((root) => spoil(root, release));
        const { code, differences } = await verify(hosting.url, hosting.authority);
        expect(differences).toEqual([expect.stringMatching(message)]);
        expect(code).toBe(1);
      });
    }
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

  test('verify:served finds a byte of the loader that was changed, at both its addresses', async () => {
    const root = await mkdtemp(join(tmpdir(), 'card-form-spoilt-'));
    await cp(fileURLToPath(new URL('../../dist/partner', import.meta.url)), join(root, 'partner'), {
      recursive: true,
    });
    const { release } = await readManifest();
    for (const file of ['card-form.js', `card-form/${release}/card-form.js`]) {
      await change(join(root, 'partner/v1', file), (text) => text.replace('{', '{ '));
    }
    const sandbox = createSandbox();
    const running = await listen(sandbox, { port: 0, root });
    const { code, differences } = await verify(running.url);
    expect(differences).toEqual([
      expect.stringMatching(/^\/partner\/v1\/card-form\.js: content: expected/),
      expect.stringMatching(/^\/partner\/v1\/card-form\/[\w.-]+\/card-form\.js: content: expected/),
    ]);
    expect(code).toBe(1);
    sandbox.close();
    await running.close();
    await rm(root, { recursive: true });
  });

  test('a script and a style in the document itself run by their hashes, and by nothing else', async ({
    page,
    watch,
  }) => {
    watch.expect(/CSP violation: script-src-attr|inline event handler/);
    const root = await mkdtemp(join(tmpdir(), 'card-form-inline-'));
    await cp(fileURLToPath(new URL('../../dist/partner', import.meta.url)), join(root, 'partner'), {
      recursive: true,
    });
    const inline = `<style>\n  body { outline-color: rgb(1, 2, 3) }\n</style>
<script type="module">\n  document.body.dataset.ran = 'as ü meant';\n</script></head>`;
    await change(join(root, 'partner/v1/card-form/frame.html'), (text) =>
      text
        .replace('</head>', inline)
        .replace('<body', `<body onfocus="this.dataset.handled = 1" tabindex="0"`),
    );
    await rm(join(root, 'partner/v1/card-form/frame.html.br'));
    const sandbox = createSandbox();
    const running = await listen(sandbox, { port: 0, root });
    await page.goto(running.url + FRAME);
    const body = page.locator('body');
    await expect(body).toHaveAttribute('data-ran', 'as ü meant');
    expect(await body.evaluate((element) => getComputedStyle(element).outlineColor)).toBe('rgb(1, 2, 3)');
    await body.focus();
    await expect(body).not.toHaveAttribute('data-handled');
    sandbox.close();
    await running.close();
    await rm(root, { recursive: true });
  });

  test('verify:served finds everything as built, and says what it cannot ask', async ({ service }) => {
    expect(await verify(service.url)).toMatchObject({ code: 0, differences: [] });
    expect(await verify(`${service.url}/partner`)).toMatchObject({
      code: 2,
      differences: [expect.stringContaining('Got http'), expect.stringContaining('scheme and host')],
    });
    expect(await verify('http://127.0.0.1:1')).toMatchObject({
      code: 2,
      differences: [expect.stringContaining('cannot be asked')],
    });
  });
});

const change = async (file: string, by: (text: string) => string): Promise<void> => {
  const before = await readFile(file, 'utf8');
  const after = by(before);
  if (after === before) throw new Error(`nothing to spoil in ${file}`);
  await writeFile(file, after);
};
