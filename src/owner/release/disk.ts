/**
 * A release's file operations, passed as an argument so that tests can interrupt them at any point. Paths are relative
 * to the target folder. Each change is atomic, even if the process is killed.
 */
import { cp, link, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type Disk = {
  /** A file's content; null if there is none. */
  read(path: string): Promise<Buffer | null>;
  /** The names in a folder, sorted; empty if there is none. */
  list(path: string): Promise<readonly string[]>;
  exists(path: string): Promise<boolean>;
  /** Creates a file that doesn't exist yet. Only `rename` replaces a file that is being served. */
  create(path: string, content: string | Buffer): Promise<void>;
  /**
   * Copies a file within this disk, sharing its space where the file system can. Only `rename` may replace either file.
   */
  copy(from: string, to: string): Promise<void>;
  /** Copies a folder from anywhere. */
  copyIn(from: string, to: string): Promise<void>;
  /** Moves a file, replacing the target atomically; or moves a folder to a path that is free. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file or folder, if it exists. */
  remove(path: string): Promise<void>;
};

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Resolves like `read`, or to `absent` if the file doesn't exist. */
const unlessAbsent = async <Value, Absent>(read: Promise<Value>, absent: Absent): Promise<Value | Absent> => {
  try {
    return await read;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return absent;
    throw error;
  }
};

/** Flushes a file or folder to the medium, so that a power failure doesn't undo what followed. */
const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** The files below `root`. */
export const diskAt = (root: string): Disk => {
  const at = (path: string) => join(root, path);
  const makeParent = (path: string) => mkdir(dirname(at(path)), { recursive: true });
  const filesBelow = async (folder: string): Promise<string[]> => {
    const entries = await unlessAbsent(readdir(folder, { recursive: true, withFileTypes: true }), []);
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  };
  const copyTo = async (from: string, path: string): Promise<void> => {
    await makeParent(path);
    await cp(from, at(path), { recursive: true });
    const isFolder = (await lstat(at(path))).isDirectory();
    for (const file of isFolder ? await filesBelow(at(path)) : [at(path)]) await flush(file);
  };
  return {
    read: (path) => unlessAbsent(readFile(at(path)), null),
    list: async (path) => (await unlessAbsent(readdir(at(path)), [])).sort(),
    exists: async (path) => (await unlessAbsent(lstat(at(path)), null)) !== null,
    create: async (path, content) => {
      await makeParent(path);
      const handle = await open(at(path), 'wx');
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    copy: async (from, to) => {
      await makeParent(to);
      // A hard link is safe, because both files are only ever replaced as a whole.
      await link(at(from), at(to)).catch(() => copyTo(at(from), to));
    },
    copyIn: copyTo,
    rename: async (from, to) => {
      await makeParent(to);
      await rename(at(from), at(to));
      await flush(dirname(at(to)));
    },
    remove: (path) => rm(at(path), { recursive: true, force: true }),
  };
};
