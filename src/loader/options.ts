import { mistake } from './errors.ts';
import type { CardFormOptions } from './types.ts';

/** What each option's JSON looks like. A developer can read it, so it is also what the error says. */
const EXPECTED: Readonly<Record<string, RegExp>> = {
  publishableKey: /^"pk_live_[A-Za-z0-9]{32}"$/,
  clientSecret: /^"lg_cs_.{1,194}"$/,
  // A frame ignores what it cannot use of these.
  locale: /./,
  defaultValues: /./,
};

/**
 * A copy of good options; throws for others, since in most shops no compiler is there to ask. Nothing secret
 * is repeated: keys and secrets differ only after the first characters.
 */
export const checkOptions = (options: CardFormOptions): CardFormOptions => {
  const given = JSON.parse(JSON.stringify(options ?? {}));
  for (const name of Object.keys({ ...EXPECTED, ...options })) {
    const pattern = EXPECTED[name];
    const json = `${JSON.stringify(given[name])}`;
    const exposed = json.startsWith('"sk_');
    if (!pattern?.test(json)) {
      throw mistake(
        exposed
          ? 'secret_key_exposed'
          : !pattern
            ? 'unknown_option'
            : name === 'publishableKey'
              ? 'key_not_publishable'
              : 'invalid_option',
        `${name}: ${pattern ? `expected ${pattern}` : `did you mean ${Object.keys(EXPECTED)}`}; got ${exposed ? 'a secret key (sk_...). Revoke it.' : json.slice(0, 9)}`,
      );
    }
  }
  return given;
};
