import { ownProperties } from '../channel/own-property.ts';
import { CLIENT_SECRET, PUBLISHABLE_KEY } from '../channel/protocol.ts';
import { throwMistake } from './errors.ts';
import type { CardFormOptions, CardFormUpdate } from './types.ts';

/** Options as posted to the frame. */
export type CheckedOptions = Omit<
  CardFormOptions,
  'clientSecret' | 'fetchClientSecret' | 'beforePay' | 'addressLookup' | 'fonts' | 'signal'
> & {
  clientSecret: string | true;
  fetchClientSecret?: true | undefined;
  beforePay?: true | undefined;
  addressLookup?: true | undefined;
  fonts?: unknown;
};

/**
 * Copies the options for the frame. `true` replaces functions, the `src` of fonts, which may itself be a file, and
 * `appearance.from`, which may have elements. Throws for keys and secrets that can't be valid, since most shops have no
 * compiler to find them; the frame checks the other options and warns about them. Messages show only the first
 * characters of a value, which are the same for all keys and secrets. `isUpdate`: the options are changes, so the
 * client secret may be missing, and the frame warns about a key.
 */
export const checkOptions: {
  (options: CardFormOptions): CheckedOptions;
  (changes: CardFormUpdate, isUpdate: true): Partial<CheckedOptions>;
} = (options: Partial<CardFormOptions>, isUpdate?: boolean) => {
  let json = '';
  try {
    json = JSON.stringify(
      { ...options },
      (name, value) => (value && (name === 'from' || name === 'src' || typeof value === 'function')) || value,
    );
    options?.signal?.aborted.valueOf(); // throws if it is not a signal
  } catch (reason) {
    throwMistake('invalid_option', `${reason}`, options);
  }
  const given = ownProperties(JSON.parse(json));
  const check = (name: keyof CardFormOptions, pattern: string) => {
    const value = `${given[name]}`;
    if (!value.match(pattern)) throwMistake('invalid_option', `${name}: ${value.slice(0, 9)}`, given);
  };
  if (/"sk_/.test(json)) throwMistake('secret_key_exposed', '', given);
  if (!isUpdate) {
    given.clientSecret ??= given.fetchClientSecret;
    check('publishableKey', PUBLISHABLE_KEY);
  }
  if (!isUpdate || 'clientSecret' in options) check('clientSecret', `${CLIENT_SECRET}|^true`);
  return given;
};
