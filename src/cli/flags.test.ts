import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { flag, integerFrom, listFlags, parseFlags } from '../api/command/flags.ts';
import { parseServerConformance } from '../owner/cli/conformance-options.ts';
import { PROBE_FLAGS } from '../owner/cli/probe-options.ts';
import { parseRelease } from '../owner/cli/release-options.ts';
import { VERIFY_FLAGS } from '../owner/cli/verify-options.ts';
import { usage } from './commands.ts';

const PAY = ['--base-url', 'https://pay.example/'];
const PROBE = [...PAY, '--publishable-key', `pk_live_${'k'.repeat(32)}`];
const PAID = [...PROBE, '--client-secret', 'lg_cs_0123456789'];
const NGINX = ['--target', '/srv/card-form', '--server', 'nginx', '--url', 'https://pay.example/'];

describe('the flags of a command are one zod object', () => {
  const TABLE = z.object({
    keepDays: flag(z._default(integerFrom(1, 9), 5), { description: 'how long', env: 'DAYS' }),
    kind: flag(z.optional(z.enum(['a', 'b'])), { description: 'which' }),
    hosts: flag(z._default(z.array(z.string()), []), { description: 'where', takes: 'name' }),
    json: flag(z._default(z.boolean(), false), { description: 'as JSON' }),
  });

  it('which makes the usage', () => {
    expect(listFlags(TABLE)).toBe(
      [
        'The options are:',
        '  --keep-days n  how long (5); environment: DAYS',
        '  --kind a|b     which',
        '  --hosts name   where',
        '  --json         as JSON',
      ].join('\n'),
    );
  });

  it('reads a value after a space, after =, from the environment, or more than once', () => {
    expect(parseFlags(TABLE, [])).toEqual({ keepDays: 5, hosts: [], json: false });
    const argv = ['--keep-days=3', '--kind', 'b', '--hosts', 'x', '--hosts', 'y,z', '--json'];
    expect(parseFlags(TABLE, argv, { DAYS: '4' })).toEqual({
      ...{ keepDays: 3, kind: 'b', hosts: ['x', 'y', 'z'], json: true },
    });
    expect(parseFlags(TABLE, [], { DAYS: '4' })).toMatchObject({ keepDays: 4 });
  });

  it.each([
    [['--keep-days', '10'], '--keep-days must be a whole number from 1 to 9; got 10.'],
    [['--keep-days', '1.5'], '--keep-days must be a whole number from 1 to 9; got "1.5".'],
    [['--keep-days', '--json'], '--keep-days must be a whole number from 1 to 9; got nothing.'],
    [['--keep-days'], '--keep-days must be a whole number from 1 to 9; got nothing.'],
    [['--kind', 'c'], '--kind must be a or b; got "c".'],
    [['--json=yes'], '--json takes no value; got "yes".'],
    [['--other=1'], `There is no option "--other".\n\n${listFlags(TABLE)}`],
    [['-k'], `There is no option "-k".\n\n${listFlags(TABLE)}`],
    [['--no-json'], `There is no option "--no-json".\n\n${listFlags(TABLE)}`],
    [['word'], `There is no option "word".\n\n${listFlags(TABLE)}`],
    [[], 'DAYS (the environment variable for --keep-days) must be a whole number from 1 to 9; got "x".'],
  ])('%j: names the expected and the given value', (argv, message) => {
    expect(() => parseFlags(TABLE, argv, argv.length === 0 ? { DAYS: 'x' } : {})).toThrow(message);
  });
});

