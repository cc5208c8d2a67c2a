import { readFileSync } from 'node:fs';
import type { RecordedWebhook, ServerConformanceOptions } from '../operate/conformance/server-context.ts';
import { OptionError } from '../sandbox/core/option-error.ts';
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

const KEY = 'a secret key (sk_live_ and 32 characters)';
const KEY_FORM = /^sk_live_[\w-]{32}$/;

const SERVER = switchFlag('--server', 'the routes for merchants’ servers, in place of those of the form');
const SECRET_KEY = textFlag({
  flag: '--secret-key',
  takes: 'sk_live_…',
  about: 'of an account for tests: payments are created in it',
  expected: KEY,
  accepts: (value) => KEY_FORM.test(value),
  fallback: null,
});
const REFUND_OF = textFlag({
  flag: '--refund-of',
  takes: 'lg_pi_…',
  about: 'a payment that has succeeded, of which three of the smallest amount are refunded',
  expected: 'the id of a payment (lg_pi_…)',
  accepts: (value) => /^lg_pi_\w+$/.test(value),
  fallback: null,
});
const REVOKED_KEY = textFlag({
  flag: '--revoked-secret-key',
  takes: 'sk_live_…',
  about: 'that was revoked',
  expected: KEY,
  accepts: (value) => KEY_FORM.test(value),
  fallback: null,
});
const WEBHOOK = textFlag({
  flag: '--webhook',
  takes: 'file.json',
  about: 'a webhook that arrived: {"endpoint": "we_…", "signature": "t=…", "body": "…"}',
  expected: 'the path of a file',
  accepts: (value) => /./.test(value),
  fallback: null,
});
const FEES_FORM = /^(\d{1,5})\+(\d{1,8}),(\d{1,5})\+(\d{1,8})$/;
const FEES = textFlag({
  flag: '--fees',
  takes: '290+30,50+0',
  about: 'processing fee, bank fee of the account: basis points + minor units',
  expected: 'two fees as basis points + minor units (290+30,50+0)',
  accepts: (value) => FEES_FORM.test(value),
  fallback: null,
});
const EXHAUST = switchFlag(
  '--exhaust-rate-limit',
  'sends requests until the service answers 429; blocks the account on one route for a while',
);

const FLAGS: readonly Flag<unknown>[] = [
  SERVER,
  SERVICE_URL,
  SECRET_KEY,
  REFUND_OF,
  REVOKED_KEY,
  WEBHOOK,
  FEES,
  EXHAUST,
];

/** The options of `card-form conformance --server`, as its usage lists them. */
export const serverConformanceOptions = (): string => flagList(FLAGS);

/** Whether a command line of `card-form conformance` is about the server routes. */
export const isForServer = (argv: readonly string[]): boolean => argv.includes(SERVER.flag);

/** Parses the command line of `card-form conformance --server`. `run` makes its idempotency keys new. */
export const parseServerConformance = (
  argv: readonly string[],
  run: string,
): { baseUrl: string; options: ServerConformanceOptions } => {
  const value = readFlags(argv, {}, FLAGS);
  const required = requiredIn(value, serverConformanceOptions);
  const file = value(WEBHOOK);
  const fees = value(FEES);
  return {
    baseUrl: withoutSlash(required(SERVICE_URL)),
    options: {
      secretKey: required(SECRET_KEY),
      refundOf: value(REFUND_OF),
      revokedSecretKey: value(REVOKED_KEY),
      webhook: file === null ? null : webhookIn(file),
      fees: fees === null ? null : feesIn(fees),
      exhaustRateLimit: value(EXHAUST),
      run,
    },
  };
};

const feesIn = (text: string): ServerConformanceOptions['fees'] => {
  const [processing = 0, fixed = 0, bank = 0, bankFixed = 0] = (FEES_FORM.exec(text) ?? [])
    .slice(1)
    .map(Number);
  return { processing: { bps: processing, fixed }, bank: { bps: bank, fixed: bankFixed } };
};

const webhookIn = (file: string): RecordedWebhook => {
  try {
    const { endpoint, signature, body }: Partial<Record<string, unknown>> = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    if (typeof endpoint === 'string' && typeof signature === 'string' && typeof body === 'string')
      return { endpoint, signature, body };
  } catch {}
  throw new OptionError(
    '--webhook must be a file with {"endpoint": "we_…", "signature": "t=…", "body": "…"}; got another.',
  );
};
