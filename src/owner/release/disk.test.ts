import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Disk, diskAt } from './disk.ts';
import { memoryDisk } from './site.fixture.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'release-disk-'));
});
afterEach(() => rm(root, { recursive: true }));

const IMPLEMENTATIONS: readonly [string, () => Disk][] = [
  ['the real one', () => diskAt(join(root, 'target'))],
  [
    'that of the tests',
    () =>
      memoryDisk(
        new Map(),
        () => undefined,
        async () => undefined,
      ),
  ],
];

it.each(IMPLEMENTATIONS)('a disk: %s', async (_, make) => {
  const disk = make();
  expect([await disk.read('a'), await disk.list('x'), await disk.exists('a')]).toEqual([null, [], false]);
  await disk.create('x/a', 'one');
  await expect(disk.create('x/a', 'two')).rejects.toThrow('EEXIST');
  await disk.create('y', 'two');
  await disk.rename('y', 'x/a');
  expect(`${await disk.read('x/a')}`).toBe('two');
  expect(await disk.exists('y')).toBe(false);
  await disk.copy('x/a', 'copies/b');
  await disk.create('x/deep/c', '');
  expect(await disk.list('x')).toEqual(['a', 'deep']);
  await expect(disk.rename('copies', 'x')).rejects.toThrow('ENOTEMPTY');
  await disk.rename('x', 'moved/to/z');
  expect([await disk.list('moved/to/z'), await disk.exists('moved/to/z/deep/c')]).toEqual([
    ['a', 'deep'],
    true,
  ]);
  await disk.remove('moved');
  await disk.remove('moved');
  expect(await disk.exists('moved')).toBe(false);
  await expect(disk.rename('nothing', 'a')).rejects.toThrow('ENOENT');
  await mkdir(join(root, 'outside/deep'), { recursive: true });
  await writeFile(join(root, 'outside/deep/o'), 'from outside');
  await disk.copyIn(join(root, 'outside'), 'in/side');
  expect(`${await disk.read('in/side/deep/o')}`).toBe('from outside');
});
