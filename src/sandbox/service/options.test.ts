import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as written from '../package.ts';
import type { SandboxOptions } from './options.ts';
import { createSandbox } from './sandbox.ts';

describe('contract 6.6: options of createSandbox', () => {
  it.each([
    [{ attempts: 21 }, 'attempts must be a whole number from 1 to 20; got 21.'],
    [{ clientRateLimit: 0 }, 'clientRateLimit must be a whole number from 1 to 1000000; got 0.'],
    [{ serverRateLimit: 1.5 }, 'serverRateLimit must be a whole number'],
    [{ seed: Number.NaN }, 'seed must be a whole number'],
    [{ state: '' }, 'state must be the path of a file; got "".'],
    [{ feeBearer: 'shop' }, 'feeBearer must be merchant or buyer; got "shop".'],
    [{ holdFailedAttempts: 'yes' }, 'holdFailedAttempts must be true or false; got "yes".'],
    [{ clock: 5 }, 'clock must be an object with now() and wait(); got 5.'],
    [{ webhookHosts: ['a', 'b:80'] }, 'webhookHosts must be host names without a port'],
    [{ fee_bearer: 'buyer' }, 'createSandbox has no option fee_bearer. It has: feeBearer, attempts,'],
  ])('%j: names the expected and the given value', (options, message) => {
    // @ts-expect-error The compiler refuses wrong types; a caller without one reads the message.
    expect(() => createSandbox(options)).toThrow(message);
  });

  it('the package has all of them but two that only this repository needs', () => {
    expectTypeOf<keyof written.SandboxOptions | 'faults' | 'keyNumber'>().toEqualTypeOf<
      keyof SandboxOptions
    >();
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
