/**
 * A build is made beside the former one and put in its place when it is whole: whoever reads `dist/` meanwhile finds
 * one build or the other, never half of one, and a build that fails leaves the former as it was.
 */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Begins the names of the folders in which builds are made. Each ends with the id of the process that makes it. */
const ASIDE = '.build-';

/** The folder below `root` in which this process builds. In the project itself: a rename needs one file system. */
export const asideOf = (root: string, pid: number): string => join(root, `${ASIDE}${pid}`);

/** Removes what builds left behind that were killed. `runs` tells whether a process still does. */
export const clearAbandoned = async (root: string, runs: (pid: number) => boolean): Promise<void> => {
  for (const name of await readdir(root)) {
    const [, pid] = /^\.build-(\d+)(-former-\d+)?$/.exec(name) ?? [];
    if (pid !== undefined && !runs(Number(pid))) await rm(join(root, name), { recursive: true, force: true });
  }
};

/** Whether a process of this id runs on this machine. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0); // 0 asks and ends nothing
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** How often another build may come between before it is taken for an error. */
const TRIES = 10;

/** Puts the folder `built` in the place of `place`, and removes what was there. Where that fails it is put back. */
export const putInPlace = async (built: string, place: string): Promise<void> => {
  for (let tries = 1; ; tries++) {
    const former = `${built}-former-${tries}`;
    const wasThere = await renamed(place, former, ['ENOENT']);
    try {
      // Two renames are two moments: another build may have put its own there between them.
      const isThere = await renamed(built, place, tries < TRIES ? ['ENOTEMPTY', 'EEXIST'] : []);
      if (wasThere) await rm(former, { recursive: true, force: true });
      if (isThere) return;
    } catch (error) {
      if (wasThere) await rename(former, place);
      throw error;
    }
  }
};

/** Renames a folder; false where that fails for one of these reasons. */
const renamed = async (from: string, to: string, expected: readonly unknown[]): Promise<boolean> => {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && expected.includes(error.code)) return false;
    throw error;
  }
};
