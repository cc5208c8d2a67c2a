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

  it('may be given as undefined where they may be left out', () => {
    expect(checkOptions({ ...good, locale: undefined, defaultValues: undefined })).toEqual(good);
  });

  it('lose what cannot be sent to a frame', () => {
    const defaultValues = { billingDetails: { email: 'a@b.c', name: undefined }, onChange: undefined };
    expect(checkOptions({ ...good, defaultValues }).defaultValues).toEqual({
      billingDetails: { email: 'a@b.c' },
    });
  });

  it('take a function that gets the client secret in place of it, or beside it', () => {
    const fetchClientSecret = async () => 'lg_cs_1';
    const { clientSecret, publishableKey } = good;
    expect(checkOptions({ publishableKey, fetchClientSecret })).toEqual({
      publishableKey,
      clientSecret: true,
      fetchClientSecret: true,
    });
    expect(checkOptions({ ...good, fetchClientSecret }).clientSecret).toBe(clientSecret);
  });

  it.each<[string, unknown, string, RegExp]>([
    [
      'a promise in place of a function',
      { ...good, fetchClientSecret: Promise.resolve('lg_cs_1') },
      'invalid_option',
      /fetchClientSecret: expected /,
    ],
    ['none', undefined, 'invalid_option', /^publishableKey: expected .*; got undefined$/],
    ['null', null, 'invalid_option', /got undefined/],
    ['a word', 'pk_live_x', 'unknown_option|invalid_option', /./],
    ['no key', { clientSecret: good.clientSecret }, 'invalid_option', /pk_live_.*got undefined/],
    ['a short key', { ...good, publishableKey: 'pk_live_abc' }, 'invalid_option', /got "pk_live_$/],
    ['a number as key', { ...good, publishableKey: 7 }, 'invalid_option', /got 7/],
    [
      'a client secret as key',
      { ...good, publishableKey: 'lg_cs_secret' },
      'invalid_option',
      /got "lg_cs_se$/,
    ],
    ['no client secret', { publishableKey: good.publishableKey }, 'invalid_option', /clientSecret.*lg_cs_/],
    ['an empty client secret', { ...good, clientSecret: 'lg_cs_' }, 'invalid_option', /clientSecret/],
    [
      'a key as client secret',
      { ...good, clientSecret: good.publishableKey },
      'invalid_option',
      /got "pk_live_$/,
    ],
    [
      'another style of name',
      { ...good, publishable_key: 'x' },
      'unknown_option',
      /publishable_key: expected publishableKey,/,
    ],
    ['a slip', { ...good, clientsecret: 'x' }, 'unknown_option', /clientsecret: expected .*clientSecret/],
    ['a handler', { ...good, onSuccess: () => {} }, 'unknown_option', /onSuccess/],
  ])('with %s are refused', (_, options, code, message) => {
    const mistake = mistakeOf(options);
    expect(mistake).toMatchObject({
      name: 'CardFormError',
      code: expect.stringMatching(code),
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
        message: expect.stringMatching(/Revoke it/),
      });
      expect(`${mistake}`).not.toContain('s3cr3t');
    },
  );
});
