import type { ConformanceOptions } from '../operate/conformance/context.ts';
import {
  type Flag,
  flagList,
  readFlags,
  requiredIn,
  SERVICE_URL,
  switchFlag,
  textFlag,
  withoutSlash,
} from './flag-engine.ts';

const KEY = 'a publishable key (pk_live_ and 32 characters)';
const KEY_FORM = /^pk_live_[\w-]{32}$/;
const NUMBER = 'a card number, digits only';
const NUMBER_FORM = /^\d{12,19}$/;

const PUBLISHABLE_KEY = textFlag({
  flag: '--publishable-key',
  takes: 'pk_live_…',
  about: 'of the account of the payment',
  expected: KEY,
  accepts: (value) => KEY_FORM.test(value),
  fallback: null,
});
const CLIENT_SECRET = textFlag({
  flag: '--client-secret',
  takes: 'lg_cs_…',
  about: 'of a pending payment with all its data, created for this run',
  expected: 'a client secret (lg_cs_…)',
  accepts: (value) => /^lg_cs_\S+$/.test(value),
  fallback: null,
});
const PAY_WITH = textFlag({
  flag: '--pay-with',
  takes: 'number',
  about: 'pays the payment with this card number and runs the checks that need it',
  expected: NUMBER,
  accepts: (value) => NUMBER_FORM.test(value),
  fallback: null,
});
const DECLINE_WITH = textFlag({
  flag: '--decline-with',
  takes: 'number',
  about: 'first confirms with this card number, which must be declined',
  expected: NUMBER,
  accepts: (value) => NUMBER_FORM.test(value),
  fallback: null,
});
const OTHER_KEY = textFlag({
  flag: '--other-publishable-key',
  takes: 'pk_live_…',
  about: 'of another account',
  expected: KEY,
  accepts: (value) => KEY_FORM.test(value),
  fallback: null,
});
const REVOKED_KEY = textFlag({
  flag: '--revoked-publishable-key',
  takes: 'pk_live_…',
  about: 'that was revoked',
  expected: KEY,
  accepts: (value) => KEY_FORM.test(value),
  fallback: null,
});
const EXHAUST = switchFlag(
  '--exhaust-rate-limit',
  'sends requests until the service answers 429; blocks all clients at this IP address for a while',
);

const FLAGS: readonly Flag<unknown>[] = [
  SERVICE_URL,
  PUBLISHABLE_KEY,
  CLIENT_SECRET,
  PAY_WITH,
  DECLINE_WITH,
  OTHER_KEY,
  REVOKED_KEY,
  EXHAUST,
];

/** The options of `card-form conformance`, as its usage lists them. */
export const conformanceOptions = (): string => flagList(FLAGS);

/** Parses the command line of `card-form conformance`. */
export const parseConformance = (
  argv: readonly string[],
): { baseUrl: string; options: ConformanceOptions } => {
  const value = readFlags(argv, {}, FLAGS);
  const required = requiredIn(value, conformanceOptions);
  return {
    baseUrl: withoutSlash(required(SERVICE_URL)),
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
