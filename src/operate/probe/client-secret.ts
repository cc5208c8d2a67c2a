/** Where a probe gets its payment from: a client secret, or a command of the owner that creates one. */
import { execFile } from 'node:child_process';
import { ProbeError } from './probe-error.ts';

const TIMEOUT_MS = 60_000;

/**
 * Runs a command without a shell and takes the first client secret from what it prints. The words between its spaces are
 * its arguments. Throws a `ProbeError` that repeats nothing of what it printed: that may hold secrets.
 */
export const createWith = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const [program = '', ...words] = command.split(' ').filter(Boolean);
    execFile(program, words, { timeout: TIMEOUT_MS }, (error, stdout) => {
      const [secret] = /lg_cs_[\w-]+/.exec(stdout) ?? [];
      if (!error && secret !== undefined) return resolve(secret);
      const got = error
        ? `it ended with ${error.killed ? `no answer after ${TIMEOUT_MS / 1000} seconds` : (error.code ?? error.signal)}`
        : 'it printed none';
      reject(
        new ProbeError(
          `--create-with was expected to print a client secret (lg_cs_…); ${got}. Run it yourself.`,
        ),
      );
    });
  });
