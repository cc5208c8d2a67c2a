/**
 * The file under `persistence.ts`: lines that are added at its end and reach the disk before anybody is told so, and one
 * holder at a time. It does not know what the lines say.
 */
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  write as writeTo,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { OptionError } from '../core/option-error.ts';

/** It holds the keys and client secrets of the sandbox: for its owner alone. */
const OWNER_ONLY = 0o600;

/** Below this many bytes a file is never begun anew while it is in use. */
const SMALL = 4 * 1024 * 1024;

/** The open state file of one sandbox, locked by it. */
export type StateFile = {
  /** As it was found, links followed. */
  path: string;
  /** Each whole line, from 1. A last line without its end was never answered to anybody and is left out. */
  readLines(visit: (line: string, number: number) => void): void;
  /** Puts these lines in place of all there are, at once or not at all. */
  begin(lines: readonly string[]): void;
  /** Resolves when the text is on the disk. After a failure nothing of it is there. */
  append(text: string): Promise<void>;
  /** Whether most of it may be outdated, by its size and the size it had when it was begun. */
  isMostlyOutdated(): boolean;
  /** Lets another sandbox have it. */
  release(): void;
};

const writeAll = promisify(writeTo);
const toDisk = promisify(fdatasync);

/** Files that sandboxes of this process hold. */
const held = new Set<string>();

/** Takes hold of a file, whether it exists or not; throws an `OptionError` where that cannot be. */
export const openStateFile = (given: string): StateFile => {
  const path = truePath(given);
  const before = existing(path);
  const lock = takeLock(path);
  let fd: number | null = null;
  let length = 0;
  let lengthAtBegin = 0;

  const begin = (lines: readonly string[]) => {
    const temporary = `${path}.${process.pid}.tmp`;
    rmSync(temporary, { force: true });
    const next = openSync(temporary, 'ax', OWNER_ONLY);
    try {
      for (const line of lines) {
        const bytes = Buffer.from(line);
        for (let done = 0; done < bytes.length; ) done += writeSync(next, bytes, done);
      }
      fsyncSync(next);
      renameSync(temporary, path);
    } catch (error) {
      closeSync(next);
      rmSync(temporary, { force: true });
      throw error;
    }
    syncFolder(path);
    if (fd !== null) closeSync(fd);
    fd = next;
    length = fstatSync(next).size;
    lengthAtBegin = length;
  };

  return {
    path,
    readLines: (visit) => {
      if (before === null) return;
      let number = 0;
      let start = 0;
      for (let end = before.indexOf(10); end >= 0; end = before.indexOf(10, start)) {
        number += 1;
        visit(before.toString('utf8', start, end), number);
        start = end + 1;
      }
      // Not even a first line: whatever this is, no sandbox wrote it.
      if (number === 0 && before.length > 0) visit(before.toString('utf8', 0, 1000), 1);
    },
    begin,
    append: async (text) => {
      if (fd === null) throw new Error('the state file was not begun');
      const bytes = Buffer.from(text);
      try {
        for (let done = 0; done < bytes.length; ) {
          done += (await writeAll(fd, bytes, done, bytes.length - done, null)).bytesWritten;
        }
        await toDisk(fd);
      } catch (error) {
        ftruncateSync(fd, length);
        throw error;
      }
      length += bytes.length;
    },
    isMostlyOutdated: () => length > Math.max(SMALL, 2 * lengthAtBegin),
    release: () => {
      if (fd !== null) closeSync(fd);
      fd = null;
      lock.release();
    },
  };
};

const truePath = (given: string): string => {
  try {
    return realpathSync(given);
  } catch {
    return resolve(given);
  }
};

/** What is there now, or `null`. */
const existing = (path: string): Buffer | null => {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && isFolder(dirname(path))) return null;
    throw new OptionError(
      `The state file ${path} cannot be read (${codeOf(error)}). Name a file that is readable, or a new one in a folder that exists.`,
    );
  }
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** So that the new name, too, outlives a power cut. Not every system lets a folder be opened. */
const syncFolder = (path: string): void => {
  try {
    const folder = openSync(dirname(path), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {}
};

/**
 * One sandbox at a time: two would each keep half of what happened. The lock names its process, so that one that
 * was killed locks nobody out.
 */
const takeLock = (path: string): { release(): void } => {
  const lock = `${path}.lock`;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: OWNER_ONLY });
      held.add(path);
      return {
        release: () => {
          if (held.delete(path)) rmSync(lock, { force: true });
        },
      };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        throw new OptionError(
          `The state file ${path} cannot be written (${codeOf(error)}). Name a file in a folder that is writable.`,
        );
      }
      const holder = holderOf(lock);
      if (held.has(path) || isRunning(holder)) {
        throw new OptionError(
          `The state file ${path} is in use by another sandbox (process ${holder}). Stop that one, or name another file; if no sandbox runs, delete ${lock}.`,
        );
      }
      rmSync(lock, { force: true });
    }
  }
  throw new OptionError(`The state file ${path} is being opened by another sandbox. Name another file.`);
};

const holderOf = (lock: string): number => {
  try {
    return Number(readFileSync(lock, 'utf8'));
  } catch {
    return 0;
  }
};

/** Another process; in a container one that was killed may have had the number that is ours now. */
const isRunning = (pid: number): boolean => {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};
