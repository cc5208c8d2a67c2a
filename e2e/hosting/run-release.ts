/** The command `card-form release` on a running server, as its owner runs it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Hosting, WebServer } from './hosting.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/sandbox/cli.js', import.meta.url));

/** The build that the tests use. */
export const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

/**
 * Runs one command, such as `['publish', '--from', DIST]`, without a browser, which gate.spec.ts tests. Resolves with
 * its output; rejects if it fails.
 */
export const runRelease = (
  { name }: WebServer,
  { root, url, authority, check, reload }: Hosting,
  argv: readonly string[],
): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = [
      '--no-probe',
      '--target',
      root,
      '--server',
      name,
      '--url',
      url,
      '--check',
      check,
      '--reload',
      reload,
    ];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: authority };
    execFile(process.execPath, [PROGRAM, 'release', ...argv, ...options], { env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${argv.join(' ')}: ${stderr}`)) : resolve(stdout),
    );
  });
