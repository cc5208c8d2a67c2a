/** The container images: each is built by an engine if there is one, and run without one. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '../package/installed-package.ts';
import { checkoutPage } from '../support/checkout-page.ts';
import { expect } from '../support/fixtures.ts';
import { freePort } from '../support/free-port.ts';
import { buildImage, cannotBuild, type Start } from './built-image.ts';
import { createCertificate } from './certificate.ts';
import { type Container, cannotRun, startContainer, startRoot } from './container.ts';
import { readImage } from './containerfile.ts';
import { DIST, type Hosting, NGINX, startHosting } from './hosting.ts';
import { cardForm, releaseUnseen } from './program.ts';
import { restamp } from './restamp.ts';

const IMAGES = join(DIST, 'image');
const LOADER = '/partner/v1/card-form.js';

type Front = { url: string; stop(): Promise<void> };

/** A TLS proxy, as in front of an image: it passes requests for the form's files to `files`, the rest to `service`. */
const startFront = async (files: string, service: string, port: number): Promise<Front> => {
  const { key, certificate: cert } = createCertificate();
  const server = createServer({ key, cert }, (asked, answer) => {
    const { url = '', method, headers } = asked;
    const target = url === '/llms.txt' || url.startsWith('/partner/v1/card-form') ? files : service;
    const passed = request(target + url, { method, headers, agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** Runs `card-form verify`. Resolves with its output, and rejects if it found a difference. */
const verify = async (url: string, releases: string): Promise<string> => {
  const argv = ['verify', '--base-url', url, '--releases', releases];
  // The certificate is the test's own.
  const { code, out, err } = await cardForm(argv, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  if (code !== 0) throw new Error(out + err);
  return out;
};

type Built = Hosting & {
  /** Both are kept. The later one is the moving one. */
  releases: readonly [string, string];
};

type StartHosted = (site: string, env: Record<string, string>, port?: number) => Promise<Container>;

/**
 * Adds a target with two releases, the same from a build without any command, and images that are removed at the end.
 */
const test = base.extend<{
  hosting: Built;
  builtSite: string;
  start: (options: Parameters<typeof startContainer>[0]) => Promise<Container>;
  startHosted: StartHosted;
  startBuilt: (
    image: Parameters<typeof buildImage>[0],
    running: Parameters<typeof startRoot>[2],
  ) => Promise<{ container: Container; start: Start }>;
}>({
  hosting: async ({ service, merchant }, use) => {
    const addresses = { service: service.url, shop: merchant.url };
    const hosting = await startHosting(NGINX, addresses);
    const folder = await mkdtemp(join(tmpdir(), 'card-form-images-'));
    const { release } = JSON.parse(await readFile(join(DIST, 'sri.json'), 'utf8'));
    const next = `${release}`.replace(/-\w+$/, '-00000000cafe');
    await restamp(folder, next);
    await releaseUnseen(hosting, ['publish', '--from', DIST]);
    await releaseUnseen(hosting, ['publish', '--from', folder]);
    await use({ ...hosting, releases: [`${release}`, next] });
    await rm(folder, { recursive: true });
    await hosting.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  builtSite: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'card-form-images-'));
    for (const name of await readdir(DIST))
      if (/^(partner|nginx|llms\.txt.*)$/.test(name))
        await cp(join(DIST, name), join(folder, name), { recursive: true });
    await mkdir(join(folder, 'moving'));
    await use(folder);
    await rm(folder, { recursive: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  start: async ({}, use) => {
    const started: Container[] = [];
    await use(async (options) => {
      const container = await startContainer(options);
      started.push(container);
      return container;
    });
    for (const container of started) await container.remove();
  },
  startHosted: async ({ start }, use) => {
    await use(async (site, env, port) =>
      start({
        containerfile: join(IMAGES, 'hosting/Containerfile'),
        contexts: { '': join(IMAGES, 'hosting'), site },
        env,
        port: port ?? (await freePort()),
        portFile: 'etc/card-form/nginx.conf',
      }),
    );
  },
  // biome-ignore lint/correctness/noEmptyPattern: from the pattern Playwright reads what a fixture needs.
  startBuilt: async ({}, use) => {
    const cleanUps: (() => Promise<void>)[] = [];
    await use(async (image, running) => {
      const { root, start, remove } = await buildImage(image);
      cleanUps.unshift(remove);
      const container = await startRoot(root, start, running);
      cleanUps.unshift(container.remove);
      return { container, start };
    });
    for (const cleanUp of cleanUps) await cleanUp();
  },
});

/** Only the mount can refuse this: the folder's modes allow it. */
const expectOnlyTmpWritable = async (container: Container): Promise<void> => {
  expect(await container.run(['id', '-u'])).toMatchObject({ out: expect.stringMatching(/^[1-9]\d*\n$/) });
  expect((await container.run(['touch', '/new'])).out).toContain('Read-only file system');
  expect(await container.run(['touch', '/tmp/new'])).toMatchObject({ code: 0 });
};

/** True if this is an answer with its whole body. */
const isWhole = (text: string): boolean => {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return head.startsWith('HTTP/1.1 200 OK\r\n') && Buffer.byteLength(body) === Number(length);
};

/**
 * Opens a connection, receives one answer, and leaves the next request incomplete. The server has read both by then,
 * because they were sent together. `finish` sends the rest, and resolves with everything received until the connection
 * closes.
 */
const beginRequest = async (url: string): Promise<{ finish: () => Promise<string> }> => {
  const { hostname, port } = new URL(url);
  const lines = `GET ${LOADER} HTTP/1.1\r\nHost: pay.example\r\n`;
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(`${lines}\r\n${lines}`);
  await expect.poll(() => isWhole(text)).toBe(true);
  const before = text.length;
  return {
    finish: async () => {
      socket.on('error', () => undefined); // writing to a connection that the server has cut
      socket.write('\r\n');
      await closed;
      return text.slice(before);
    },
  };
};

test.describe('the image of the hosted files', () => {
  const reason = cannotRun(['nginx', 'wget']);
  test.skip(reason !== null || NGINX.program === null, reason ?? 'needs nginx');
  test.use({ ignoreHTTPSErrors: true });

  test('built after a rollback, it serves every kept release as built, the earlier one at the moving addresses, unprivileged and read-only, and a form that becomes ready', async ({
    hosting,
    merchant,
    page,
    service,
    startHosted,
  }) => {
    const [earlier] = hosting.releases;
    await releaseUnseen(hosting, ['rollback', '--to', earlier]);
    const frontPort = await freePort();
    const origin = `https://127.0.0.1:${frontPort}`;
    const container = await startHosted(hosting.root, { CARD_FORM_ORIGIN: origin });
    await expect.poll(() => container.isHealthy()).toBe(true);
    await expectOnlyTmpWritable(container);
    // This test's target contains its server's key, which must not become a part of the image.
    const files = (await container.run(['ls', '/srv/card-form'])).out.trim().split('\n');
    expect(files.filter((name) => !name.startsWith('llms.txt'))).toEqual(['moving', 'nginx', 'partner']);

    const front = await startFront(container.url, service.url, frontPort);
    const verified = await verify(front.url, join(hosting.root, 'releases.json'));
    for (const release of hosting.releases) expect(verified).toContain(`of release ${release}`);
    expect(await (await fetch(container.url + LOADER)).text()).toContain(earlier);

    const { client_secret: clientSecret } = await service.createIntent();
    const address = merchant.serve({
      loaders: 0,
      body: `<main><h1>Checkout</h1><div id="card-form"></div></main><script src="${front.url}${LOADER}"></script>`,
      options: { publishableKey: service.keys.publishable, clientSecret, locale: 'en' },
    });
    await page.goto(address.replace(merchant.url, hosting.shop));
    await checkoutPage(page).ready();
    await page.close();
    await front.stop();
    expect(await container.log()).toContain('GET /partner/v1/card-form/frame');
  });

  test('ends once the answers under way are sent', async ({ builtSite, startHosted }) => {
    const container = await startHosted(builtSite, { CARD_FORM_ORIGIN: 'https://pay.example' });
    await expect.poll(() => container.isHealthy()).toBe(true);
    const { finish } = await beginRequest(container.url);
    const stopped = container.stop();
    // It accepts no more requests: only a server that is shutting down refuses them.
    await expect.poll(() => container.isHealthy()).toBe(false);
    expect(isWhole(await finish())).toBe(true);
    expect(await stopped).toBe(0);
    expect(await container.log()).not.toMatch(/\[(warn|error|crit|alert|emerg)\]/);
  });

  test('takes the address of the visitor from the proxy it is told of, and from no other; ends with 0 at SIGTERM, too', async ({
    builtSite,
    startHosted,
  }) => {
    const believed = [
      ['', '127.0.0.1'],
      ['127.0.0.1', '192.0.2.7'],
      ['127.0.0.0/8', '192.0.2.7'],
      ['10.0.0.0/8', '127.0.0.1'],
    ] as const;
    for (const [proxy, visitor] of believed) {
      const env = { CARD_FORM_ORIGIN: 'https://pay.example', CARD_FORM_PROXY: proxy };
      const container = await startHosted(builtSite, env);
      await expect.poll(() => container.isHealthy()).toBe(true);
      await fetch(container.url + LOADER, {
        headers: { 'x-forwarded-for': '192.0.2.7', 'user-agent': 'visitor' },
      });
      expect(await container.stop('SIGTERM')).toBe(0);
      await expect.poll(() => container.log()).toMatch(new RegExp(`^${visitor} .*"visitor"$`, 'm'));
    }
  });

  test('does not start without a valid CARD_FORM_ORIGIN and CARD_FORM_PROXY', async ({
    builtSite,
    startHosted,
  }) => {
    const refused = {
      CARD_FORM_ORIGIN: ['', 'http://pay.example', 'https://pay.example; }', 'https://pay.example\nx'],
      CARD_FORM_PROXY: ['proxy', '10.0.0.0/8; }', '10.0.0.1\nx', '10.0.0.1 10.0.0.2'],
    };
    for (const [name, values] of Object.entries(refused))
      for (const value of values) {
        const env = { CARD_FORM_ORIGIN: 'https://pay.example', [name]: value };
        const container = await startHosted(builtSite, env);
        expect(await container.ended).toBe(1);
        expect(await container.log()).toContain(`${name} must be the`);
      }
  });
});

test.describe('the image of the sandbox', () => {
  const reason = cannotRun(['node']);
  test.skip(reason !== null, reason ?? '');

  test('starts from the installed package, unprivileged and read-only, takes its token, shows a form, and ends gracefully', async ({
    installed,
    page,
    start,
  }) => {
    const port = await freePort();
    const token = 'for-the-tests-of-this-job-alone';
    const container = await start({
      containerfile: join(installed.folder, 'dist/image/sandbox/Containerfile'),
      contexts: { '': installed.folder },
      env: { CARD_FORM_SANDBOX_TOKEN: token, CARD_FORM_SANDBOX_PORT: `${port}` },
      port,
    });
    await expect.poll(() => container.isHealthy()).toBe(true);
    await expectOnlyTmpWritable(container);
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${container.url}/_sandbox/requests`, { headers })).status;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: `Bearer ${token}` })).toBe(200);
    await page.goto(`${container.url}/_sandbox/playground/#token=${token}`);
    await checkoutPage(page, 'body').ready();
    await page.close();
    expect(await container.stop()).toBe(0);
    expect(await container.isHealthy()).toBe(false);
  });
});

/** In addition to the image's own programs: this test's checks run in it too. */
const CHECKS = ['id', 'touch'];

test.describe('an image that an engine builds', () => {
  const reason = cannotBuild();
  const BUILT = [
    {
      name: 'hosting',
      programs: ['sh', 'cat', 'grep', 'mkfifo', 'rm', 'wc', 'nginx', 'wget'],
      contexts: (site: string) => ({ '': join(IMAGES, 'hosting'), site }),
      env: { CARD_FORM_ORIGIN: 'https://pay.example' },
      portFile: { portFile: 'etc/card-form/nginx.conf' },
    },
    {
      name: 'sandbox',
      programs: ['node'],
      contexts: () => ({ '': join(DIST, '..') }),
      env: { CARD_FORM_SANDBOX_TOKEN: 'for-the-tests-of-this-job-alone' },
      portFile: {},
    },
  ];
  for (const { name, programs, contexts, env, portFile } of BUILT) {
    const missing = cannotRun(programs);
    test(`${name}: as the Containerfile says, serves the frame, writes its log, and ends`, async ({
      builtSite,
      startBuilt,
    }) => {
      test.skip(reason !== null || missing !== null, reason ?? missing ?? '');
      const containerfile = await readFile(join(IMAGES, name, 'Containerfile'), 'utf8');
      const port = await freePort();
      const { container, start } = await startBuilt(
        { containerfile, contexts: contexts(builtSite), programs: [...programs, ...CHECKS] },
        { env: { ...env, CARD_FORM_SANDBOX_PORT: `${port}` }, port, ...portFile },
      );
      const { base, copies, ...described } = readImage(containerfile);
      expect(start).toMatchObject(described);
      await expect.poll(() => container.isHealthy()).toBe(true);
      await expectOnlyTmpWritable(container);
      const frame = await fetch(`${container.url}/partner/v1/card-form/frame`);
      expect(frame.status).toBe(200);
      expect(await frame.text()).toContain('<!doctype html>');
      expect(await container.stop()).toBe(0);
      if (name === 'hosting') expect(await container.log()).toContain('GET /partner/v1/card-form/frame');
    });
  }
});
