import { describe, expect, it } from 'vitest';
import { parseRelease } from './release-options.ts';

const NGINX = ['--target', '/srv/card-form', '--server', 'nginx', '--url', 'https://pay.example/'];

describe('the options of card-form release', () => {
  it('publishes the build that contains the program, and checks nginx by its own commands', () => {
    expect(parseRelease(['publish', ...NGINX], '/dist')).toEqual({
      command: { command: 'publish', from: '/dist', keepDays: undefined, share: null },
      targets: ['/srv/card-form'],
      origins: [],
      purge: null,
      kind: 'nginx',
      origin: 'https://pay.example',
      check: 'nginx -t',
      reload: 'nginx -s reload',
      isVerified: true,
      isForced: false,
      operator: { name: null, reason: null },
      probe: {
        browser: 'chromium',
        executablePath: null,
        timeout: 30_000,
        output: 'card-form-probe',
        payment: null,
      },
      watch: null,
      isDryRun: false,
      isJson: false,
    });
  });

  it('checks and reloads Caddy by its own commands, with the configuration where Debian has it', () => {
    const caddy = ['rollback', '--target', 'a', '--server', 'caddy', '--url', 'https://pay.example'];
    expect(parseRelease(caddy, '')).toMatchObject({
      kind: 'caddy',
      check: 'caddy validate --config /etc/caddy/Caddyfile',
      reload: 'caddy reload --config /etc/caddy/Caddyfile',
      isVerified: true,
    });
    expect(() => parseRelease(caddy.slice(0, 5), '')).toThrow('--url must be');
    expect(parseRelease([...caddy.slice(0, 5), '--dry-run'], '').origin).toBeNull();
  });

  it('asks for no reports unless told where they go, and off ends them', () => {
    const commandWith = (...more: string[]) => parseRelease(['publish', ...NGINX, ...more], '').command;
    expect(commandWith()).toHaveProperty('reportsTo', undefined);
    expect(commandWith('--reports-to', 'off')).toHaveProperty('reportsTo', null);
    expect(commandWith('--reports-to', '/reports')).toHaveProperty('reportsTo', '/reports');
  });

  it('lets no app embed the form unless told which, of a closed list, and off ends it', () => {
    const commandWith = (...more: string[]) => parseRelease(['publish', ...NGINX, ...more], '').command;
    expect(commandWith()).toHaveProperty('appSchemes', undefined);
    expect(commandWith('--app-schemes', 'tauri,app')).toHaveProperty('appSchemes', ['app', 'tauri']);
    expect(commandWith('--app-schemes', 'off')).toHaveProperty('appSchemes', []);
    expect(() => commandWith('--app-schemes', 'file')).toThrow(
      '--app-schemes must be a list of capacitor, ionic, tauri, app',
    );
  });

  it('asks for where browsers reach the server, unless nothing is verified there', () => {
    expect(() => parseRelease(['publish', '--target', 'a', '--server', 'nginx'], '')).toThrow(
      '--url must be scheme and host of the service, as in https://pay.example; got nothing.',
    );
    expect(parseRelease(['publish', '--target', 'a', '--server', 'files'], '').origin).toBeNull();
    const cloudflare = ['publish', '--target', 'a', '--server', 'cloudflare'];
    expect(() => parseRelease(cloudflare, '')).toThrow('--url must be');
    const named = [...cloudflare, '--url', 'https://pay.example'];
    expect(parseRelease(named, '').isVerified).toBe(false); // nothing was deployed
    expect(parseRelease([...named, '--reload', 'deploy a'], '')).toMatchObject({
      isVerified: true,
      reload: 'deploy a',
    });
    expect(parseRelease(['status', '--target', 'a'], '').command).toEqual({ command: 'status' });
  });

  it.each([
    [
      [],
      /^card-form release needs one of publish, promote, abort, rollback, withdraw, status, history, repair, prune; got nothing\.\n\nThe options are:/,
    ],
    [['publsh'], /got "publsh"/],
    [['publish'], /^--server must be /],
    [['publish', '--server', 'apache'], /^--server must be .*; got "apache"\.$/],
    [['withdraw', ...NGINX], /^--release must be the name of a release; got nothing/],
    [['rollback', ...NGINX, '--to', '../x'], /^--to must be the name of a release; got "\.\.\/x"\.$/],
    [
      ['publish', ...NGINX, '--keep-days', '1'],
      /^--keep-days must be a whole number of days from 7 to 36500; got 1\.$/,
    ],
    [
      ['publish', ...NGINX, '--reports-to', 'http://reports.example/'],
      /^--reports-to must be a path such as \/reports, an https URL without a query, or off; got /,
    ],
    [['publish', ...NGINX, '--share', '100'], /^--share must be a whole number from 1 to 99; got 100\.$/],
    [['publish', ...NGINX, '--share', '0.5'], /^--share must be a whole number from 1 to 99; got "0\.5"\.$/],
    [
      ['publish', ...NGINX, '--target', 'a,b', '--origin', '10.0.0.1'],
      /^--target names 2 folders, so --origin was/,
    ],
    [
      ['publish', ...NGINX, '--origin', '10.0.0.1', '--browser', 'firefox'],
      /^--origin needs --browser chromium, .*; got firefox\.$/,
    ],
    [['publish', ...NGINX, '--abort-if', 'probe=2'], /^--abort-if is for a release with --share alone\.$/],
    [
      ['publish', ...NGINX, '--share', '5', '--abort-if', 'reports=2'],
      /^--abort-if reports=n needs --reports-log/,
    ],
    [
      ['publish', ...NGINX, '--share', '5', '--abort-if', 'often'],
      /^--abort-if must be limits such as probe=2/,
    ],
    [['publish', ...NGINX, '--url', 'pay.example'], /^--url must be scheme and host/],
  ])('%j: says what was expected and what came', (argv, message) => {
    expect(() => parseRelease(argv, '')).toThrow(message);
  });
});
