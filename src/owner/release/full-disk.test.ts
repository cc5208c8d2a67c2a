/**
 * Commands on a full disk: in memory with too little space for each single write, and on a small real file system. What
 * buyers get must stay unchanged, the message must say so, and the same command must complete once there is space.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildThree, type Files, placeAt, START, siteAt, type TestFolder } from './folder.fixture.ts';
import { ReleaseError } from './release-error.ts';
import type { ReleaseCommand } from './run.ts';
import { memoryDisk } from './site.fixture.ts';

const DAY = 86_400_000;

const { dist, names, nameOf, publish } = buildThree();

/** Commands to run on a site that has releases 0 and 1 and has moved to 1. */
const COMMANDS: Readonly<Record<string, { command: () => ReleaseCommand; wait: number }>> = {
  publish: { command: () => publish(2), wait: 0 },
  'publish for a share': { command: () => publish(2, 50), wait: 0 },
  rollback: { command: () => ({ command: 'rollback', to: null }), wait: 0 },
  withdraw: { command: () => ({ command: 'withdraw', release: nameOf(0) }), wait: DAY },
};

/** Runs the command with too little space, then with enough. Resolves with the message; null if the space sufficed. */
const runFull = async (
  place: TestFolder,
  { command, wait }: (typeof COMMANDS)[string],
  makeSpace: () => Promise<void>,
): Promise<string | null> => {
  const site = siteAt(place);
  await site.reload();
  const before = await site.snapshot();
  const answers = await site.answers(names.slice(0, 2));
  const error: unknown = await site.run(command(), START + wait).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error === null) return null;
  expect(error).toBeInstanceOf(ReleaseError);
  const message = error instanceof Error ? error.message : '';
  expect(message).toContain('ENOSPC');
  expect(message).toMatch(
    /Nothing was changed\.|All was undone: the site is as it was\.|The moving addresses are as they were\./,
  );
  expect(await site.answers(names.slice(0, 2))).toEqual(answers);
  const after = await site.snapshot();
  if (!message.includes('The moving addresses are as they were.')) expect(after).toEqual(before);
  await makeSpace();
  await site.run(command(), START + wait);
  return message;
};

/** A site that has moved to release 1, with release 0 beside it. */
const prepare = async (place: TestFolder) => {
  const { run } = siteAt(place);
  for (const index of [0, 1]) await run(publish(index));
};

