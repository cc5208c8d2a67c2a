import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { parseFlags } from '../api/command/flags.ts';
import { keyNumberOn, parseOptions, portFlag, SANDBOX_FLAGS } from '../sandbox/cli/sandbox-options.ts';

describe('contract 6.6: options of the command line', () => {
  it('has these defaults, and listens only on loopback', () => {
    expect(parseOptions([], {})).toEqual({
      port: 4010,
      host: '127.0.0.1',
      names: [],
      sandbox: {
        attempts: 5,
        holdFailedAttempts: false,
        attemptSeconds: 0,
        runningAttempts: 'processing',
        clientRateLimit: 60,
        serverRateLimit: 1200,
        reports: false,
        appSchemes: [],
        keyNumber: 1,
        allowLocalWebhooks: true,
        webhookHosts: [],
      },
    });
  });

  it('reads all of them, in both forms', () => {
    const argv =
      '--port 1 --host 0.0.0.0 --allow-host sandbox --allow-host=pay.example.test --fee-bearer=buyer --attempts 20 --hold-failed-attempts --attempt-seconds 6 --running-attempts pending --client-rate-limit 7 --server-rate-limit=8 --seed 9 --state a.json --strict-webhooks --webhook-host a --webhook-host b --reports --app-schemes capacitor,tauri';
    expect(parseOptions(argv.split(' '), { CARD_FORM_SANDBOX_PORT: '5' })).toEqual({
      port: 1,
      host: '0.0.0.0',
      names: ['sandbox', 'pay.example.test'],
      sandbox: {
        feeBearer: 'buyer',
        attempts: 20,
        holdFailedAttempts: true,
        attemptSeconds: 6,
        runningAttempts: 'pending',
        clientRateLimit: 7,
        serverRateLimit: 8,
        seed: 9,
        state: 'a.json',
        reports: true,
        appSchemes: ['capacitor', 'tauri'],
        keyNumber: 1,
        allowLocalWebhooks: false,
        webhookHosts: ['a', 'b'],
      },
    });
  });

  it('contract 6.1: a sandbox has different keys on each port except the default one', () => {
    expect([0, 4010, 4020, 5000].map(keyNumberOn)).toEqual([1, 1, 4020, 5000]);
    expect(parseOptions(['--port', '4020'], {}).sandbox.keyNumber).toBe(4020);
    expect(parseOptions(['--port', '4020', '--shared-keys'], {}).sandbox.keyNumber).toBe(1);
  });

  it('contract 6.3: the control token comes from the environment, and no message repeats it', () => {
    const token = 'a-token_of.16~or/more+chars==';
    expect(parseOptions([], { CARD_FORM_SANDBOX_TOKEN: token }).token).toBe(token);
    expect(parseOptions([], { CARD_FORM_SANDBOX_TOKEN: '' })).not.toHaveProperty('token');
    for (const wrong of ['too-short', 'with a space in the middle']) {
      expect(() => parseOptions([], { CARD_FORM_SANDBOX_TOKEN: wrong })).toThrow(
        'CARD_FORM_SANDBOX_TOKEN must be a control token: 16 or more letters, digits and characters of - . _ ~ + /; got another text.',
      );
    }
  });

  it('CARD_FORM_SANDBOX_PORT applies without --port; PORT belongs to the merchant', () => {
    const flags = z.extend(SANDBOX_FLAGS, { shopPort: portFlag('SHOP_PORT', 4011, 'port of the demo shop') });
    const ports = (argv: readonly string[], env: Record<string, string>) => {
      const { port, shopPort } = parseFlags(flags, argv, env);
      return [port, shopPort];
    };
    expect(ports([], { PORT: '3000', CARD_FORM_SANDBOX_PORT: '' })).toEqual([4010, 4011]);
    expect(ports([], { CARD_FORM_SANDBOX_PORT: '5010', SHOP_PORT: '2' })).toEqual([5010, 2]);
    expect(ports(['--port', '3', '--shop-port', '1'], { SHOP_PORT: '2' })).toEqual([3, 1]);
    expect(() => ports([], { CARD_FORM_SANDBOX_PORT: 'x' })).toThrow(
      'CARD_FORM_SANDBOX_PORT (the environment variable for --port) must be a whole number from 0 to 65535; got "x".',
    );
    expect(() => ports(['--nope'], {})).toThrow(/--shop-port n +port of the demo shop/);
  });

  it.each([
    [
      ['--host', 'http://a'],
      '--host must be an address or name of this machine, such as 0.0.0.0; got "http://a".',
    ],
    [
      ['--allow-host', 'a:80'],
      '--allow-host must be a host name without a port, such as sandbox or pay.example.test; got "a:80".',
    ],
  ])('%j: names the expected and the given value', (argv, message) => {
    expect(() => parseOptions(argv, {})).toThrow(message);
  });
});
