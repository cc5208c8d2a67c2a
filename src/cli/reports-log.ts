/** What is added to the log of violation reports while a share is watched. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { messageOf, ReleaseError } from '../operate/release/release-error.ts';

const NEWLINE = 10;

/**
 * Follows the log from its present end on. What it returns gives the whole lines that were added since its last call. A
 * log that was rotated or truncated meanwhile is read from its new beginning. Both throw a `ReleaseError` if it cannot be
 * read, because a log without reports looks the same.
 */
export const followLog = async (path: string): Promise<() => Promise<string>> => {
  const opened = async <Value>(
    read: (log: FileHandle, size: number, file: number) => Promise<Value>,
  ): Promise<Value> => {
    try {
      // Asked first, because opening a pipe waits for its writer.
      if (!(await stat(path)).isFile()) throw new Error('it is no file');
      const log = await open(path);
      try {
        const { size, ino } = await log.stat();
        return await read(log, size, ino);
      } finally {
        await log.close();
      }
    } catch (error) {
      throw new ReleaseError(
        `${path} was expected to be the log of violation reports, which this program may read; it could not: ${messageOf(error)}. Name it with --reports-log.`,
      );
    }
  };
  let last = await opened(async (_, size, file) => ({ file, end: size }));
  return () =>
    opened(async (log, size, file) => {
      const from = file === last.file && size >= last.end ? last.end : 0;
      const { buffer, bytesRead } = await log.read(Buffer.alloc(size - from), 0, size - from, from);
      const lines = buffer.subarray(0, buffer.lastIndexOf(NEWLINE, bytesRead) + 1);
      last = { file, end: from + lines.length };
      return lines.toString();
    });
};
