/** Finds damaged files of a release on disk, and a good copy for each. */
import { STATIC_ROUTES } from '../../api/routes.ts';
import { compressedIn, decompressed, isCompressed, SUFFIXES } from '../../api/served/codings.ts';
import { headersAt } from '../../api/served/headers.ts';
import { integrityOf } from '../../api/served/inline.ts';
import type { Disk } from './disk.ts';
import type { KeptRelease } from './releases-file.ts';
import type { Manifest } from './site.ts';

/** A file that differs from the build. `content` is the correct content; null if there is no source for it. */
export type Damage = { path: string; problem: string; content: Buffer | null };

/**
 * Returns true if no buyer has a form without the file at this path or address: the script, and the frame's document at
 * its fixed and moving addresses. Without another language's document, only buyers of that language have none.
 */
export const isVital = (path: string): boolean =>
  /\/(card-form\.js|frame\.html|card-form\/frame)$/.test(path);

/** A place that may have good files of this release, laid out like `dist/`. */
export type Source = Pick<Disk, 'read'>;

/** The files a release must have, with their hashes, by path. For a withdrawn one, the scripts beside its document. */
const expectedIn = (
  { release, withdrawn }: Pick<KeptRelease, 'release' | 'withdrawn'>,
  { integrity: { files } }: Manifest,
): readonly (readonly [string, string])[] => {
  const folder = STATIC_ROUTES.release(release);
  return Object.entries(files)
    .filter(
      ([address]) =>
        address.startsWith(folder) &&
        (withdrawn === null || /^[^/]+\.js$/.test(address.slice(folder.length))),
    )
    .map(([address, hash]) => [address.slice(1), hash]);
};

/** Finds every damaged or missing file of a release, in all content codings. */
export const damageOf = async (
  disk: Disk,
  kept: Pick<KeptRelease, 'release' | 'withdrawn'>,
  manifest: Manifest,
  sources: readonly Source[] = [],
): Promise<readonly Damage[]> => {
  const { codings, rules } = manifest.headers;
  const found: Damage[] = [];
  for (const [path, hash] of expectedIn(kept, manifest)) {
    const isGood = (content: Buffer | null): content is Buffer =>
      content !== null && integrityOf(content) === hash;
    const packed = isCompressed(headersAt(`/${path}`, rules) ?? {}) ? [] : codings;
    const plain = await disk.read(path);
    const unpacked: Buffer[] = [];
    const spoilt: { coding: (typeof packed)[number]; problem: string }[] = [];
    for (const coding of packed) {
      const content = await disk.read(path + SUFFIXES[coding]);
      if (content === null) spoilt.push({ coding, problem: 'it is missing' });
      else {
        const text = decompressed(coding, content);
        if (isGood(text)) unpacked.push(text);
        else spoilt.push({ coding, problem: 'it does not unpack to the content that was built' });
      }
    }
    let good: Buffer | null = isGood(plain) ? plain : (unpacked[0] ?? null);
    for (const source of good === null ? sources : []) {
      const content = await source.read(path);
      if (isGood(content)) good = content;
    }
    if (!isGood(plain))
      found.push({
        path,
        problem: plain === null ? 'it is missing' : `it has ${integrityOf(plain)} in place of ${hash}`,
        content: good,
      });
    for (const { coding, problem } of spoilt) {
      const name = path + SUFFIXES[coding];
      const [made] = good === null ? [] : compressedIn([coding], good);
      found.push({ path: name, problem, content: made?.[1] ?? null });
    }
  }
  return found;
};
