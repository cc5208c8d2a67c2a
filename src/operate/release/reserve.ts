/**
 * Space that is kept free for a rollback, so that a disk that others have filled does not keep a bad release live: a file
 * that is written when a release is published, and removed where a rollback begins. The rename that moves back needs none,
 * but the journal does, and the rules that end a split.
 */
import { randomBytes } from 'node:crypto';
import type { Disk } from './disk.ts';
import type { TransactionStep } from './transaction.ts';

const RESERVE = '.card-form/reserve';

/** Besides the files: the journal, twice, because one replaces the other. */
const SPARE = 65_536;

/** Keeps enough space for these steps. Rejects if the disk has not got it. */
export const keepReserve = async (disk: Disk, steps: readonly TransactionStep[]): Promise<void> => {
  const bytes = steps.reduce(
    (sum, step) => (step.kind === 'file' ? sum + 4096 + Buffer.byteLength(step.content) : sum),
    SPARE,
  );
  await freeReserve(disk);
  // Not zeros, which some file systems store without space.
  await disk.create(RESERVE, randomBytes(bytes)).catch(async (error: unknown) => {
    await freeReserve(disk);
    throw error;
  });
};

export const freeReserve = (disk: Disk): Promise<void> => disk.remove(RESERVE);
