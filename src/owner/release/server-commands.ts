/** Commands that make a server check and load its configuration. */
import { execFile } from 'node:child_process';
import { ReleaseError } from './release-error.ts';
import type { ServerKind } from './site.ts';
import type { ReleaseEnvironment } from './transaction.ts';

/** Default commands for each kind of server. */
export const STANDARD_COMMANDS: Readonly<Record<ServerKind, { check: string; reload: string }>> = {
  nginx: { check: 'nginx -t', reload: 'nginx -s reload' },
  caddy: {
    check: 'caddy validate --config /etc/caddy/Caddyfile',
    reload: 'caddy reload --config /etc/caddy/Caddyfile',
  },
};

const TIMEOUT_MS = 120_000;

/** Runs a command without a shell, splitting its arguments at spaces. */
const runCommand = (command: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const [program = '', ...words] = command.split(' ').filter(Boolean);
    execFile(program, words, { timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      if (!error) return resolve();
      const said = [stderr.trim(), stdout.trim(), error.message].find((text) => text !== '');
      reject(new ReleaseError(`${command} was expected to exit with 0; it said: ${said}`));
    });
  });

export const serverWith = (check: string, reload: string): ReleaseEnvironment['server'] => ({
  check: () => runCommand(check),
  reload: () => runCommand(reload),
});