describe('the commands of the owner', () => {
  it('publish the build that contains the program, and check a server with its own commands', () => {
    expect(parseRelease(['publish', ...NGINX], '/dist')).toMatchObject({
      command: { command: 'publish', from: '/dist', share: null },
      ...{ target: '/srv/card-form', origin: null, kind: 'nginx', url: 'https://pay.example' },
      ...{ check: 'nginx -t', reload: 'nginx -s reload', timeout: 30 },
    });
    const caddy = ['rollback', '--target', 'a', '--server', 'caddy', '--url', 'https://pay.example'];
    expect(parseRelease(caddy, '')).toMatchObject({
      check: 'caddy validate --config /etc/caddy/Caddyfile',
      reload: 'caddy reload --config /etc/caddy/Caddyfile',
    });
    expect(parseRelease(['status', '--target', 'a'], '').command).toEqual({ command: 'status' });
  });

  it('keep earlier choices of the owner unless they are given again or turned off', () => {
    const chosen = (...more: string[]) => {
      const { command } = parseRelease(['publish', ...NGINX, ...more], '');
      return command.command === 'publish' ? [command.reportsTo, command.appSchemes] : [];
    };
    expect(chosen()).toEqual([undefined, undefined]);
    expect(chosen('--reports-to', 'off', '--app-schemes', 'off')).toEqual([null, []]);
    expect(chosen('--reports-to', '/a', '--app-schemes', 'tauri,app,tauri')).toEqual([
      '/a',
      ['app', 'tauri'],
    ]);
  });

  it('take a client secret from the command line or the environment, and never repeat it', () => {
    const clientSecret = 'lg_cs_0123456789';
    expect(parseFlags(PROBE_FLAGS, [...PROBE, '--client-secret', clientSecret])).toMatchObject({
      clientSecret,
    });
    const env = { CARD_FORM_PROBE_CLIENT_SECRET: clientSecret };
    expect(parseFlags(PROBE_FLAGS, PROBE, env)).toMatchObject({
      baseUrl: 'https://pay.example',
      clientSecret,
    });
    expect(() => parseFlags(PROBE_FLAGS, [...PROBE, '--client-secret', `sk_live_${'s'.repeat(32)}`])).toThrow(
      /^--client-secret must be a client secret \(lg_cs_…\); got another text\.$/,
    );
  });

  const release = (argv: readonly string[]) => parseRelease(argv, '');
  const probe = (argv: readonly string[]) => parseFlags(PROBE_FLAGS, argv);
  const verify = (argv: readonly string[]) => parseFlags(VERIFY_FLAGS, argv);
  it.each([
    [release, [], /needs one of publish, .*, repair; got nothing\.\n\nThe options are:/],
    [release, ['publsh'], /got "publsh"/],
    [release, ['publish', '--target', 'a'], /^--server must be nginx or caddy; got nothing/],
    [release, ['publish', '--target', 'a', '--server', 'apache'], /; got "apache"\.$/],
    [release, ['publish', ...NGINX.slice(0, 4)], /^--url must be scheme and host of .*; got nothing/],
    [release, ['publish', ...NGINX, '--url', 'pay.example'], /^--url must be scheme and host/],
    [release, ['withdraw', ...NGINX], /^--release must be the name of a release; got nothing/],
    [
      release,
      ['rollback', ...NGINX, '--to', '../x'],
      /^--to must be the name of a release; got "\.\.\/x"\.$/,
    ],
    [release, ['publish', ...NGINX, '--share', '100'], /a whole number from 1 to 99; got 100\.$/],
    [
      release,
      ['publish', ...NGINX, '--reports-to', 'http://a.example/'],
      /an https URL without a query, or off/,
    ],
    [release, ['publish', ...NGINX, '--app-schemes', 'file'], /a list of capacitor, ionic, tauri, app/],
    [
      release,
      ['publish', ...NGINX, '--app-schemes', 'app,off'],
      /with commas between them, or off; got "app,off"/,
    ],
    [release, ['publish', ...NGINX, '--app-schemes='], /a list of capacitor, ionic, tauri, app/],
    [release, ['publish', ...NGINX, '--origin', 'a/b'], /^--origin must be a server as host or host:port/],
    [verify, [], /^--base-url must be scheme and host of the service, .*; got nothing\.\n\nThe options/],
    [verify, ['--base-url', 'https://pay.example"'], /^--base-url must be scheme and host/],
    [verify, ['--base-url', 'https://pay.example/partner'], /^--base-url must be scheme and host/],
    [verify, [...PAY, '--releases', '/srv'], /the path of a file named releases\.json; got "\/srv"\.$/],
    [verify, [...PAY, '--signed-by', 'sha384-x'], /^--signed-by must be a public key/],
    [verify, [...PAY, '--edges', 'a,b/c'], /^--edges must be nodes as host or host:port/],
    [probe, PROBE.slice(0, 2), /^--publishable-key must be a publishable key/],
    [probe, [...PAY, '--publishable-key', `sk_live_${'1'.repeat(32)}`], /^--publishable-key must be/],
    [probe, PROBE, /^--client-secret must be a client secret \(lg_cs_…\); got nothing/],
    [probe, [...PAID, '--timeout', '0'], /^--timeout must be a whole number of seconds/],
    [
      parseServerConformance,
      [...PAY, '--secret-key', `sk_live_${'s'.repeat(32)}`, '--webhook', 'none.json'],
      /^--webhook must be a file with \{"endpoint"/,
    ],
  ])('%o %j: names the expected and the given value', (parse, argv, message) => {
    expect(() => parse(argv)).toThrow(message);
  });

  it('are listed with all that they take', () => {
    expect(usage('conformance')).toMatch(/--pay-with number [\s\S]*\n\ncard-form conformance --server /);
  });
});
