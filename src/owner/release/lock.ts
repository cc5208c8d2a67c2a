/**
 * Prevents two releases from running at once. Each process puts a file with its own name into a folder, then checks for
 * other files. If two start together, at least one sees the other, so at most one continues. Locks are never taken
 * over, so two processes can't race to take over the same one.
 */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Disk } from './disk.ts';
import { isRunning } from './is-running.ts';
import { messageOf, ReleaseError } from './release-error.ts';

const FOLDER = '.card-form/lock';

/** A process: its id, start and machine, so that its id can't be confused with that of a later one. A file's name. */
const HOLDER = /^(?<pid>\d+)_(?<started>\d*)_(?<host>.+)$/;
const HOST = hostname().replace(/[^A-Za-z0-9.-]/g, '_');

/**
 * Resolves to true if the process still runs. A process on another machine can't be checked, so it counts as running.
 */
export type IsAlive = (holder: string) => Promise<boolean>;

/** Start time of a process, in ticks since the machine booted; empty if this system doesn't report it. */
const startOf = async (pid: number): Promise<string> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''; // the preceding name may contain anything
  } catch {
    return '';
  }
};

/** The holder that this process is. */
export const thisProcess = async (): Promise<string> =>
  `${process.pid}_${await startOf(process.pid)}_${HOST}`;

export const isAlive: IsAlive = async (holder) => {
  const { pid, started, host } = HOLDER.exec(holder)?.groups ?? {};
  return host !== HOST || (isRunning(Number(pid)) && (await startOf(Number(pid))) === started);
};

/** Runs `work` while holding the lock. Removes files of processes that ended without removing theirs. */
export const locked = async <Value>(
  disk: Disk,
  self: string,
  alive: IsAlive,
  work: () => Promise<Value>,
): Promise<Value> => {
  try {
    await disk.create(`${FOLDER}/${self}`, '');
  } catch (error) {
    throw new ReleaseError(`The lock could not be written: ${messageOf(error)}. Nothing was changed.`);
  }
  try {
    for (const name of await disk.list(FOLDER)) {
      if (name === self) continue;
      const other = HOLDER.exec(name)?.groups;
      if (other && (await alive(name)))
        throw new ReleaseError(
          `Another release is under way: process ${other.pid} on ${other.host}. Nothing was changed. Wait until it ends. If that machine is gone, remove ${FOLDER}/${name}.`,
        );
      await disk.remove(`${FOLDER}/${name}`);
    }
    return await work();
  } finally {
    await disk.remove(`${FOLDER}/${self}`);
  }
};
