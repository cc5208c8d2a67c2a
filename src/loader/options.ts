import { mistake } from './errors.ts';
import type { CardFormOptions } from './types.ts';

/** What each option's JSON looks like. A developer can read it, so it is also what the error says. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  publishableKey: /^"pk_live_\w{32}"$/,
  clientSecret: /^("lg_cs_\w|true)/,
  // `true` stands for a function here, and for a secret that it gives above.
  fetchClientSecret: /true|undefined/,
  // A frame ignores what it cannot use of these.
  locale: /./,
  payButton: /./,
  appearance: /./,
  defaultValues: /./,
};

/** As the frame gets them. */
export type CheckedOptions = Omit<CardFormOptions, 'clientSecret' | 'fetchClientSecret'> & {
  clientSecret: string | true;
  fetchClientSecret?: true | undefined;
};

/**
 * A copy of good options; throws for others, since in most shops no compiler is there to ask. Nothing secret
 * is repeated: keys and secrets differ only after the first characters.
 */
export const checkOptions = (options: CardFormOptions): CheckedOptions => {
  const given = JSON.parse(
    JSON.stringify({ ...options }, (_, value) => typeof value === 'function' || value),
  );
  given.clientSecret ??= given.fetchClientSecret;
  for (const name of Object.keys({ ...EXPECTED, ...options })) {
    const pattern = EXPECTED[name];
    const json = `${JSON.stringify(given[name])}`;
    const exposed = json.startsWith('"sk_');
    if (!pattern?.test(json)) {
      throw mistake(
        exposed ? 'secret_key_exposed' : pattern ? 'invalid_option' : 'unknown_option',
        `${name}: expected ${pattern || Object.keys(EXPECTED)}; got ${exposed ? 'a secret key. Revoke it.' : json.slice(0, 9)}`,
      );
    }
  }
  return given;
};
