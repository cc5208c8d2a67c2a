import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { confirmBody, createWorld, ORDER, type SandboxWorld } from './sandbox.fixture.ts';
import { createSandbox } from './sandbox.ts';
import { listen, SLOWEST_REQUEST } from './server.ts';

let world: SandboxWorld;
let server: Awaited<ReturnType<typeof listen>>;
let root: string;

const RELEASE = '0.1.0-abc';
const FRAME = `<!doctype html><script type="module" src="/partner/v1/card-form/${RELEASE}/assets/frame.js"></script>`;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sandbox-root-'));
  const folder = join(root, 'partner/v1/card-form');
  const files: Record<string, string> = {
    'partner/v1/card-form.js': 'loader();',
    'partner/v1/card-form/frame.html': FRAME,
    [`partner/v1/card-form/${RELEASE}/frame.html`]: FRAME,
    [`partner/v1/card-form/${RELEASE}/frame.de.html`]: `${FRAME}<p>Karte`,
    [`partner/v1/card-form/${RELEASE}/frame.zh-Hant.html`]: `${FRAME}<p>卡片`,
    [`partner/v1/card-form/${RELEASE}/assets/frame.js`]: 'frame();'.repeat(50),
    [`partner/v1/card-form/${RELEASE}/assets/frame.js.map`]: '{}',
    [`partner/v1/card-form/${RELEASE}/assets/form.css`]: 'body{}',
    [`partner/v1/card-form/${RELEASE}/.hidden.js`]: 'hidden',
    [`partner/v1/card-form/${RELEASE}/notes`]: 'no extension',
    'secret.js': 'above',
  };
  await mkdir(join(folder, RELEASE, 'assets'), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
  await writeFile(join(folder, RELEASE, 'assets/frame.js.br'), brotliCompressSync('frame();'.repeat(50)));
  await writeFile(join(folder, RELEASE, 'assets/frame.js.gz'), gzipSync('frame();'.repeat(50)));
  await symlink('/etc/hosts', join(folder, RELEASE, 'link.js'));
  world = createWorld();
  server = await listen(world.sandbox, { port: 0, root });
});

afterEach(async () => {
  world.sandbox.close();
  await server.close();
  await rm(root, { recursive: true });
});

