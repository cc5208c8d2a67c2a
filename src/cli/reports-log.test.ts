import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReleaseError } from '../operate/release/release-error.ts';
import { followLog } from './reports-log.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reports-log-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) => join(folder, name);

describe('the log of reports is read from where the last look ended', () => {
  it('gives whole lines that were added, and none that were there before', async () => {
    const path = pathOf('added');
    writeFileSync(path, 'before\n');
    const added = await followLog(path);
    expect(await added()).toBe('');
    appendFileSync(path, 'one\ntw');
    expect(await added()).toBe('one\n');
    appendFileSync(path, 'o\n€\n');
    expect([await added(), await added()]).toEqual(['two\n€\n', '']);
  });

  it.each<[string, (path: string) => void]>([
    ['truncated', (path) => truncateSync(path)],
    [
      'rotated',
      (path) => {
        renameSync(path, `${path}.1`);
        writeFileSync(path, '');
      },
    ],
  ])('goes on at the new beginning of one that was %s', async (name, anew) => {
    const path = pathOf(name);
    writeFileSync(path, 'a long line from before\n');
    const added = await followLog(path);
    anew(path);
    appendFileSync(path, 'new\n');
    expect(await added()).toBe('new\n');
    appendFileSync(path, 'more\n');
    expect(await added()).toBe('more\n');
  });

  it('notices the new file of a rotation that is longer than the old one', async () => {
    const path = pathOf('longer');
    writeFileSync(path, 'old\n');
    const added = await followLog(path);
    renameSync(path, `${path}.1`);
    writeFileSync(path, 'new and longer\n');
    expect(await added()).toBe('new and longer\n');
  });

  it.each<[string, (path: string) => void, string]>([
    ['missing', () => undefined, 'ENOENT'],
    ['a folder', (path) => void mkdirSync(path), 'it is no file'],
  ])('refuses one that is %s, in words', async (name, make, why) => {
    const path = pathOf(name);
    make(path);
    const following = followLog(path);
    await expect(following).rejects.toThrow(ReleaseError);
    await expect(following).rejects.toThrow(
      `${path} was expected to be the log of violation reports, which this program may read; it could not: `,
    );
    await expect(following).rejects.toThrow(why);
  });

  it('says so if it cannot be read any longer', async () => {
    const path = pathOf('lost');
    writeFileSync(path, '');
    const added = await followLog(path);
    rmSync(path);
    await expect(added()).rejects.toThrow(/lost was expected to be the log of violation reports.* ENOENT/);
  });
});
