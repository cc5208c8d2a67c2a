import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { differencesBetween, filesIn } from './verify-build.mjs';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'builds-'));
});
afterEach(() => rm(parent, { recursive: true }));

const build = async (name: string, files: Readonly<Record<string, string>>) => {
  const folder = join(parent, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return filesIn(folder);
};

describe('threat-model C77: two builds are compared byte for byte', () => {
  const SAME = { 'a.js': 'a()', 'deep/b.css': 'b{}' };

  it('finds no difference between the same files, whatever their folder and order of writing', async () => {
    const [first, second] = [
      await build('one', SAME),
      await build('other', { 'deep/b.css': 'b{}', 'a.js': 'a()' }),
    ];
    expect([...first.keys()]).toEqual(['a.js', 'deep/b.css']);
    expect(differencesBetween(first, second)).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['another byte', { ...SAME, 'deep/b.css': 'b{} ' }, 'deep/b.css: '],
    ['a missing file', { 'a.js': 'a()' }, 'deep/b.css: only in the first build'],
    ['another file', { ...SAME, 'c.js': '' }, 'c.js: only in the second build'],
  ])('finds %s', async (_, files, message) => {
    const found = differencesBetween(await build('one', SAME), await build('other', files));
    expect(found).toEqual([expect.stringContaining(message)]);
  });
});
