/** Reads the build's description of a release: `headers.json` and `sri.json`. */
import { join } from 'node:path';
import { parseHeadersFile, parseIntegrityFile } from '../hosting/manifest.ts';
import type { Disk } from './disk.ts';
import { ReleaseError } from './release-error.ts';
import type { Manifest } from './site.ts';

/**
 * The manifest in a folder of the disk; null if it is missing. Throws a `ReleaseError` that names the damaged file
 * within the folder `where`, with the remedy.
 */
export const readManifest = async (
  disk: Pick<Disk, 'read'>,
  folder: string,
  where: string,
  remedy: string,
): Promise<Manifest | null> => {
  const [headers, integrity] = [
    await disk.read(join(folder, 'headers.json')),
    await disk.read(join(folder, 'sri.json')),
  ];
  if (headers === null || integrity === null) return null;
  const read = <Value>(name: string, content: Buffer, parse: (text: string) => Value): Value => {
    try {
      return parse(content.toString());
    } catch {
      throw new ReleaseError(
        `${join(where, name)} was expected to be as the build writes it; it is not. ${remedy}`,
      );
    }
  };
  return {
    headers: read('headers.json', headers, parseHeadersFile),
    integrity: read('sri.json', integrity, parseIntegrityFile),
  };
};

/** The manifest of this release in a folder; null if it is missing, damaged, or that of another one. */
export const keptManifest = async (
  disk: Pick<Disk, 'read'>,
  folder: string,
  release: string,
): Promise<Manifest | null> => {
  const manifest = await readManifest(disk, folder, folder, '').catch(() => null);
  return manifest?.headers.release === release && manifest.integrity.release === release ? manifest : null;
};
