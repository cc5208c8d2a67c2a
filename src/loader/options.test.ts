import { describe, expect, it } from 'vitest';
import { checkOptions } from './options.ts';

const good = { publishableKey: `pk_live_${'a'.repeat(32)}`, clientSecret: 'lg_cs_secret-part_1' };

/** What a page without a compiler hands us. */
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

  it('may be undefined if they are optional', () => {
    expect(checkOptions({ ...good, locale: undefined, defaultValues: undefined })).toEqual(good);
  });

  it('lose values that cannot be posted to a frame', () => {
    const defaultValues = { billingDetails: { email: 'a@b.c', name: undefined }, onChange: undefined };
    expect(checkOptions({ ...good, defaultValues }).defaultValues).toEqual({
      billingDetails: { email: 'a@b.c' },
    });
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
      /clientSecret: expected /,
    ],
    ['none', undefined, /^publishableKey: expected .*; got undefine/],
    ['null', null, /got undefine/],
    ['a word', 'pk_live_x', /./],
    ['no key', { clientSecret: good.clientSecret }, /pk_live_.*got undefine/],
    ['a short key', { ...good, publishableKey: 'pk_live_abc' }, /got pk_live_$/],
    ['a number as key', { ...good, publishableKey: 7 }, /got 7/],
    ['a client secret as key', { ...good, publishableKey: 'lg_cs_secret' }, /got lg_cs_se$/],
    ['no client secret', { publishableKey: good.publishableKey }, /clientSecret.*lg_cs_/],
    ['an empty client secret', { ...good, clientSecret: 'lg_cs_' }, /clientSecret/],
    ['a key as client secret', { ...good, clientSecret: good.publishableKey }, /got pk_live_$/],
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
        message: expect.stringMatching(/^sk_ in a browser$/),
      });
      expect(`${mistake}`).not.toContain('s3cr3t');
    },
  );
});
