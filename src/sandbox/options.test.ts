import { describe, expect, it } from 'vitest';
import { parseOptions, portFlag } from './options.ts';
import { createSandbox } from './sandbox.ts';

describe('contract 6.6: options of the command line', () => {
  it('has these defaults', () => {
    expect(parseOptions([], {})).toMatchObject({
      port: 4010,
      sandbox: {
        attempts: 5,
        holdFailedAttempts: false,
        clientRateLimit: 60,
        serverRateLimit: 1200,
        reports: false,
        appSchemes: [],
      },
    });
  });

  it('reads all of them, in both forms', () => {
    const argv =
      '--port 1 --fee-bearer=buyer --attempts 20 --hold-failed-attempts --attempt-seconds 6 --running-attempts pending --client-rate-limit 7 --server-rate-limit=8 --seed 9 --state a.json --reports --app-schemes capacitor';
    expect(parseOptions(argv.split(' '), { CARD_FORM_SANDBOX_PORT: '5' })).toMatchObject({
      port: 1,
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
        appSchemes: ['capacitor'],
      },
    });
  });

  it('listens on loopback alone unless told otherwise, and takes several host names', () => {
    expect(parseOptions([], {})).toMatchObject({ host: '127.0.0.1', names: [] });
    expect(
      parseOptions(['--host', '0.0.0.0', '--allow-host', 'sandbox', '--allow-host=pay.example.test'], {}),
    ).toMatchObject({ host: '0.0.0.0', names: ['sandbox', 'pay.example.test'] });
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

  it('CARD_FORM_SANDBOX_PORT serves where --port is not given', () => {
    expect(parseOptions([], { CARD_FORM_SANDBOX_PORT: '5010' }).port).toBe(5010);
    expect(parseOptions([], { CARD_FORM_SANDBOX_PORT: '' }).port).toBe(4010);
    expect(() => parseOptions([], { CARD_FORM_SANDBOX_PORT: 'x' })).toThrow(
      'CARD_FORM_SANDBOX_PORT (the environment variable for --port) must be a whole number from 0 to 65535; got "x".',
    );
  });

  it("PORT is the merchant's own server's, which runs beside the sandbox: it moves nothing here", () => {
    const shop = portFlag('--shop-port', 'SHOP_PORT', 4011, 'port of the demo shop');
    const options = parseOptions([], { PORT: '3000' }, [shop]);
    expect([options.port, options.value(shop)]).toEqual([4010, 4011]);
  });

  it('takes further options of another program', () => {
    const shop = portFlag('--shop-port', 'SHOP_PORT', 4011, 'port of the demo shop');
    expect(parseOptions([], {}, [shop]).value(shop)).toBe(4011);
    expect(parseOptions(['--shop-port', '1'], { SHOP_PORT: '2' }, [shop]).value(shop)).toBe(1);
    expect(parseOptions([], { SHOP_PORT: '2' }, [shop]).value(shop)).toBe(2);
    expect(() => parseOptions(['--shop-port', 'x'], {}, [shop])).toThrow('--shop-port must be');
    expect(() => parseOptions(['--nope'], {}, [shop])).toThrow(/--shop-port n +port of the demo shop/);
  });

  it('an unknown option ends with a message that lists them', () => {
    for (const argv of [['--prot', '1'], ['-p'], ['sandbox'], ['--prot=1']]) {
      expect(() => parseOptions(argv, {})).toThrow(/^There is no option "[-a-z]+"\./);
      for (const flag of [
        'port n',
        'fee-bearer merchant|buyer',
        'attempts n',
        'hold-failed-attempts',
        'attempt-seconds n',
        'running-attempts processing|pending',
        'client-rate-limit n',
        'server-rate-limit n',
        'seed n',
        'state file.json',
      ]) {
        expect(() => parseOptions(argv, {})).toThrow(`--${flag}`);
      }
    }
  });

  it.each([
    [['--port', '70000'], '--port must be a whole number from 0 to 65535; got 70000.'],
    [['--port'], '--port must be a whole number from 0 to 65535; got nothing.'],
    [['--port', '--attempts', '2'], '--port must be a whole number from 0 to 65535; got nothing.'],
    [['--attempts', '0'], '--attempts must be a whole number from 1 to 20; got 0.'],
    [['--attempts', '1.5'], '--attempts must be a whole number from 1 to 20; got "1.5".'],
    [['--fee-bearer', 'shop'], '--fee-bearer must be merchant or buyer; got "shop".'],
    [['--hold-failed-attempts=yes'], '--hold-failed-attempts takes no value; got "yes".'],
    [
      ['--host', 'http://a'],
      '--host must be an address or name of this machine, such as 0.0.0.0; got "http://a".',
    ],
    [
      ['--allow-host', 'a:80'],
      '--allow-host must be a host name without a port, such as sandbox or pay.example.test; got a:80.',
    ],
    [['--seed', '-1'], '--seed must be a whole number from 0 to 9007199254740991; got "-1".'],
  ])('%j says what was expected and what came', (argv, message) => {
    expect(() => parseOptions(argv, {})).toThrow(message);
  });
});

describe('contract 6.6: options of createSandbox', () => {
  it.each([
    [{ attempts: 21 }, 'attempts must be a whole number from 1 to 20; got 21.'],
    [{ clientRateLimit: 0 }, 'clientRateLimit must be a whole number from 1 to 1000000; got 0.'],
    [{ serverRateLimit: 1.5 }, 'serverRateLimit must be a whole number'],
    [{ seed: Number.NaN }, 'seed must be a whole number'],
    [{ state: '' }, 'state must be the path of a file; got "".'],
  ])('%j says what was expected and what came', (options, message) => {
    expect(() => createSandbox(options)).toThrow(message);
  });

  it('wrong types and unknown names too', () => {
    // @ts-expect-error The compiler refuses a wrong type; a caller without one reads the message.
    expect(() => createSandbox({ feeBearer: 'shop' })).toThrow(
      'feeBearer must be merchant or buyer; got "shop".',
    );
    // @ts-expect-error As above.
    expect(() => createSandbox({ holdFailedAttempts: 'yes' })).toThrow(
      'holdFailedAttempts must be true or false; got "yes".',
    );
    // @ts-expect-error As above.
    expect(() => createSandbox({ clock: 5 })).toThrow(
      'clock must be an object with now() and wait(); got 5.',
    );
    // @ts-expect-error As above.
    expect(() => createSandbox({ fee_bearer: 'buyer' })).toThrow(
      'createSandbox has no option fee_bearer. It has: feeBearer, attempts,',
    );
  });

  it('the same seed gives the same ids', async () => {
    const first = async () => {
      const sandbox = createSandbox({ seed: 5 });
      const request = new Request('http://service.test/partner/v1/payment_intents', {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.keys.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          amount: 500,
          currency: 'eur',
          items: [{ name: 'x', quantity: 1, unit_amount: 500 }],
        }),
      });
      const body: unknown = await (await sandbox.fetch(request)).json();
      return body;
    };
    const [one, two] = [await first(), await first()];
    expect(one).toMatchObject({ id: expect.any(String) });
    expect(two).toMatchObject({ id: one instanceof Object && 'id' in one ? one.id : '' });
  });
});
