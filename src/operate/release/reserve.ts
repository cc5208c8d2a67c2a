/**
 * Space that is kept free for a rollback, so that a disk that others have filled does not keep a bad release live. A file
 * of that size is written when a release is published, and cut where a rollback would find no space.
 */
import { randomBytes } from 'node:crypto';
import type { Disk } from './disk.ts';
import type { TransactionStep } from './transaction.ts';

const RESERVE = '.card-form/reserve';

/** What file systems give out at once, in bytes. */
const BLOCK = 4096;

/** Another program that fills the disk may be faster a few times. */
const SPARE = 16 * BLOCK;

const inBlocks = (bytes: number): number => (Math.ceil(bytes / BLOCK) + 1) * BLOCK;

/** How much space the steps need at most, with the journal before each of them. */
const spaceFor = async (disk: Disk, steps: readonly TransactionStep[]): Promise<number> => {
  let space = SPARE + steps.length * inBlocks(steps.length * 200);
  for (const step of steps)
    if (step.kind === 'file')
      space += inBlocks(Buffer.byteLength(step.content)) + inBlocks(await disk.size(step.path));
  return space;
};

/** Keeps enough space for these steps. Rejects if the disk has not got it. */
export const keepReserve = async (disk: Disk, steps: readonly TransactionStep[]): Promise<void> => {
  const space = await spaceFor(disk, steps);
  if ((await disk.size(RESERVE)) >= space) return;
  await disk.remove(RESERVE);
  // Not zeros, which some file systems store without space.
  await disk.create(RESERVE, randomBytes(space)).catch(async (error: unknown) => {
    await disk.remove(RESERVE);
    throw error;
  });
};

const isFull = (error: unknown): boolean =>
  error instanceof Error && /^(ENOSPC|EDQUOT)\b/.test(error.message);

/** The disk for a rollback: where it is full, the reserve gives way. */
export const withReserve = (disk: Disk): Disk => {
  /** Frees at least so many bytes; false if nothing is left. */
  const free = async (bytes: number): Promise<boolean> => {
    const kept = await disk.size(RESERVE);
    if (kept === 0) return false;
    if (kept > bytes) await disk.cut(RESERVE, kept - bytes);
    else await disk.remove(RESERVE);
    return true;
  };
  const withSpace = async (bytes: number, work: () => Promise<void>, tidy: () => Promise<void>) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isFull(error)) throw error;
        await tidy();
        if (!(await free(inBlocks(bytes)))) throw error;
      }
    }
  };
  const nothing = async () => undefined;
  return {
    ...disk,
    create: (path, content) =>
      withSpace(
        Buffer.byteLength(content),
        () => disk.create(path, content),
        () => disk.remove(path),
      ),
    copy: async (from, to) =>
      withSpace(
        await disk.size(from),
        () => disk.copy(from, to),
        () => disk.remove(to),
      ),
    rename: (from, to) => withSpace(BLOCK, () => disk.rename(from, to), nothing),
  };
};
