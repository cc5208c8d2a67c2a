import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PLAYGROUND } from '../../../api/routes.ts';
import { readBuiltFiles } from './built-files.ts';
import { createPlaygroundFiles } from './playground-files.ts';

const KEY = `pk_live_sandbox${'0'.repeat(21)}4020`;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'playground-root-'));
  await mkdir(join(root, 'playground/assets'), { recursive: true });
  await writeFile(
    join(root, 'playground/index.html'),
    '<!doctype html><title>Playground</title><div data-service="" data-publishable-key=""></div>',
  );
  await writeFile(join(root, 'playground/assets/playground-a_B-1.js'), 'play();');
  await writeFile(join(root, 'playground/assets/playground-c2.css'), 'body{}');
  await writeFile(join(root, 'playground/notes.html'), 'hidden');
});

afterEach(() => rm(root, { recursive: true }));

const ask = async (path: string) =>
  createPlaygroundFiles(await readBuiltFiles(root), KEY)(
    new Request(`http://127.0.0.1:4010${path}`, { headers: { host: '127.0.0.1:4010' } }),
    '127.0.0.1',
    null,
  );

describe('the playground at /_sandbox/playground/', () => {
  it('has the publishable key of this sandbox', async () => {
    expect(await (await ask(PLAYGROUND))?.text()).toContain(
      `<div data-service="" data-publishable-key="${KEY}">`,
    );
  });

  it.each([
    [PLAYGROUND, 'text/html; charset=utf-8', '<title>Playground</title>'],
    [`${PLAYGROUND}assets/playground-a_B-1.js`, 'text/javascript; charset=utf-8', 'play();'],
    [`${PLAYGROUND}assets/playground-c2.css`, 'text/css; charset=utf-8', 'body{}'],
  ])('%s is served under a policy that allows the form and its own files', async (path, type, text) => {
    const response = await ask(path);
    expect(response?.status).toBe(200);
    expect(response?.headers.get('content-type')).toBe(type);
    expect(await response?.text()).toContain(text);
    const policy = response?.headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types card-form',
    ]);
  });

  it('/_sandbox/playground redirects there, and nothing else of the folder is served', async () => {
    const redirect = await ask('/_sandbox/playground');
    expect([redirect?.status, redirect?.headers.get('location')]).toEqual([308, PLAYGROUND]);
    for (const path of ['notes.html', 'index.html', 'assets/', 'assets/../notes.html', 'assets/none.js'])
      expect([path, await ask(PLAYGROUND + path)]).toEqual([path, null]);
  });
});
