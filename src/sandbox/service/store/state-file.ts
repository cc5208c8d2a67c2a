/**
 * The file that `persistence.ts` writes. Lines are appended and flushed to disk, and only one sandbox can hold the
 * file. This module does not interpret the lines.
 */
import {
  chmodSync,
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
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
import { OptionError } from '../../../api/command/option-error.ts';
import { nodeErrorCode } from '../core/node-error-code.ts';

/** File mode. The file contains keys and client secrets. */
const OWNER_ONLY = 0o600;

/** Bytes read at a time, unless a line is longer: a file may be larger than the available memory. */
const CHUNK = 256 * 1024;

/** In bytes. A smaller file is not rewritten while it is in use. */
const SMALLEST_REWRITE = 4 * 1024 * 1024;

/** A sandbox's open state file, which it has locked. */
export type StateFile = {
  /** The real path, with symbolic links resolved. */
  path: string;
  /** Visits each complete line, numbered from 1. Skips a truncated last line: its request got no response. */
  readLines(visit: (line: string, number: number) => void): void;
  /**
   * Continues the file that was read, without its truncated last line. Returns `false` if the file must be rewritten:
   * it does not exist, is mostly outdated, or cannot be appended to. `inForce` is the share of it that is not outdated.
   */
  resume(inForce: number): boolean;
  /** Replaces the whole file with these lines, atomically. */
  rewrite(lines: Iterable<string>): void;
  /** Resolves when the text is on disk. After a failure, none of it is in the file. */
  append(text: string): Promise<void>;
  /** Returns true if most of the file may be outdated, judged by its growth since the last rewrite. */
  isMostlyOutdated(): boolean;
  /** Closes the file and removes its lock. */
  release(): void;
};

const writeAll = promisify(writeTo);
const flushToDisk = promisify(fdatasync);

/** Files that sandboxes of this process hold. */
const held = new Set<string>();

/** Opens and locks a file, which may not exist yet. Throws an `OptionError` if it cannot be used. */
export const openStateFile = (given: string): StateFile => {
  const path = realPathOf(given);
  let before = openIfPresent(path);
  const stopReading = () => {
    if (before !== null) closeSync(before);
    before = null;
  };
  const lock = takeLockOr(path, stopReading);
  let fd: number | null = null;
  let length = 0;
  let lengthAtRewrite = 0;

  const rewrite = (lines: Iterable<string>) => {
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
    lengthAtRewrite = length;
  };

  const isMostlyOutdated = () => length > Math.max(SMALLEST_REWRITE, 2 * lengthAtRewrite);

  return {
    path,
    resume: (inForce) => {
      lengthAtRewrite = length * inForce;
      if (length === 0 || isMostlyOutdated()) return false;
      try {
        chmodSync(path, OWNER_ONLY);
        fd = openSync(path, 'a');
      } catch {
        return false;
      }
      ftruncateSync(fd, length);
      return true;
    },
    readLines: (visit) => {
      if (before === null) return;
      let number = 0;
      let buffer = Buffer.alloc(CHUNK);
      /** The number of bytes in the buffer that belong to an incomplete line. */
      let rest = 0;
      for (;;) {
        if (rest === buffer.length) buffer = Buffer.concat([buffer, Buffer.alloc(rest)]);
        const read = readSync(before, buffer, rest, buffer.length - rest, null);
        if (read === 0) break;
        const bytes = buffer.subarray(0, rest + read);
        let start = 0;
        for (let end = bytes.indexOf(10, rest); end >= 0; end = bytes.indexOf(10, start)) {
          number += 1;
          visit(bytes.toString('utf8', start, end), number);
          start = end + 1;
        }
        length += start;
        rest = bytes.length - start;
        bytes.copyWithin(0, start);
      }
      stopReading();
      // There is no complete line, so a sandbox did not write this. Visit it, so that the caller refuses it.
      if (number === 0 && rest > 0) visit(buffer.toString('utf8', 0, Math.min(rest, 1000)), 1);
    },
    rewrite,
    append: async (text) => {
      if (fd === null) throw new Error('append() was called before resume() or rewrite()');
      const bytes = Buffer.from(text);
      try {
        for (let done = 0; done < bytes.length; ) {
          done += (await writeAll(fd, bytes, done, bytes.length - done, null)).bytesWritten;
        }
        await flushToDisk(fd);
      } catch (error) {
        ftruncateSync(fd, length);
        throw error;
      }
      length += bytes.length;
    },
    isMostlyOutdated,
    release: () => {
      if (fd !== null) closeSync(fd);
      stopReading();
      fd = null;
      lock.release();
    },
  };
};

const realPathOf = (given: string): string => {
  try {
    return realpathSync(given);
  } catch {
    return resolve(given);
  }
};

/** Opens the file for reading. Returns `null` if there is none. */
const openIfPresent = (path: string): number | null => {
  try {
    // A folder can be opened but not read.
    if (isFolder(path)) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    return openSync(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && isFolder(dirname(path))) return null;
    throw new OptionError(
      `The state file ${path} cannot be read (${codeOf(error)}). Name a file that is readable, or a new one in a folder that exists.`,
    );
  }
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const codeOf = (error: unknown): string => String(nodeErrorCode(error) ?? error);

/** Flushes the rename, so that it survives a power cut. Some systems cannot open a folder. */
const syncFolder = (path: string): void => {
  try {
    const folder = openSync(dirname(path), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {}
};

/** Locks the file, or cleans up and throws. */
const takeLockOr = (path: string, cleanUp: () => void): { release(): void } => {
  try {
    return takeLock(path);
  } catch (error) {
    cleanUp();
    throw error;
  }
};

/**
 * Locks the file, because two sandboxes would each save only part of the changes. The lock file names its process, so
 * that the lock of a killed process can be ignored.
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
          `The state file ${path} is in use by another sandbox (process ${holder}). Stop that sandbox, or name another file. If no sandbox is running, delete ${lock}.`,
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

/**
 * Returns true if another process with this id is running. Our own id doesn't count: in a container, a killed process
 * may have had it.
 */
const isRunning = (pid: number): boolean => {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};
