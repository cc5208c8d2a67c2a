/**
 * Finds nginx and Caddy, for the tests that host the built files as a service would. `npm run test:e2e` runs this file
 * before the tests: with CI=true, as root on Debian, it installs missing servers. Elsewhere the tests of a missing
 * server are skipped by name.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDERS = ['', '/usr/sbin/', '/usr/bin/', '/usr/local/sbin/', '/usr/local/bin/', '/opt/homebrew/bin/'];

/** Recognises a usable program by its output. */
const KINDS = {
  nginx: {
    variable: 'NGINX_PATH',
    argv: ['-V'],
    prints: /--with-http_ssl_module/,
    needs: 'an nginx with TLS',
  },
  caddy: {
    variable: 'CADDY_PATH',
    argv: ['version'],
    prints: /^v?2\.([6-9]|\d\d)/,
    needs: 'a Caddy 2.6 or later',
  },
};

/**
 * The first program of this kind that starts: that of NGINX_PATH or CADDY_PATH, or one in a usual place. Null if there
 * is none.
 */
export const findServer = (kind) => {
  const { variable, argv, prints, needs } = KINDS[kind];
  const asked = process.env[variable];
  for (const path of asked ? [asked] : FOLDERS.map((folder) => folder + kind)) {
    const { status, stdout, stderr } = spawnSync(path, argv, { encoding: 'utf8', timeout: 20_000 });
    if (status === 0 && prints.test(stdout + stderr)) return path;
  }
  if (asked)
    throw new Error(`${variable} must name ${needs} that starts; ${asked} does not. Correct or unset it.`);
  return null;
};

const isDebian = () => {
  try {
    return /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
};

const run = (command, args) => {
  console.log(`e2e: ${command} ${args.join(' ')}`);
  // The package would start its own server; at this run level it does not.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const kinds = Object.keys(KINDS);
    const missing = kinds.filter((kind) => findServer(kind) === null);
    if (missing.length > 0 && process.env.CI === 'true' && process.getuid?.() === 0 && isDebian()) {
      if (run('apt-get', ['update']))
        run('apt-get', ['install', '-y', '--no-install-recommends', ...missing]);
    }
    for (const kind of kinds) {
      const path = findServer(kind);
      console.log(`e2e: ${path ? `${kind} ${path}` : `no ${kind}; the tests that need it are skipped`}`);
    }
  } catch (error) {
    console.error(`e2e: ${error.message}`);
    process.exit(1);
  }
}
