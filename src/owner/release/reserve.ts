/**
 * Reserves disk space for a rollback, so that a full disk doesn't keep a bad release live. The reserve is a file
 * written on publish and removed when a rollback begins. The rename that moves back needs no space, but the journal
 * does, and so do the rules that end a split.
 */
import { randomBytes } from 'node:crypto';
import type { Disk } from './disk.ts';
import type { TransactionStep } from './transaction.ts';

const RESERVE = '.card-form/reserve';

/** Space beyond the files: the journal, twice, because one replaces the other. */
const SPARE = 65_536;

/** Reserves enough space for these steps. Rejects if the disk doesn't have it. */
export const keepReserve = async (disk: Disk, steps: readonly TransactionStep[]): Promise<void> => {
  const bytes = steps.reduce(
    (sum, step) => (step.kind === 'file' ? sum + 4096 + Buffer.byteLength(step.content) : sum),
    SPARE,
  );
  await freeReserve(disk);
  // Not zeros, which some file systems store without using space.
  await disk.create(RESERVE, randomBytes(bytes)).catch(async (error: unknown) => {
    await freeReserve(disk);
    throw error;
  });
};

export const freeReserve = (disk: Disk): Promise<void> => disk.remove(RESERVE);
