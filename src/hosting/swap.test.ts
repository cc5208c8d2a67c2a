import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asideOf, clearAbandoned, isRunning, putInPlace } from './swap.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'swap-'));
});
afterEach(() => rm(root, { recursive: true }));

/** A build of several files that all say whose they are. */
const build = async (pid: number): Promise<string> => {
  const folder = asideOf(root, pid);
  await mkdir(join(folder, 'deep'), { recursive: true });
  for (const name of ['a.js', 'deep/b.js', `only-${pid}.js`]) await writeFile(join(folder, name), `${pid}`);
  return folder;
};

const whole = async () => {
  const names = (await readdir(join(root, 'dist'))).sort();
  const texts = await Promise.all(
    ['a.js', 'deep/b.js'].map((name) => readFile(join(root, 'dist', name), 'utf8')),
  );
  return { names, texts };
};

describe('a build is put in the place of the former one', () => {
  it('where there is none yet, and where there is one: nothing of the former is left', async () => {
    await putInPlace(await build(1), join(root, 'dist'));
    await putInPlace(await build(2), join(root, 'dist'));
    expect(await whole()).toEqual({ names: ['a.js', 'deep', 'only-2.js'], texts: ['2', '2'] });
    expect(await readdir(root)).toEqual(['dist']);
  });

  it('also when several end at the same moment: the last is there, whole', async () => {
    const folders = await Promise.all([1, 2, 3, 4].map(build));
    await Promise.all(folders.map((folder) => putInPlace(folder, join(root, 'dist'))));
    const { names, texts } = await whole();
    expect(new Set(texts).size).toBe(1);
    expect(names).toEqual(['a.js', 'deep', `only-${texts[0]}.js`]);
    expect(await readdir(root)).toEqual(['dist']);
  });

  it('and what cannot be is an error, with the former as it was', async () => {
    await putInPlace(await build(1), join(root, 'dist'));
    await expect(putInPlace(join(root, 'nowhere'), join(root, 'dist'))).rejects.toThrow('ENOENT');
    expect((await whole()).texts).toEqual(['1', '1']);
  });
});

it('the build of this project writes nowhere else before it is whole, and git does not see where', () => {
  const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const config = read('vite.config.ts');
  const places = [...config.matchAll(/outDir: ([^,]+),/g)].map(([, place = '']) => place);
  expect(places.length).toBeGreaterThan(5);
  expect(places.filter((place) => place !== 'STAGED' && place !== 'join(ASIDE')).toEqual([]);
  expect(config.match(/\bDIST\b/g)).toHaveLength(2); // where it is named, and where the build is put
  expect(read('.gitignore').split('\n')).toContain('/.build-*/');
  expect(asideOf('', 1)).toMatch(/^\.build-/);
});

it('what a killed build left behind is removed, and nothing of one that runs or of anybody else', async () => {
  for (const name of ['.build-7', '.build-7-former-1', '.build-8', '.build-x', 'build-7', 'dist'])
    await mkdir(join(root, name));
  await clearAbandoned(root, (pid) => pid === 8);
  expect((await readdir(root)).sort()).toEqual(['.build-8', '.build-x', 'build-7', 'dist']);
});

it('this process runs, and one of an id that no system gives does not', () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(2 ** 30)).toBe(false);
});
