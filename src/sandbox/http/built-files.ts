/** The built files that a sandbox serves, held in memory from its start. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** The content of a file by its path below the root, with `/` between names; `null` where there is none. */
export type BuiltFiles = (path: string) => Buffer | null;

/** What is served; the rest of the build is for Node. */
const FOLDERS: readonly string[] = ['partner', 'sandbox/inspector'];
const FILES: readonly string[] = ['llms.txt', 'llms.txt.br'];

/**
 * Reads what is served of the files below `root`. They are read once: a build that takes their place while the server
 * runs must not change what its pages load. A link that leads out of the root counts as no file.
 */
export const readBuiltFiles = async (root: string): Promise<BuiltFiles> => {
  const files = new Map<string, Buffer>();
  const base = await orNothing(realpath(root));
  const add = async (path: string) => {
    const file = await orNothing(realpath(path));
    const content = file?.startsWith(`${base}${sep}`) ? await orNothing(readFile(file)) : null;
    if (content !== null) files.set(relative(`${base}`, path).split(sep).join('/'), content);
  };
  for (const name of base === null ? [] : FILES) await add(join(`${base}`, name));
  for (const folder of base === null ? [] : FOLDERS) {
    const entries = await orNothing(
      readdir(join(`${base}`, folder), { recursive: true, withFileTypes: true }),
    );
    for (const entry of entries ?? []) {
      if (!entry.isDirectory()) await add(join(entry.parentPath, entry.name));
    }
  }
  return (path) => files.get(path) ?? null;
};

/** What was read; `null` where there is nothing, a file in the place of a folder, or a folder in the place of a file. */
const orNothing = async <Value>(reading: Promise<Value>): Promise<Value | null> => {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FILE.includes(error.code)) return null;
    throw error;
  }
};

const NO_FILE: unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];
