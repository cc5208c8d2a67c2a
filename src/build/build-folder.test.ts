import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildAt } from './build-everything.ts';
import { buildFolder, removeAbandonedBuilds, replaceFolder } from './build-folder.ts';
import { environmentsOf } from './outputs.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'build-folder-'));
});
afterEach(() => rm(root, { recursive: true }));

/** A build whose files contain its process id. */
const build = async (pid: number): Promise<string> => {
  const folder = buildFolder(root, pid);
  await mkdir(join(folder, 'deep'), { recursive: true });
  for (const name of ['a.js', 'deep/b.js', `only-${pid}.js`]) await writeFile(join(folder, name), `${pid}`);
  return folder;
};

const contents = async () => {
  const names = (await readdir(join(root, 'dist'))).sort();
  const texts = await Promise.all(
    ['a.js', 'deep/b.js'].map((name) => readFile(join(root, 'dist', name), 'utf8')),
  );
  return { names, texts };
};

describe('replacing the former build', () => {
  it('works without a former build, and leaves nothing of a former one', async () => {
    await replaceFolder(await build(1), join(root, 'dist'));
    await replaceFolder(await build(2), join(root, 'dist'));
    expect(await contents()).toEqual({ names: ['a.js', 'deep', 'only-2.js'], texts: ['2', '2'] });
    expect(await readdir(root)).toEqual(['dist']);
  });

  it('leaves one complete build if several finish at the same time', async () => {
    const folders = await Promise.all([1, 2, 3, 4].map(build));
    await Promise.all(folders.map((folder) => replaceFolder(folder, join(root, 'dist'))));
    const { names, texts } = await contents();
    expect(new Set(texts).size).toBe(1);
    expect(names).toEqual(['a.js', 'deep', `only-${texts[0]}.js`]);
    expect(await readdir(root)).toEqual(['dist']);
  });

  it('keeps the former build if it fails', async () => {
    await replaceFolder(await build(1), join(root, 'dist'));
    await expect(replaceFolder(join(root, 'nowhere'), join(root, 'dist'))).rejects.toThrow('ENOENT');
    expect((await contents()).texts).toEqual(['1', '1']);
  });
});

it('every output is bundled into the build folder, which git ignores', () => {
  const build = buildAt('/project', '1.2.3');
  const folders = Object.values(environmentsOf(build)).map((environment) => environment.build?.outDir ?? '');
  expect(folders.length).toBeGreaterThan(5);
  expect(folders.filter((folder) => !folder.startsWith(`${build.folder}/`))).toEqual([]);
  expect(build.folder).toMatch(/^\/project\/\.build-\d+$/);
  const ignored = readFileSync(new URL('../../.gitignore', import.meta.url), 'utf8');
  expect(ignored.split('\n')).toContain('/.build-*/');
});

it('removes the folders of killed builds, and no others', async () => {
  for (const name of ['.build-7', '.build-7-former-1', '.build-8', '.build-x', 'build-7', 'dist'])
    await mkdir(join(root, name));
  await removeAbandonedBuilds(root, (pid) => pid === 8);
  expect((await readdir(root)).sort()).toEqual(['.build-8', '.build-x', 'build-7', 'dist']);
});
