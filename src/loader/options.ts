import { throwMistake } from './errors.ts';
import type { CardFormOptions } from './types.ts';

/** As the frame gets them. */
export type CheckedOptions = Omit<CardFormOptions, 'clientSecret' | 'fetchClientSecret' | 'signal'> & {
  clientSecret: string | true;
  fetchClientSecret?: true | undefined;
};

/**
 * A copy of good options, with `true` for each function; throws where no form could come of them, since in most shops
 * no compiler is there to ask. The frame knows the other options, and warns of what it cannot use. Nothing secret is
 * repeated: keys and secrets differ only after the first characters.
 */
export const checkOptions = (options: CardFormOptions): CheckedOptions => {
  const json = JSON.stringify({ ...options }, (_, value) => typeof value === 'function' || value);
  const given = JSON.parse(json);
  given.clientSecret ??= given.fetchClientSecret;
  const check = (name: keyof CardFormOptions, pattern: RegExp) => {
    // A developer can read the pattern.
    if (!pattern.test(given[name])) {
      throwMistake('invalid_option', `${name}: expected ${pattern}; got ${String(given[name]).slice(0, 8)}`);
    }
  };
  if (/"sk_/.test(json)) throwMistake('secret_key_exposed', 'sk_ in a browser');
  check('publishableKey', /^pk_live_\w{32}$/);
  check('clientSecret', /^(lg_cs_\w|true)/);
  return given;
};