describe('a full disk, at every write', () => {
  /** The space used by files: each file also has a fixed cost. */
  const usedBy = (files: Files) => [...files.values()].reduce((sum, { length }) => sum + length + 1, 0);

  const placeOf = (files: Files, afterWrite: (path: string) => void): TestFolder => {
    const disk = memoryDisk(files);
    return {
      disk: {
        ...disk,
        create: async (path, content) => {
          await disk.create(path, content);
          afterWrite(path);
        },
        copy: async (from, to) => {
          await disk.copy(from, to);
          afterWrite(to);
        },
        copyIn: async (from, to) => {
          await disk.copyIn(from, to);
          afterWrite(to);
        },
      },
      seen: files,
      look: async () => undefined,
    };
  };

  it.each(Object.entries(COMMANDS))(
    '%s: the site is as it was, and the message says so',
    async (name, tried) => {
      const prepared: Files = new Map();
      await prepare(placeOf(prepared, () => undefined));
      const free = usedBy(prepared);
      const needed = new Set<number>();
      const calm: Files = new Map(prepared);
      const site = siteAt(placeOf(calm, () => void needed.add(usedBy(calm) - free)));
      await site.reload();
      await site.run(tried.command(), START + tried.wait);
      const done = await site.snapshot();
      const messages = new Set<string>();
      for (const need of needed) {
        const files: Files = new Map(prepared);
        let space = Math.max(0, need - 1);
        const place = placeOf(files, (path) => {
          if (usedBy(files) - free <= space) return;
          // Truncates the last write.
          const [last = path] = [...files.keys()].filter((one) => one.startsWith(path)).slice(-1);
          files.set(last, (files.get(last) ?? Buffer.from('')).subarray(0, 1));
          throw new Error('ENOSPC: no space left on device, write');
        });
        const message = await runFull(place, tried, async () => {
          space = Number.POSITIVE_INFINITY;
        });
        if (message !== null) messages.add(message.split('\n').at(-1) ?? '');
        const { 'releases.json': _times, ...rest } = await siteAt(place).snapshot();
        expect({ ...rest, 'releases.json': '' }).toEqual({ ...done, 'releases.json': '' });
      }
      expect(needed.size).toBeGreaterThan(5);
      // A rollback needs no new space: it was reserved when the release was published.
      expect(messages.size > 0).toBe(name !== 'rollback');
    },
  );

  it.each(Object.entries(COMMANDS))(
    '%s: also if others take what it frees, from any write on',
    async (_, tried) => {
      const prepared: Files = new Map();
      await prepare(placeOf(prepared, () => undefined));
      let failed = 0;
      for (let at = 1; at < 400; at += 1) {
        const files: Files = new Map(prepared);
        let writes = 0;
        let isFull = true;
        const place = placeOf(files, (path) => {
          writes += 1;
          if (!isFull || writes < at) return;
          for (const name of [...files.keys()].filter((one) => one.startsWith(path))) files.delete(name);
          throw new Error('ENOSPC: no space left on device, write');
        });
        const site = siteAt(place);
        await site.reload();
        const answers = await site.answers(names.slice(0, 2));
        const error: unknown = await site.run(tried.command(), START + tried.wait).then(
          () => null,
          (reason: unknown) => reason,
        );
        if (error === null) break;
        failed += 1;
        expect(error).toBeInstanceOf(ReleaseError);
        expect(`${error}`).toContain('ENOSPC');
        expect(await site.answers(names.slice(0, 2))).toEqual(answers);
        isFull = false;
        await site.run(tried.command(), START + tried.wait);
      }
      expect(failed).toBeGreaterThan(5);
    },
  );
});

/** True if this process may mount a file system that no other process sees. */
const mayMount = (): boolean =>
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

const PAGE = 4096;
const SIZE = 1_048_576;

describe.skipIf(!mayMount())('a file system that is full', () => {
  /** A folder on a 1 MiB file system, which disappears with the process that mounted it. */
  const mountSmall = async () => {
    const point = await mkdtemp(join(tmpdir(), 'small-'));
    const script = `mount -t tmpfs -o size=${SIZE} tmpfs "$0" && echo mounted && exec cat`;
    const holder = spawn('unshare', ['--mount', 'sh', '-c', script, point]);
    await once(holder.stdout, 'data');
    return {
      folder: `/proc/${holder.pid}/root${point}`,
      unmount: async () => {
        holder.stdin.end();
        await once(holder, 'close');
        await rm(point, { recursive: true });
      },
    };
  };

  it.each(Object.entries(COMMANDS).filter(([name]) => name === 'publish' || name === 'rollback'))(
    '%s: the site is as it was, and the message says so',
    async (name, tried) => {
      const prepared = dist('prepared');
      await rm(prepared, { recursive: true, force: true });
      await mkdir(prepared);
      await prepare(placeAt(prepared));
      const { folder, unmount } = await mountSmall();
      const target = join(folder, 'target');
      const filler = join(folder, 'filler');
      let failed = 0;
      try {
        // Adds a few pages each time, until the space suffices.
        for (let free = 0; free < SIZE / 2; free += 5 * PAGE) {
          await rm(target, { recursive: true, force: true });
          await cp(prepared, target, { recursive: true });
          // As large as possible, then smaller.
          let length = 0;
          const page = Buffer.alloc(PAGE, 1);
          await writeFile(filler, '');
          for (; ; length += PAGE) {
            const isWritten = await writeFile(filler, page, { flag: 'a' }).then(
              () => true,
              () => false,
            );
            if (!isWritten) break;
          }
          await truncate(filler, Math.max(0, length - free));
          const message = await runFull(placeAt(target), tried, () => rm(filler));
          if (message === null) break;
          failed += 1;
        }
        expect(failed > 0).toBe(name !== 'rollback');
        expect((await readdir(folder)).includes('filler')).toBe(true);
      } finally {
        await unmount();
      }
    },
  );
});
