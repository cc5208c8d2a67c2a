import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../sandbox.ts';
import { listen } from '../server.ts';
import { readBuiltFiles } from './built-files.ts';
import { createInspectorFiles } from './inspector-files.ts';

let root: string;
let sandbox: Sandbox;
let server: Awaited<ReturnType<typeof listen>>;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'inspector-root-'));
  await mkdir(join(root, 'sandbox/inspector'), { recursive: true });
  for (const [name, text] of [
    ['index.html', '<!doctype html><title>Inspector</title>'],
    ['inspector.js', 'inspect();'],
    ['inspector.css', 'body{}'],
    ['notes.html', 'hidden'],
  ] as const) {
    await writeFile(join(root, 'sandbox/inspector', name), text);
  }
  await writeFile(join(root, 'api.md'), '# Server API');
  sandbox = createSandbox();
  server = await listen(sandbox, { port: 0, root });
});

afterEach(async () => {
  await sandbox.close();
  await server.close();
  await rm(root, { recursive: true });
});

/** Sends a request as a browser would, with headers that `fetch` does not allow. */
const get = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port: server.port, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    })
      .on('error', reject)
      .end();
  });

describe('the inspector at /_sandbox/', () => {
  it.each([
    ['/_sandbox/', 'text/html; charset=utf-8', 'Inspector'],
    ['/_sandbox/inspector.js', 'text/javascript; charset=utf-8', 'inspect();'],
    ['/_sandbox/inspector.css', 'text/css; charset=utf-8', 'body{}'],
    ['/_sandbox/api.md', 'text/plain; charset=utf-8', '# Server API'], // the reference, readable in the browser
  ])('%s is served under a policy that allows nothing but its own files', async (path, type, text) => {
    const response = await get(path);
    expect(response).toMatchObject({ status: 200, text: expect.stringContaining(text) });
    expect(response.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringMatching(/clipboard-write=\(self\).* payment=\(\)/),
    });
    expect(response.headers['content-security-policy']).toMatch(
      /^default-src 'none'; .*; trusted-types 'none'$/,
    );
  });

  it('/_sandbox redirects there, and nothing else of the folder is served', async () => {
    expect(await get('/_sandbox')).toMatchObject({ status: 308, headers: { location: '/_sandbox/' } });
    expect((await get('/_sandbox/notes.html')).status).toBe(404);
    expect((await get('/_sandbox/constructor')).status).toBe(404);
  });

  it.each<[string, string, Record<string, string>]>([
    ['script', '/_sandbox/inspector.js', { 'sec-fetch-site': 'cross-site' }],
    ['page in a frame', '/_sandbox/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }],
    ['page fetched', '/_sandbox/', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' }],
    ['page by another name', '/_sandbox/', { host: 'evil.example' }],
  ])('contract 6.3: another site gets no %s', async (_, path, headers) => {
    expect(await get(path, headers)).toMatchObject({ status: 403 });
  });

  it.each(['forwarded', 'x-forwarded-for', 'via'])(
    'contract 6.3: behind a proxy that names itself by %s there is no page, but a sentence why',
    async (name) => {
      const response = await get('/_sandbox/', { [name]: '127.0.0.1' });
      expect(response).toMatchObject({
        status: 403,
        text: expect.stringContaining('a proxy passed this request on'),
      });
      expect(await get('/_sandbox/inspector.js', { [name]: '127.0.0.1' })).toMatchObject({ status: 403 });
      expect(await get('/_sandbox', { [name]: '127.0.0.1' })).toMatchObject({ status: 403 });
    },
  );

  it('a link on another site can open the page, and no other control route', async () => {
    const followed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
    };
    expect((await get('/_sandbox/', followed)).status).toBe(200);
    expect((await get('/_sandbox/overview', followed)).status).toBe(403);
  });

  it('nobody on another machine gets it, and no other method', async () => {
    const files = createInspectorFiles(await readBuiltFiles(root));
    const page = (init?: RequestInit) => new Request('http://localhost/_sandbox/', init);
    expect((await files(page(), '127.0.0.1', null))?.status).toBe(200);
    expect(await files(page(), '192.0.2.7', null)).toBeNull();
    expect(await files(page({ method: 'POST' }), '127.0.0.1', null)).toBeNull();
    const head = await files(page({ method: 'HEAD' }), '127.0.0.1', null);
    expect([head?.status, await head?.text()]).toEqual([200, '']);
  });
});
