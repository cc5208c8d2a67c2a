import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { flag, matching, orNull, parseFlags, SERVICE_URL, turned } from '../../api/command/flags.ts';
import type { ConformanceOptions } from '../conformance/context.ts';
import type { ServerConformanceOptions } from '../conformance/server-context.ts';

const KEY_META = { takes: 'pk_live_…', expected: 'a publishable key (pk_live_ and 32 characters)' };
const SECRET_KEY = { takes: 'sk_live_…', expected: 'a secret key (sk_live_ and 32 characters)' };
const publishableKey = matching(/^pk_live_[\w-]{32}$/);
const secretKey = matching(/^sk_live_[\w-]{32}$/);
const NUMBER = { takes: 'number', expected: 'a card number, digits only' };
const number = orNull(matching(/^\d{12,19}$/));

export const PAYMENT_KEY = flag(publishableKey, {
  ...KEY_META,
  description: 'of the account of the payment',
});

/** Flags of `card-form conformance`. */
export const CONFORMANCE_FLAGS = z.object({
  baseUrl: SERVICE_URL,
  publishableKey: PAYMENT_KEY,
  clientSecret: flag(matching(/^lg_cs_\S+$/), {
    ...{ takes: 'lg_cs_…', expected: 'a client secret (lg_cs_…)' },
    description: 'of a pending payment with all its data, created for this run',
  }),
  payWith: flag(number, {
    ...NUMBER,
    description: 'pays the payment with this card number and runs the checks that need it',
  }),
  declineWith: flag(number, {
    ...NUMBER,
    description: 'first confirms with this card number, which must be declined',
  }),
  otherPublishableKey: flag(orNull(publishableKey), {
    ...KEY_META,
    description: 'of another account',
  }),
  revokedPublishableKey: flag(orNull(publishableKey), {
    ...KEY_META,
    description: 'that was revoked',
  }),
  exhaustRateLimit: turned(
    'sends requests until the service answers 429; blocks all clients at this IP address for a while',
  ),
});

/** Parses the command line of `card-form conformance`. */
export const parseConformance = (
  argv: readonly string[],
): { baseUrl: string; options: ConformanceOptions } => {
  const { baseUrl, ...options } = parseFlags(CONFORMANCE_FLAGS, argv);
  return { baseUrl, options };
};

const FEES_FORM = /^(\d{1,5})\+(\d{1,8}),(\d{1,5})\+(\d{1,8})$/;
const fees = z.pipe(
  matching(FEES_FORM),
  z.transform((text) => {
    const [processing = 0, fixed = 0, bank = 0, bankFixed = 0] = (FEES_FORM.exec(text) ?? [])
      .slice(1)
      .map(Number);
    return { processing: { bps: processing, fixed }, bank: { bps: bank, fixed: bankFixed } };
  }),
);

const Webhook = z.object({ endpoint: z.string(), signature: z.string(), body: z.string() });
const webhookIn = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

/** Flags of `card-form conformance --server`. */
export const SERVER_CONFORMANCE_FLAGS = z.object({
  server: turned('the routes for merchants’ servers, instead of those of the form'),
  baseUrl: SERVICE_URL,
  secretKey: flag(secretKey, {
    ...SECRET_KEY,
    description: 'of an account for tests: payments are created in it',
  }),
  refundOf: flag(orNull(matching(/^lg_pi_\w+$/)), {
    ...{ takes: 'lg_pi_…', expected: 'the id of a payment (lg_pi_…)' },
    description: 'a payment that has succeeded, of which three of the smallest amount are refunded',
  }),
  revokedSecretKey: flag(orNull(secretKey), { ...SECRET_KEY, description: 'that was revoked' }),
  webhook: flag(orNull(z.pipe(z.pipe(z.string(), z.transform(webhookIn)), Webhook)), {
    ...{ takes: 'file.json' },
    expected: 'a file with {"endpoint": "we_…", "signature": "t=…", "body": "…"}',
    description: 'a webhook that arrived: {"endpoint": "we_…", "signature": "t=…", "body": "…"}',
  }),
  fees: flag(orNull(fees), {
    ...{ takes: '290+30,50+0', expected: 'two fees as basis points + minor units (290+30,50+0)' },
    description: 'processing fee, bank fee of the account: basis points + minor units',
  }),
  exhaustRateLimit: turned(
    'sends requests until the service answers 429; blocks the account on one route for a while',
  ),
});

/** Returns true if a `card-form conformance` command line is about the server routes. */
export const isForServer = (argv: readonly string[]): boolean => argv.includes('--server');

/** Parses the command line of `card-form conformance --server`. */
export const parseServerConformance = (
  argv: readonly string[],
): { baseUrl: string; options: ServerConformanceOptions } => {
  const { baseUrl, server: _, ...options } = parseFlags(SERVER_CONFORMANCE_FLAGS, argv);
  return { baseUrl, options: { ...options, run: `conformance-${randomUUID()}` } };
};
