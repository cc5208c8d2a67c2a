/**
 * A build is made in a temporary folder, which replaces `dist/` when it is complete. Programs that read `dist/`
 * meanwhile see one build or the other, never a mix, and a failed build leaves `dist/` unchanged.
 */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder in which process `pid` builds. Inside the project, because a rename needs a single file system. */
export const buildFolder = (root: string, pid: number): string => join(root, `.build-${pid}`);

/** Removes the folders of killed builds, whose process no longer runs. */
export const removeAbandonedBuilds = async (
  root: string,
  isAlive: (pid: number) => boolean,
): Promise<void> => {
  for (const name of await readdir(root)) {
    const [, pid] = /^\.build-(\d+)(-former-\d+)?$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(root, name), { recursive: true, force: true });
  }
};

const MAX_ATTEMPTS = 10;

/** Replaces the folder `target` with `built`. If that fails, restores `target`. */
export const replaceFolder = async (built: string, target: string): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const former = `${built}-former-${attempt}`;
    const hadFormer = await tryRename(target, former, ['ENOENT']);
    try {
      // Another build may have put its folder there between the two renames: then try again.
      const isDone = await tryRename(built, target, attempt < MAX_ATTEMPTS ? ['ENOTEMPTY', 'EEXIST'] : []);
      if (hadFormer) await rm(former, { recursive: true, force: true });
      if (isDone) return;
    } catch (error) {
      if (hadFormer) await rename(former, target);
      throw error;
    }
  }
};

/** Renames a folder. Returns false if that fails with one of the expected error codes. */
const tryRename = async (from: string, to: string, expected: readonly unknown[]): Promise<boolean> => {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && expected.includes(error.code)) return false;
    throw error;
  }
};