/** Sends bytes unchanged and returns all that arrives until the connection closes. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });

/** A raw HTTP request, on a separate connection. */
const written = (line: string, headers: readonly string[] = [], body = '', host = 'localhost') =>
  [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', body].join('\r\n');
const rawGet = (path: string, host?: string, ...headers: readonly string[]) =>
  raw(written(`GET ${path}`, headers, '', host));

const CONFIRM = 'POST /partner/v1/client/payment_intents/confirm';
const CREATE = 'POST /partner/v1/payment_intents';
/** The headers for a JSON body, with a key. */
const keyed = (key: string, body: string) => [
  `Authorization: Bearer ${key}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
];
/** Sends a confirm of an intent with the form's key. */
const rawConfirm = (body: unknown, more: readonly string[] = [], host?: string) => {
  const text = JSON.stringify(body);
  return raw(written(CONFIRM, [...keyed(world.sandbox.keys.publishable, text), ...more], text, host));
};

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers });

describe('on real sockets', () => {
  it('listens on loopback and says where', () => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  });

  it('contract 3.8: an answer carries its length and is never compressed', async () => {
    const intent = await world.intent();
    const response = await rawConfirm(confirmBody(intent));
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(head.toLowerCase()).toContain(`content-length: ${body.length}`);
    expect(head.toLowerCase()).toContain('cache-control: no-store');
    expect(head.match(/^date: .*$/gim)).toEqual([`date: ${new Date(world.clock.now()).toUTCString()}`]);
    expect(head.toLowerCase()).not.toMatch(/content-encoding|transfer-encoding|access-control/);
  });

  it('an idle connection outlives the pauses of a busy server', async () => {
    const response = await fetch(`${server.url}/_sandbox/health`);
    expect(response.headers.get('keep-alive')).toBe('timeout=75');
  });

  it("contract S17.3: the address is the socket's, whatever a header claims", async () => {
    for (let n = 0; n < 60; n++) {
      const headers = { 'x-forwarded-for': `10.0.0.${n}`, 'content-type': 'application/json' };
      await fetch(`${server.url}/partner/v1/client/payment_intents/retrieve`, {
        method: 'POST',
        headers,
        body: '{}',
      });
    }
    const over = await fetch(`${server.url}/partner/v1/client/payment_intents/retrieve`, { method: 'POST' });
    expect(over.status).toBe(429);
    expect(over.headers.get('retry-after')).toBe('60');
  });

  it('DNS rebinding: the client routes charge nothing for it', async () => {
    const intent = await world.intent();
    const asTheForm = ['Origin: http://rebound.evil.test', 'Sec-Fetch-Site: same-origin'];
    const response = await rawConfirm(confirmBody(intent), asTheForm, 'rebound.evil.test');
    expect(response).toMatch(/^HTTP\/1\.1 403/);
    expect(world.service.store.charges).toEqual([]);
  });

  it('a configured name is accepted: a proxy may forward the Host', async () => {
    const other = await listen(world.sandbox, { port: 0, root, names: ['pay.test'] });
    const ask = (host: string) =>
      new Promise<number>((resolve, reject) => {
        request({ port: other.port, host: '127.0.0.1', path: '/partner/v1/card-form.js', headers: { host } })
          .on('response', (response) => resolve(response.resume().statusCode ?? 0))
          .on('error', reject)
          .end();
      });
    expect(await ask('pay.test')).toBe(200);
    expect(await ask('PAY.test:8080')).toBe(200);
    expect(await ask('other.test')).toBe(403);
    await other.close();
  });

  it.each([
    [{}, 'The sandbox listens on 0.0.0.0: anyone who can reach it can use its keys, which are public.', null],
    [{ seed: 1 }, 'The sandbox listens on 0.0.0.0: ', 'so its ids and client secrets can be guessed'],
  ])('beyond loopback it warns, with %j of what else', async (options, warning, more) => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const open = await listen(createSandbox(options), { port: 0, host: '0.0.0.0' });
    await open.close();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(warning), 'SandboxWarning');
    expect(`${warn.mock.calls}`.includes('guessed')).toBe(more !== null);
    if (more !== null) expect(`${warn.mock.calls}`).toContain(more);
    warn.mockRestore();
  });

  it('a card number in bytes that are no request is not repeated', async () => {
    const number = '4539578763621486';
    for (const text of [
      `${number} / HTTP/1.1\r\n\r\n`,
      written(`${CONFIRM}?number=${number}`),
      written(`GET /${number}`),
      written(`GET /_sandbox/payment_intents/${number}`),
      written('GET /', [], '', number),
      written(`GET /partner/v1/card-form/${number}/frame.html`),
      written(CONFIRM, [`Content-Length: ${number}`]),
    ]) {
      const response = await raw(text);
      expect(response).toMatch(/^HTTP\/1\.1 4\d\d/);
      expect(response).not.toContain(number);
    }
  });

  describe('contract S1.1 and S16.1: bytes that are no request are also answered with an error as JSON', () => {
    const HTTP_1_1 = 'HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
    it.each([
      ['HTTP/1.0 without Host', 'GET / HTTP/1.0\r\n\r\n', 400, 'validation_error'],
      ['an unknown Expect', `GET / ${HTTP_1_1}Expect: a-reply\r\n\r\n`, 400, 'validation_error'],
      ['OPTIONS *', `OPTIONS * ${HTTP_1_1}\r\n`, 404, 'not_found'],
      ['an address that is none', `GET http://a:b:c/ ${HTTP_1_1}\r\n`, 404, 'not_found'],
      ['CONNECT', `CONNECT localhost:1 ${HTTP_1_1}\r\n`, 404, 'not_found'],
      ['no HTTP at all', 'Dear Ada\r\n\r\n', 400, 'validation_error'],
      ['a header too long', `GET / ${HTTP_1_1}Long: ${'x'.repeat(20_000)}\r\n\r\n`, 400, 'validation_error'],
    ])('%s', async (_, text, status, code) => {
      const [head = '', body = ''] = (await raw(text)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head.toLowerCase()).toContain('content-type: application/json');
      expect(head.toLowerCase()).toContain(`content-length: ${body.length}`);
      expect(JSON.parse(body)).toEqual({
        error: expect.objectContaining({ type: 'invalid_request_error', code, message: expect.any(String) }),
      });
    });

    it('what follows a request on its connection cannot be taken for the answer to it', async () => {
      const intent = await world.intent();
      const text = JSON.stringify(confirmBody(intent, '4000000000010050'));
      const headers = keyed(world.sandbox.keys.publishable, text);
      const confirm = written(CONFIRM, headers, text).replace('Connection: close\r\n', '');
      expect(await raw(`${confirm}Dear Ada\r\n\r\n`)).toBe('');
    });
  });

  describe('contract 6.9: a request whose end or whose host two programs would read differently is refused', () => {
    const BODY = JSON.stringify(ORDER);
    const SIZE = `${BODY.length}`;
    const CHUNKED = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    const SECOND = 'GET /partner/v1/balance HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const create = (headers: string, body: string, line = CREATE) => {
      const [authorization = '', type = ''] = keyed(world.sandbox.keys.secret, body);
      return raw(written(line, [authorization, type, headers], body));
    };

    it('as it stands', async () => {
      expect(await create(`Content-Length: ${SIZE}`, BODY)).toMatch(/^HTTP\/1\.1 200/);
      expect(await create('Transfer-Encoding: chunked', CHUNKED)).toMatch(/^HTTP\/1\.1 200/);
    });

    it.each([
      ['length, then chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SECOND}`],
      ['chunks not last', 'Transfer-Encoding: chunked, identity', CHUNKED],
      ['a coding before chunks', 'Transfer-Encoding: gzip, chunked', CHUNKED],
      ['a space before the colon', `Content-Length : ${SIZE}`, BODY],
      ['two equal lengths', `Content-Length: ${SIZE}\r\nContent-Length: ${SIZE}`, BODY],
      ['a line feed alone', `X: a\nContent-Length: ${SIZE}`, BODY],
      ['a second Host', `Host: shop.example\r\nContent-Length: ${SIZE}`, BODY],
      ['a second Authorization', `Authorization: Bearer sk_live_x\r\nContent-Length: ${SIZE}`, BODY],
      ['a second Content-Type', `Content-Type: text/plain\r\nContent-Length: ${SIZE}`, BODY],
    ])('%s', async (_, headers, body) => {
      const response = await create(headers, body);
      // Nothing or one answer: the rest was not interpreted as a separate request.
      expect(response).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
      expect(response.match(/^HTTP\/1\.1 \d/gm) ?? ['none']).toHaveLength(1);
      expect(world.service.store.intents.size).toBe(0);
    });

    it('chunks in HTTP/1.0, and an address at another host', async () => {
      const old = written(CREATE, ['Transfer-Encoding: chunked'], CHUNKED).replace('HTTP/1.1', 'HTTP/1.0');
      expect(await raw(old)).toMatch(/^HTTP\/1\.1 400/);
      const elsewhere = CREATE.replace(' ', ' http://shop.example');
      expect(await create(`Content-Length: ${SIZE}`, BODY, elsewhere)).toContain('host_refused');
    });
  });

  it('contract 6.9: a request that does not arrive in time ends its connection', async () => {
    const slow = createWorld();
    const other = await listen(slow.sandbox, { port: 0, slowest: { head: 20, request: 60, look: 5 } });
    const begin = (text: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(other.port, '127.0.0.1', () => socket.write(text));
        let answer = '';
        socket.on('data', (chunk) => {
          answer += chunk;
        });
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(answer));
      });
    const head = 'POST /partner/v1/payment_intents HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n';
    expect(await begin(head)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"validation_error"/);
    const key = `Authorization: Bearer ${slow.sandbox.keys.secret}\r\nContent-Type: application/json\r\n`;
    // On a busy machine its head may be late, too.
    expect(await begin(`${head}${key}\r\n{"amount":`)).toMatch(/^(HTTP\/1\.1 400 |$)/);
    expect(SLOWEST_REQUEST.head).toBeLessThanOrEqual(30_000);
    expect(SLOWEST_REQUEST.request).toBeLessThanOrEqual(60_000);
    await other.close();
  });

  it('contract S9: two Idempotency-Key headers are no key', async () => {
    const text = JSON.stringify(ORDER);
    const create = (...keys: string[]) => {
      const headers = keyed(world.sandbox.keys.secret, text);
      return raw(written(CREATE, [...headers, ...keys.map((key) => `idempotency-Key: ${key}`)], text));
    };
    for (const keys of [
      ['a1', 'a2'],
      ['a1', 'a1'],
      ['', 'a1'],
    ]) {
      const response = await create(...keys);
      expect(response).toMatch(/^HTTP\/1\.1 400/);
      expect(response).toContain('"code":"validation_error"');
      expect(response).toContain('"param":"Idempotency-Key"');
    }
    expect(world.service.store.intents.size).toBe(0);
    expect(await create('a1, a2')).toMatch(/^HTTP\/1\.1 200/);
  });

  it('a port in use gives an error that names it and the option that changes it', async () => {
    await expect(listen(world.sandbox, { port: server.port })).rejects.toThrow(
      `Port ${server.port} on 127.0.0.1 is in use. Stop the program that holds it, or choose another port with --port`,
    );
  });
});

