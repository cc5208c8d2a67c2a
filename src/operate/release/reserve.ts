/**
 * Space that is kept free for a rollback, so that a disk that others have filled does not keep a bad release live: pieces
 * that are written when a release is published, and removed one by one where a rollback finds no space.
 */
import { randomBytes } from 'node:crypto';
import type { Disk } from './disk.ts';
import type { TransactionStep } from './transaction.ts';

const RESERVE = '.card-form/reserve';
const PIECE = 65_536;

/** Besides the files: the journal, and what others take of a piece that was removed. */
const SPARE = 2;

/** Keeps enough space for these steps. Rejects if the disk has not got it. */
export const keepReserve = async (disk: Disk, steps: readonly TransactionStep[]): Promise<void> => {
  const bytes = steps.reduce(
    (sum, step) => (step.kind === 'file' ? sum + 4096 + Buffer.byteLength(step.content) : sum),
    0,
  );
  for (let piece = 0; piece < Math.ceil(bytes / PIECE) + SPARE; piece += 1) {
    const path = `${RESERVE}/${piece}`;
    // Not zeros, which some file systems store without space.
    if (!(await disk.exists(path)))
      await disk.create(path, randomBytes(PIECE)).catch(async (error: unknown) => {
        await disk.remove(path);
        throw error;
      });
  }
};

const isFull = (error: unknown): boolean =>
  error instanceof Error && /^(ENOSPC|EDQUOT)\b/.test(error.message);

/** The disk for a rollback: where it is full, the reserve gives way. */
export const withReserve = (disk: Disk): Disk => {
  const withSpace = async (work: () => Promise<void>, half: string | null = null) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const [piece] = isFull(error) ? await disk.list(RESERVE) : [];
        if (piece === undefined) throw error;
        if (half !== null) await disk.remove(half);
        await disk.remove(`${RESERVE}/${piece}`);
      }
    }
  };
  return {
    ...disk,
    create: (path, content) => withSpace(() => disk.create(path, content), path),
    copy: (from, to) => withSpace(() => disk.copy(from, to), to),
    rename: (from, to) => withSpace(() => disk.rename(from, to)),
  };
};
