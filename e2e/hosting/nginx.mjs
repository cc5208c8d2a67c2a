/**
 * Where nginx is, for the tests that host the built files as a service would. `npm run test:e2e` runs this file
 * before the tests: with CI=true, as root on Debian, it installs one where there is none. Elsewhere those tests
 * are skipped by name.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PLACES = [
  'nginx',
  '/usr/sbin/nginx',
  '/usr/local/sbin/nginx',
  '/usr/local/bin/nginx',
  '/opt/homebrew/bin/nginx',
];

/** The first nginx that starts and was built with TLS: the one of NGINX_PATH or a usual one. Null where there is none. */
export const findNginx = () => {
  const asked = process.env.NGINX_PATH;
  for (const path of asked ? [asked] : PLACES) {
    const { status, stderr } = spawnSync(path, ['-V'], { encoding: 'utf8', timeout: 20_000 });
    if (status === 0 && stderr.includes('--with-http_ssl_module')) return path;
  }
  if (asked)
    throw new Error(
      `NGINX_PATH must name an nginx with TLS that starts; ${asked} does not. Correct or unset it.`,
    );
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
  // The package would start a server of its own; at this run level it does not.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (findNginx() === null && process.env.CI === 'true' && process.getuid?.() === 0 && isDebian()) {
      if (run('apt-get', ['update'])) run('apt-get', ['install', '-y', '--no-install-recommends', 'nginx']);
    }
    const path = findNginx();
    console.log(path ? `e2e: nginx ${path}` : 'e2e: no nginx; the tests that need one are skipped');
  } catch (error) {
    console.error(`e2e: ${error.message}`);
    process.exit(1);
  }
}
