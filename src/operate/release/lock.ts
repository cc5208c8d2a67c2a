/**
 * Keeps two releases from running at once. Each process puts a file of its own name into a folder, then looks whether
 * another one is there. Of two that start together at least one sees the other, so at most one goes on. Nothing is ever
 * taken over, so there is no moment in which two could take over the same thing.
 */
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Disk } from './disk.ts';
import { isRunning } from './is-running.ts';
import { messageOf, ReleaseError } from './release-error.ts';

const FOLDER = '.card-form/lock';

/** A process, so that its id cannot be taken for that of a later one. */
export type Holder = { host: string; pid: number; started: string };

/** Whether a process still runs. For one of another machine nobody can say, so it counts as running. */
export type IsAlive = (holder: Holder) => Promise<boolean>;

/** When a process started, in ticks since the machine did; empty if this system does not say. */
const startOf = async (pid: number): Promise<string> => {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''; // the name before it may contain anything
  } catch {
    return '';
  }
};

export const thisProcess = async (): Promise<Holder> => ({
  host: hostname().replace(/[^A-Za-z0-9.-]/g, '_'),
  pid: process.pid,
  started: await startOf(process.pid),
});

export const isAlive: IsAlive = async ({ host, pid, started }) =>
  host !== (await thisProcess()).host || (isRunning(pid) && (await startOf(pid)) === started);

const nameOf = ({ host, pid, started }: Holder): string => `${pid}_${started}_${host}`;

const holderOf = (name: string): Holder | null => {
  const {
    pid,
    started = '',
    host = '',
  } = /^(?<pid>\d+)_(?<started>\d*)_(?<host>.+)$/.exec(name)?.groups ?? {};
  return pid === undefined ? null : { pid: Number(pid), started, host };
};

/** Runs `work` while no other process can. Files of processes that ended without removing theirs are removed. */
export const locked = async <Value>(
  disk: Disk,
  self: Holder,
  alive: IsAlive,
  work: () => Promise<Value>,
): Promise<Value> => {
  const own = nameOf(self);
  try {
    await disk.create(`${FOLDER}/${own}`, '');
  } catch (error) {
    throw new ReleaseError(`The lock could not be written: ${messageOf(error)}. Nothing was changed.`);
  }
  try {
    for (const name of await disk.list(FOLDER)) {
      if (name === own) continue;
      const other = holderOf(name);
      if (other && (await alive(other)))
        throw new ReleaseError(
          `Another release is under way: process ${other.pid} on ${other.host}. Nothing was changed. Wait until it ends. If that machine is gone, remove ${FOLDER}/${name}.`,
        );
      await disk.remove(`${FOLDER}/${name}`);
    }
    return await work();
  } finally {
    await disk.remove(`${FOLDER}/${own}`);
  }
};
