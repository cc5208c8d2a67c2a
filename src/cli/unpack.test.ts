/** What `release repair --from` takes: a package as npm packs it, a package's folder, and a `dist/`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteInMemory } from '../operate/release/folder.fixture.ts';
import { ReleaseError } from '../operate/release/release-error.ts';
import { buildRelease } from '../operate/release/site.fixture.ts';
import { unpack } from './unpack.ts';

let folder: string;
let release: string;
/** A package's folder, as npm packs it: all its files are below `package/`. */
let unpacked: string;
let packed: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unpack-'));
  unpacked = join(folder, 'package');
  release = await buildRelease(join(unpacked, 'dist'), '1.0.0');
  writeFileSync(join(unpacked, 'package.json'), '{"name":"card-form","version":"1.0.0"}');
  packed = join(folder, 'card-form-1.0.0.tgz');
  execFileSync('tar', ['-czf', packed, '-C', folder, 'package']);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A site whose release has lost a file and has another one damaged. */
const damagedSite = async () => {
  const site = siteInMemory();
  const { files } = site;
  await site.run({ command: 'publish', from: join(unpacked, 'dist') });
  const before = await site.snapshot();
  const home = `partner/v1/card-form/${release}`;
  files.set(`${home}/assets/form.js`, Buffer.from('damaged'));
  for (const suffix of ['', '.br', '.gz']) files.delete(`${home}/frame.html${suffix}`);
  return { ...site, before };
};

describe('card-form release repair --from', () => {
  it.each<[string, () => string]>([
    ['a package as npm packs it', () => packed],
    ['the folder of a package, which has dist/', () => unpacked],
    ['a dist/', () => join(unpacked, 'dist')],
  ])('restores lost and damaged files from %s', async (_, path) => {
    const site = await damagedSite();
    const { dist, remove } = unpack(path());
    const { restored, remaining } = await site.run({ command: 'repair', from: [dist] });
    remove();
    expect(remaining).toEqual([]);
    expect(restored.join('\n')).toMatch(/assets\/form\.js[\s\S]*frame\.html/);
    expect(await site.snapshot()).toEqual(site.before);
  });

  it('removes what it unpacked, and nothing else', () => {
    const { dist, remove } = unpack(packed);
    expect(existsSync(join(dist, 'sri.json'))).toBe(true);
    remove();
    expect(existsSync(dirname(dirname(dist)))).toBe(false);
    unpack(unpacked).remove();
    expect([existsSync(packed), existsSync(join(unpacked, 'dist/sri.json'))]).toEqual([true, true]);
  });

  it('does not use a package that has no build, and says so', async () => {
    const other = mkdtempSync(join(folder, 'other-'));
    mkdirSync(join(other, 'package'));
    writeFileSync(join(other, 'package/package.json'), '{}');
    execFileSync('tar', ['-czf', join(folder, 'other.tgz'), '-C', other, 'package']);
    const site = await damagedSite();
    const { dist, remove } = unpack(join(folder, 'other.tgz'));
    const { remaining } = await site.run({ command: 'repair', from: [dist] });
    remove();
    expect(site.lines).toContain(`${dist} is no dist/ of a build: it is not used`);
    expect(remaining.join('\n')).toMatch(
      /frame\.html: it is missing\. Name the dist\/ of 1\.0\.0-\w+ with --from/,
    );
  });

  it.each<[string, (path: string) => void]>([
    ['is missing', () => undefined],
    ['is no package', (path) => writeFileSync(path, 'PK')],
  ])('says in words that a package %s', (name, make) => {
    const path = join(folder, `${name}.tgz`);
    make(path);
    expect(() => unpack(path)).toThrow(ReleaseError);
    expect(() => unpack(path)).toThrow(
      /^.*\.tgz was expected to be a package that tar can unpack: [\s\S]*Nothing was changed\.$/,
    );
  });
});
