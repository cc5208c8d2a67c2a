import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, diskAt } from './disk.ts';
import { isAlive, locked, thisProcess } from './lock.ts';

let root: string;
let disk: Disk;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'release-lock-'));
  disk = diskAt(root);
});
afterEach(() => rm(root, { recursive: true }));

const holder = (pid: number): string => `${pid}_1_here`;
const all = async () => true;

describe('the lock of card-form release', () => {
  it('lets one work, and refuses another until it ends', async () => {
    const inside = await locked(disk, holder(1), all, async () => {
      await expect(locked(disk, holder(2), all, async () => 'two')).rejects.toThrow(
        /^Another release is under way: process 1 on here\. Nothing was changed\./,
      );
      return 'one';
    });
    expect(inside).toBe('one');
    expect(await locked(disk, holder(2), all, async () => 'two')).toBe('two');
    expect(await disk.list('.card-form/lock')).toEqual([]);
  });

  it('of many that start together, never lets two work', async () => {
    let working = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++working);
      await disk.list('.');
      working -= 1;
    };
    const ends = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => locked(disk, holder(index + 1), all, work)),
    );
    expect(most).toBeLessThanOrEqual(1);
    expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0);
    expect(await disk.list('.card-form/lock')).toEqual([]);
  });

  it('ignores the lock of a killed process, even if its id was reused', async () => {
    const [pid, started, host] = /^(\d+)_(\d*)_(.+)$/.exec(await thisProcess())?.slice(1) ?? [];
    const killed = [`${2 ** 30}_1_${host}`, `${pid}_1_${host}`];
    for (const name of killed) await disk.create(`.card-form/lock/${name}`, '');
    const self = `${Number(pid) + 1}_${started}_${host}`;
    expect(await locked(disk, self, isAlive, async () => 'worked')).toBe('worked');
    expect(await disk.list('.card-form/lock')).toEqual([]);
  });

  it('does not ignore a process of another machine, which it cannot ask', async () => {
    await disk.create('.card-form/lock/7_1_elsewhere', '');
    await expect(locked(disk, await thisProcess(), isAlive, async () => 'worked')).rejects.toThrow(
      'If that machine is gone, remove .card-form/lock/7_1_elsewhere.',
    );
  });

  it('is released if the work fails', async () => {
    const failing = locked(disk, holder(1), all, async () => {
      throw new Error('full');
    });
    await expect(failing).rejects.toThrow('full');
    expect(await disk.list('.card-form/lock')).toEqual([]);
  });
});
