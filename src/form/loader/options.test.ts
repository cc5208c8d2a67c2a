import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { CHANNEL, PROTOCOL } from '../channel/protocol.ts';
import { readInit } from '../channel/read-options.ts';
import { checkOptions } from './options.ts';

const good = { publishableKey: `pk_live_${'a'.repeat(32)}`, clientSecret: 'lg_cs_secret-part_1' };

/** The message of the loader with these options. */
const initOf = (options: object): object => ({ channel: CHANNEL, protocol: PROTOCOL, ...options });

/** The mistake for whatever a page without a compiler passes. */
const mistakeOf = (options: unknown) => {
  const check: (options: never) => unknown = checkOptions;
  try {
    Reflect.apply(check, null, [options]);
  } catch (mistake) {
    return mistake;
  }
  return null;
};

describe('options', () => {
  it('are copied, so that the page cannot change them later', () => {
    const defaultValues = { billingDetails: { email: 'ada@example.com' } };
    const checked = checkOptions({ ...good, locale: 'de', defaultValues });
    defaultValues.billingDetails.email = 'eve@example.com';
    expect(checked.defaultValues).toEqual({ billingDetails: { email: 'ada@example.com' } });
  });

  it('threat-model 1.6: go to the frame without the addresses of fonts, which may be whole files', () => {
    const fonts = [{ family: 'Brand', src: `data:font/woff2;base64,${'A'.repeat(400_000)}`, weight: 400 }];
    const checked = checkOptions({ ...good, fonts });
    expect(checked.fonts).toEqual([{ family: 'Brand', src: true, weight: 400 }]);
    expect(readInit(initOf(checked))).toMatchObject({ fonts: [{ family: 'Brand' }] });
  });

  it('may be undefined if they are optional', () => {
    expect(checkOptions({ ...good, locale: undefined, defaultValues: undefined })).toEqual(good);
  });

  it('lose values that cannot be posted to a frame', () => {
    const defaultValues = { billingDetails: { email: 'a@b.c', name: undefined }, onChange: undefined };
    expect(checkOptions({ ...good, defaultValues }).defaultValues).toEqual({
      billingDetails: { email: 'a@b.c' },
    });
  });

  it.each([
    ['letters and digits', `pk_live_${'aZ09'.repeat(8)}`, 'lg_cs_a1'],
    ['the other characters of base64url', `pk_live_-_${'a'.repeat(28)}-_`, 'lg_cs_-_'],
  ])('may have a key and a client secret of %s, in loader and frame', (_, publishableKey, clientSecret) => {
    expect(checkOptions({ publishableKey, clientSecret })).toEqual({ publishableKey, clientSecret });
    expect(readInit(initOf({ publishableKey, clientSecret }))).toMatchObject({ publishableKey });
  });

  it('are accepted by the loader if and only if the frame accepts them, for any key and client secret', () => {
    const characters = [...'aZ09_-', ' ', '+', '/', '=', '.', '\n', 'é'];
    const text = (least: number, most: number) =>
      fc.string({ unit: fc.constantFrom(...characters), minLength: least, maxLength: most });
    const key = fc
      .tuple(fc.constantFrom('pk_live_', 'pk_test_', ''), text(31, 33))
      .map((parts) => parts.join(''));
    const secret = fc
      .tuple(fc.constantFrom('lg_cs_', 'lg_pi_', ''), text(0, 3))
      .map((parts) => parts.join(''));
    const keyOf32 = fc.constant(good.publishableKey);
    fc.assert(
      fc.property(fc.oneof(key, keyOf32), secret, (publishableKey, clientSecret) => {
        const isAccepted = mistakeOf({ publishableKey, clientSecret }) === null;
        expect(readInit(initOf({ publishableKey, clientSecret })) !== null).toBe(isAccepted);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('may have fetchClientSecret instead of clientSecret, or both', () => {
    const fetchClientSecret = async () => 'lg_cs_1';
    const { clientSecret, publishableKey } = good;
    expect(checkOptions({ publishableKey, fetchClientSecret })).toEqual({
      publishableKey,
      clientSecret: true,
      fetchClientSecret: true,
    });
    expect(checkOptions({ ...good, fetchClientSecret }).clientSecret).toBe(clientSecret);
  });

  it.each<[string, unknown, RegExp]>([
    [
      'a promise in place of a function',
      { ...good, clientSecret: undefined, fetchClientSecret: Promise.resolve('lg_cs_1') },
      /clientSecret: /,
    ],
    ['none', undefined, /^invalid_option: publishableKey: undefined$/],
    ['null', null, /: undefined$/],
    ['a word', 'pk_live_x', /./],
    ['no key', { clientSecret: good.clientSecret }, /publishableKey: undefined$/],
    ['a short key', { ...good, publishableKey: 'pk_live_abc' }, /: pk_live_a$/],
    ['a number as key', { ...good, publishableKey: 7 }, /: 7$/],
    ['a client secret as key', { ...good, publishableKey: 'lg_cs_secret' }, /: lg_cs_sec$/],
    ['no client secret', { publishableKey: good.publishableKey }, /clientSecret: undefined$/],
    ['an empty client secret', { ...good, clientSecret: 'lg_cs_' }, /clientSecret/],
    ['a key as client secret', { ...good, clientSecret: good.publishableKey }, /: pk_live_.$/],
  ])('are rejected with %s', (_, options, message) => {
    const mistake = mistakeOf(options);
    expect(mistake).toMatchObject({
      name: 'CardFormError',
      code: 'invalid_option',
      message: expect.stringMatching(message),
    });
    expect(mistake).toBeInstanceOf(Error);
  });

  it.each(['publishableKey', 'clientSecret', 'secretKey'])(
    'with a secret key as %s say so and never repeat it',
    (name) => {
      const key = `sk_live_${'s3cr3t'.repeat(5)}xx`;
      const mistake = mistakeOf({ ...good, [name]: key });
      expect(mistake).toMatchObject({
        code: 'secret_key_exposed',
        message: 'secret_key_exposed',
      });
      expect(`${mistake}`).not.toContain('s3cr3t');
    },
  );
});
