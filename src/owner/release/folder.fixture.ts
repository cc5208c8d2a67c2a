/** A target folder on any disk, with the server of site.fixture.ts, which is asked what buyers get. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Disk, diskAt } from './disk.ts';
import { type ReleaseCommand, type ReleaseContext, runRelease } from './run.ts';
import { buildRelease, fakeNginx, memoryDisk, SITE_ORIGIN } from './site.fixture.ts';

/** Default time of commands, in ms since 1970. */
export const START = Date.parse('2026-01-01T00:00:00Z');

export type Files = Map<string, Buffer>;

/** A folder with a server. `seen` contains its files as the server sees them; `look` updates them. */
export type TestFolder = { disk: Disk; seen: Files; look: () => Promise<void> };

/** Context of a command on a site of this file, with the given overrides. */
export const testContext = (
  given: Pick<ReleaseContext, 'disk' | 'server' | 'get' | 'now' | 'log'> & Partial<ReleaseContext>,
): ReleaseContext => ({
  kind: 'nginx',
  origin: SITE_ORIGIN,
  wait: async () => undefined,
  self: `1_${`${Math.random()}`.slice(2)}_here`,
  alive: async () => false,
  open: null,
  isForced: false,
  ...given,
});

export const siteAt = ({ disk, seen, look }: TestFolder) => {
  const server = fakeNginx(seen);
  const lines: string[] = [];
  const get: typeof server.get = async (url, headers) => {
    await look();
    return server.get(url, headers);
  };
  const reload = async () => {
    await look();
    server.load();
  };
  const contextAt = (now: number, more: Partial<ReleaseContext> = {}): ReleaseContext =>
    testContext({
      disk,
      server: { check: async () => undefined, reload },
      get,
      now: () => now,
      log: (line) => void lines.push(line),
      ...more,
    });
  const run = (command: ReleaseCommand, now = START, more: Partial<ReleaseContext> = {}) =>
    runRelease(contextAt(now, more), command);
  /** Everything that pages of these releases can request. */
  const answers = async (releases: readonly string[]) => {
    await look();
    const own = releases.flatMap((release) =>
      ['frame.html', 'card-form.js', 'assets/form.js'].map((path) => `card-form/${release}/${path}`),
    );
    const found: Record<string, string> = {};
    for (const path of ['card-form.js', 'card-form/frame', ...own]) {
      const { status, headers, body } = await server.get(`${SITE_ORIGIN}/partner/v1/${path}`, {});
      found[path] = `${status} ${JSON.stringify(headers)} ${body}`;
    }
    return found;
  };
  const snapshot = async () => {
    await look();
    const files = [...seen].filter(([path]) => !path.startsWith('.card-form/'));
    return Object.fromEntries(files.map(([path, content]) => [path, `${content}`]));
  };
  return { run, contextAt, reload, answers, snapshot, lines };
};

/** A real folder. */
export const placeAt = (folder: string): TestFolder => {
  const disk = diskAt(folder);
  const seen: Files = new Map();
  // Synchronous, so that no other request sees half of it. It is also three times as fast.
  const look = async () => {
    seen.clear();
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) seen.set(relative(folder, path).split(sep).join('/'), readFileSync(path));
    }
  };
  return { disk, seen, look };
};

/** The same in memory, with its files. */
export const siteInMemory = () => {
  const files: Files = new Map();
  return { ...siteAt({ disk: memoryDisk(files), seen: files, look: async () => undefined }), files };
};

/** The releases 1.0.0, 1.1.0 and 1.2.0, built once per test file, by index. */
export const buildThree = () => {
  const names: string[] = [];
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'releases-'));
    for (const index of [0, 1, 2]) names.push(await buildRelease(dist(index), `1.${index}.0`));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const dist = (index: number | string): string => join(folder, `${index}`);
  const nameOf = (index: number): string => names[index] ?? '';
  const publish = (index: number, share: number | null = null) => ({
    ...{ command: 'publish' as const, from: dist(index), share },
  });
  return { names, dist, nameOf, publish };
};
