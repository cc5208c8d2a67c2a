import type { ConformanceOptions } from '../conformance/context.ts';
import { OptionError } from './core/option-error.ts';
import { type Flag, listOf, readFlags } from './options.ts';

const text = (
  flag: `--${string}`,
  takes: string,
  about: string,
  expected: string,
  form: RegExp,
): Flag<string | null> => ({
  flag,
  takes,
  about,
  rule: {
    expected,
    accepts: (value): value is string => typeof value === 'string' && form.test(value),
    fromText: (value) => value,
  },
  fallback: null,
});

const KEY = 'a publishable key (pk_live_ and 32 characters)';
const KEY_FORM = /^pk_live_[\w-]{32}$/;
const NUMBER = 'a card number, digits only';
const NUMBER_FORM = /^\d{12,19}$/;

const BASE_URL = text(
  '--base-url',
  'url',
  'where the service is',
  'scheme and host of the service, as in https://pay.example',
  /^https?:\/\/[^/?#@\s]+\/?$/,
);
const PUBLISHABLE_KEY = text(
  '--publishable-key',
  'pk_live_…',
  'of the account of the payment',
  KEY,
  KEY_FORM,
);
const CLIENT_SECRET = text(
  '--client-secret',
  'lg_cs_…',
  'of a pending payment with all its data, created for this run',
  'a client secret (lg_cs_…)',
  /^lg_cs_\S+$/,
);
const PAY_WITH = text(
  '--pay-with',
  'number',
  'pays the payment with this card number and runs the checks that need it',
  NUMBER,
  NUMBER_FORM,
);
const DECLINE_WITH = text(
  '--decline-with',
  'number',
  'first confirms with this card number, which must be declined',
  NUMBER,
  NUMBER_FORM,
);
const OTHER_KEY = text('--other-publishable-key', 'pk_live_…', 'of another account', KEY, KEY_FORM);
const REVOKED_KEY = text('--revoked-publishable-key', 'pk_live_…', 'that was revoked', KEY, KEY_FORM);
const EXHAUST: Flag<boolean> = {
  flag: '--exhaust-rate-limit',
  takes: null,
  about: 'sends requests until the service answers 429; blocks all clients at this IP address for a while',
  rule: {
    expected: 'true or false',
    accepts: (value): value is boolean => typeof value === 'boolean',
    fromText: (value) => value === 'true',
  },
  fallback: false,
};

const FLAGS: readonly Flag<unknown>[] = [
  BASE_URL,
  PUBLISHABLE_KEY,
  CLIENT_SECRET,
  PAY_WITH,
  DECLINE_WITH,
  OTHER_KEY,
  REVOKED_KEY,
  EXHAUST,
];

/** The options of `card-form conformance`, as its usage lists them. */
export const conformanceOptions = (): string => listOf(FLAGS);

/** Parses the command line of `card-form conformance`. */
export const parseConformance = (
  argv: readonly string[],
): { baseUrl: string; options: ConformanceOptions } => {
  const value = readFlags(argv, {}, FLAGS);
  const required = (flag: Flag<string | null>): string => {
    const text = value(flag);
    if (text !== null) return text;
    throw new OptionError(
      `${flag.flag} must be ${flag.rule.expected}; got nothing.\n\n${conformanceOptions()}`,
    );
  };
  return {
    baseUrl: required(BASE_URL).replace(/\/$/, ''),
    options: {
      publishableKey: required(PUBLISHABLE_KEY),
      clientSecret: required(CLIENT_SECRET),
      payWith: value(PAY_WITH),
      declineWith: value(DECLINE_WITH),
      otherKey: value(OTHER_KEY),
      revokedKey: value(REVOKED_KEY),
      exhaustRateLimit: value(EXHAUST),
    },
  };
};