describe('contract 2: static files', () => {
  it('contract 2.1: the moving loader is short-lived, checkable, and open to every page', async () => {
    const response = await get('/partner/v1/card-form.js');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('loader();');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=300, must-revalidate',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'content-length': '9',
    });
    const tag = response.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    const again = await get('/partner/v1/card-form.js', { 'if-none-match': tag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    await writeFile(join(root, 'partner/v1/card-form.js'), 'newer();');
    const later = await listen(world.sandbox, { port: 0, root });
    const newer = await fetch(`${later.url}/partner/v1/card-form.js`, { headers: { 'if-none-match': tag } });
    expect([newer.status, await newer.text()]).toEqual([200, 'newer();']);
    await later.close();
  });

  it.each([
    '/partner/v1/card-form.js',
    '/partner/v1/card-form/frame',
    `/partner/v1/card-form/${RELEASE}/assets/frame.js`,
  ])('contract 3.4: %s sets no cookie, and one that is sent changes nothing', async (path) => {
    const parts = async (headers: Record<string, string>) => {
      const response = await get(path, headers);
      const { date, ...sent } = Object.fromEntries(response.headers);
      return { status: response.status, sent, text: await response.text() };
    };
    const without = await parts({});
    expect(without).toMatchObject({ status: 200 });
    expect(without.sent).not.toHaveProperty('set-cookie');
    expect(await parts({ cookie: 'session=1; lang=de' })).toEqual(without);
  });

  it.each([
    ['?de-AT', `${FRAME}<p>Karte`],
    ['?zh_TW', `${FRAME}<p>卡片`],
    ['?fr', FRAME],
    ['?../../secret', FRAME],
    ['?', FRAME],
  ])(
    'contract 2.5: the frame with the query %s is the document in that language, or the English one',
    async (query, html) => {
      for (const path of ['frame', `${RELEASE}/frame.html`]) {
        const response = await get(`/partner/v1/card-form/${path}${query}`);
        expect([response.status, await response.text()]).toEqual([200, html]);
        expect(response.headers.get('content-security-policy')).toContain(
          `/partner/v1/card-form/${RELEASE}/; `,
        );
      }
    },
  );

  it('contract 2.2: files below a release are immutable', async () => {
    const response = await get(`/partner/v1/card-form/${RELEASE}/assets/form.css`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it.each([
    ['/partner/v1/card-form/frame', 'no-cache'],
    [`/partner/v1/card-form/${RELEASE}/frame.html`, 'public, max-age=31536000, immutable'],
  ])(
    '2.4: the frame document at %s carries the policy of its release and of the origin asked',
    async (path, cache) => {
      const response = await get(path);
      expect(await response.text()).toBe(FRAME);
      expect(response.headers.get('cache-control')).toBe(cache);
      expect(response.headers.get('content-security-policy')).toContain(
        `script-src ${server.url}/partner/v1/card-form/${RELEASE}/; `,
      );
      expect(response.headers.get('content-security-policy')).toContain(
        `connect-src ${server.url}/partner/v1/client/ ${server.url}/partner/v1/card-form/${RELEASE}/; `,
      );
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      const port = server.port;
      const asked = await rawGet(path, `localhost:${port}`);
      expect(asked).toContain(`script-src http://localhost:${port}/partner/v1/card-form/${RELEASE}/`);
    },
  );

  it('a Host that would end a directive of the policy is not served', async () => {
    const response = await rawGet('/partner/v1/card-form/frame', 'a;b');
    expect(response).toMatch(/^HTTP\/1\.1 40[034]/);
  });

  it('brotli or else gzip if the file exists and is accepted, else plain', async () => {
    const path = `/partner/v1/card-form/${RELEASE}/assets/frame.js`;
    const packed = await get(path, { 'accept-encoding': 'gzip, br' });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.headers.get('vary')).toBe('Accept-Encoding');
    expect(await packed.text()).toBe('frame();'.repeat(50));
    const zipped = await get(path, { 'accept-encoding': 'gzip, deflate' });
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(await zipped.text()).toBe('frame();'.repeat(50));
    for (const encoding of ['deflate', 'br;q=0', 'gzip;q=0', 'identity']) {
      const plain = await get(path, { 'accept-encoding': encoding });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(plain.headers.get('content-length')).toBe('400');
      expect(plain.headers.get('etag')).not.toBe(packed.headers.get('etag'));
      expect(await plain.text()).toBe('frame();'.repeat(50));
    }
  });

  it('HEAD has the headers and no body', async () => {
    const response = await fetch(`${server.url}/partner/v1/card-form.js`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      '9',
      '',
    ]);
  });

  it.each([
    `/partner/v1/card-form/${RELEASE}/assets/frame.js.map`,
    `/partner/v1/card-form/${RELEASE}/.hidden.js`,
    `/partner/v1/card-form/${RELEASE}/notes`,
    `/partner/v1/card-form/${RELEASE}/link.js`,
    `/partner/v1/card-form/${RELEASE}/`,
    `/partner/v1/card-form/${RELEASE}/../../../../secret.js`,
    `/partner/v1/card-form/${RELEASE}/..%2f..%2f..%2f..%2fsecret.js`,
    `/partner/v1/card-form/${RELEASE}/..\\..\\..\\..\\secret.js`,
    `/partner/v1/card-form/${RELEASE}/assets/frame.js%00.css`,
    '/partner/v1/card-form/frame.html',
    '/partner/v1/card-form/none/frame.html',
    '/secret.js',
  ])('%s is not served', async (path) => {
    const response = await rawGet(path);
    expect(response).toMatch(/^HTTP\/1\.1 40[04]/);
    expect(response).not.toMatch(/above|hidden|no extension|127\.0\.0\.1/);
  });

  it('a running server keeps its files: a later build, or none, in their place changes nothing', async () => {
    const address = `${server.url}/partner/v1/card-form.js`;
    await rm(join(root, 'partner'), { recursive: true });
    expect(await (await fetch(address)).text()).toBe('loader();');
    await mkdir(join(root, 'partner/v1'), { recursive: true });
    await writeFile(join(root, 'partner/v1/card-form.js'), 'loaderOfALaterBuild();');
    expect(await (await fetch(address)).text()).toBe('loader();');
    expect((await fetch(`${server.url}/partner/v1/card-form/${RELEASE}/assets/form.css`)).status).toBe(200);
  });

  it('another method than GET is not served', async () => {
    expect((await fetch(`${server.url}/partner/v1/card-form.js`, { method: 'POST' })).status).toBe(404);
  });
});
