/** Where the `dist/` is that a path names: a folder of it, a package that has it, or a package as npm packs it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReleaseError } from '../operate/release/release-error.ts';

export type Unpacked = { dist: string; remove: () => void };

/** Throws a `ReleaseError` if a package cannot be unpacked. */
export const unpack = (path: string): Unpacked => {
  const nothing = () => undefined;
  if (!path.endsWith('.tgz')) {
    const inside = join(path, 'dist');
    return { dist: existsSync(join(inside, 'sri.json')) ? inside : path, remove: nothing };
  }
  const folder = mkdtempSync(join(tmpdir(), 'card-form-package-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('tar', ['-xzf', path, '-C', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    remove();
    throw new ReleaseError(
      `${path} was expected to be a package that tar can unpack: ${error instanceof Error ? error.message.trim() : error}. Nothing was changed.`,
    );
  }
  return { dist: join(folder, 'package', 'dist'), remove };
};
