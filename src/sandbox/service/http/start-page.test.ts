import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../sandbox.ts';
import { listen } from '../server.ts';

const TOKEN = 'a-control-token-of-the-test';
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-dest': 'document' };

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'start-page-'));
  await writeFile(join(root, 'api.md'), '# API');
});
afterAll(() => rm(root, { recursive: true }));

const open = async (options: Partial<Parameters<typeof listen>[1]> = {}, keyNumber = 1) => {
  const sandbox = createSandbox({ keyNumber });
  const server = await listen(sandbox, { port: 0, root, ...options });
  const ask = async (headers: Record<string, string>, path = '/') => {
    const response = await fetch(server.url + path, { headers });
    return {
      type: response.headers.get('content-type'),
      status: response.status,
      text: await response.text(),
    };
  };
  const stop = () => Promise.all([server.close(), sandbox.close()]);
  return { sandbox, server, ask, stop };
};

describe('the root of a sandbox', () => {
  it('links to shop, inspector and playground, and names the sandbox by address and keys', async () => {
    const { sandbox, server, ask, stop } = await open({ shop: () => 'http://localhost:4011' }, 4020);
    const { status, type, text } = await ask(BROWSER);
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(`<h1>Sandbox at ${server.url.slice('http://'.length)}</h1>`);
    for (const href of ['http://localhost:4011', '/_sandbox/', '/_sandbox/playground/', '/_sandbox/api.md'])
      expect(text).toContain(`<a href="${href}">`);
    expect(sandbox.keys.publishable).toMatch(/^pk_live_sandbox0{21}4020$/);
    for (const key of Object.values(sandbox.keys)) expect(text).toContain(key);
    await stop();
  });

  it('has no link to a shop that is not there', async () => {
    const { ask, stop } = await open();
    expect((await ask(BROWSER)).text).not.toContain('Demo shop');
    await stop();
  });

  it.each([{}, { accept: '*/*' }, { accept: 'application/json' }])(
    'answers a program in JSON, as any unknown route: %j',
    async (headers) => {
      const { ask, stop } = await open();
      const { status, text } = await ask(headers);
      expect([status, JSON.parse(text).error.code]).toEqual([404, 'not_found']);
      await stop();
    },
  );

  it('contract 6.3: says nothing to a request that a proxy passed on, or that the page of another site sent', async () => {
    const { ask, stop } = await open();
    for (const headers of [
      { ...BROWSER, via: '1.1 proxy' },
      { accept: 'text/html', 'sec-fetch-site': 'cross-site' },
    ])
      expect((await ask(headers)).status).toBe(404);
    expect((await ask({ ...BROWSER, 'sec-fetch-site': 'cross-site' })).status).toBe(200); // a link
    await stop();
  });

  it('keeps the secret key to itself where other machines may ask', async () => {
    const { sandbox, ask, stop } = await open({ names: ['sandbox.test'], token: TOKEN });
    const { text } = await ask(BROWSER);
    expect(text).toContain(sandbox.keys.publishable);
    expect(text).not.toContain(sandbox.keys.secret);
    await stop();
  });
});
