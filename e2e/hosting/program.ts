/** The built command `card-form`, as the owner of a service runs it. */
import { type ChildProcess, execFile } from 'node:child_process';
import { join } from 'node:path';
import { DIST, type Hosting } from './hosting.ts';

/** `code`: null if a signal ended it. */
export type Ended = { code: number | null; out: string; err: string };

/** Runs the command to its end. `watch` gets its process. */
export const cardForm = (
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { cwd, watch }: { cwd?: string; watch?: (process: ChildProcess) => void } = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, cwd, maxBuffer: 1e8 };
    const child = execFile(
      process.execPath,
      [join(DIST, 'sandbox/cli.js'), ...argv],
      options,
      (_, out, err) => resolve({ code: child.exitCode, out, err }),
    );
    watch?.(child);
  });

/** Runs `card-form release` on a running server. It trusts the server's certificate. */
export const release = (
  { name, root, url, authority, check, reload }: Hosting,
  argv: readonly string[],
  options: Parameters<typeof cardForm>[2] = {},
): Promise<Ended> =>
  cardForm(
    [
      ...['release', ...argv, '--target', root, '--server', name, '--url', url],
      ...['--check', check, '--reload', reload],
    ],
    { NODE_EXTRA_CA_CERTS: authority },
    options,
  );

/** The same without a browser, which gate.spec.ts tests. Resolves with its output; rejects if it fails. */
export const releaseUnseen = async (hosting: Hosting, argv: readonly string[]): Promise<string> => {
  const { code, out, err } = await release(hosting, [...argv, '--no-probe']);
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${err}`);
  return out;
};
