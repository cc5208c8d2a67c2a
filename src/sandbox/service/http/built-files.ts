/** The built files that a sandbox serves, in memory. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { nodeErrorCode } from '../core/node-error-code.ts';

/** Returns the content of a file by its path below the root, with `/` as separator; `null` if there is none. */
export type BuiltFiles = (path: string) => Buffer | null;

/** Only these are served. The rest of the build is for Node. */
const FOLDERS: readonly string[] = ['partner', 'sandbox/inspector', 'playground'];
const FILES: readonly string[] = ['api.md', 'llms.txt', 'llms.txt.br'];

/**
 * Reads the served files below `root` once: a build that replaces them while the server runs must not change what its
 * pages load. Ignores symbolic links that lead out of the root.
 */
export const readBuiltFiles = async (root: string): Promise<BuiltFiles> => {
  const files = new Map<string, Buffer>();
  const base = await orNull(realpath(root));
  const add = async (path: string) => {
    const file = await orNull(realpath(path));
    const content = file?.startsWith(`${base}${sep}`) ? await orNull(readFile(file)) : null;
    if (content !== null) files.set(relative(`${base}`, path).split(sep).join('/'), content);
  };
  for (const name of base === null ? [] : FILES) await add(join(`${base}`, name));
  for (const folder of base === null ? [] : FOLDERS) {
    const entries = await orNull(readdir(join(`${base}`, folder), { recursive: true, withFileTypes: true }));
    for (const entry of entries ?? []) {
      if (!entry.isDirectory()) await add(join(entry.parentPath, entry.name));
    }
  }
  return (path) => files.get(path) ?? null;
};

/**
 * Resolves with the result of reading, or with `null` if the file does not exist or is a folder, or the folder is a
 * file.
 */
const orNull = async <Value>(reading: Promise<Value>): Promise<Value | null> => {
  try {
    return await reading;
  } catch (error) {
    if (NO_FILE.includes(nodeErrorCode(error))) return null;
    throw error;
  }
};

const NO_FILE: unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];
