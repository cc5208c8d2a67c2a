/**
 * Inputs for the frame's schemas: valid examples with a few changes anywhere in them, and junk. Each derives from a
 * number, so it can be reproduced.
 */

import { CLIENT_INTENT } from '../api/client-intent.fixture.ts';
import type { Command } from '../form/channel/commands.ts';
import { junk, pick, type Random } from '../form/channel/hostile-messages.fixture.ts';

const ERROR = {
  type: 'card_error',
  code: 'payment_method_declined',
  message: 'The card 4242 4242 4242 4242 was declined.',
  param: 'card.number',
  decline_code: 'expired_card',
};

const INTENT = {
  ...CLIENT_INTENT,
  confirmation_attempts: 1,
  attempts_left: 4,
  missing_details: ['shipping_details.address', 'items[0].name'],
  items: [
    { name: 'Mug', quantity: 2, unit_amount: 500, amount: 1000 },
    { name: 'Card', quantity: 0.5, unit_amount: 468, amount: 234 },
  ],
  tax_amount: null,
  items_difference: -5,
  last_payment_error: ERROR,
};

/** Answers of the service. */
export const INTENTS = [INTENT] as const;
export const ERRORS = [
  { error: ERROR },
  { error: { type: 'api_error', code: 'provider_error', message: '' } },
] as const;

export const SUGGESTIONS: readonly [object, ...object[]] = [
  { search: 1, mistake: 'It gave null.' },
  {
    search: 2,
    suggestions: [
      { label: 'Here', address: { line1: '12 Orchard Lane', city: 'Portland', state: 'OR', country: 'US' } },
      { label: 'There', address: { line1: 'Weg 1', line2: 'c/o', postal_code: '10115' } },
      null,
    ],
  },
];

export const COMMANDS: readonly [Command, ...Command[]] = [
  { type: 'refresh' },
  { type: 'submit' },
  { type: 'secret', clientSecret: 'lg_cs_3' },
  { type: 'covers', covers: ['none', 'fixed', 'over'], pointer: { x: 1, y: 2.5, age: 30 } },
  { type: 'beforepay', press: 1, allowed: false, message: 'Sold out', mistake: 'threw' },
  { type: 'focus', field: 'cvc' },
  { type: 'blur' },
  { type: 'clear' },
  { type: 'validate' },
  { type: 'diagnostics', release: '0.1.0-abc', timeOrigin: 1.5, timings: { mounted: 100 } },
  { type: 'destroy' },
];

const EXAMPLES = [...INTENTS, ...ERRORS, ...COMMANDS] as const;

/** Lengths just below, at and above each limit in a schema, in code points of one or two units. */
const LENGTHS = [0, 1, 2, 3, 20, 21, 35, 36, 100, 101, 200, 201, 254, 255, 500, 501, 2000, 2001] as const;
const CHARACTERS = ['a', '7', '\u{1f600}', '\ud800', '\udc00'] as const;

const NUMBERS = [
  ...[0, -0, 1, -1, 0.5, 1e-9, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...[99_999_999, 100_000_000, 2 ** 53 - 1, 2 ** 53, 1 - 2 ** 53, -(2 ** 53), 1e300],
] as const;

/** Values that some field accepts. */
const VALUES = [
  ...['', 'a', 'usd', 'eur', 'payment_intent', 'never', 'auto', 'frame', 'host', 'none', 'number', 'card'],
  ...['lg_cs_', 'lg_cs_\n', 'LG_CS_1', 'a.b[0]', 'a\n', '4242-4242-4242-4242', '٤'.repeat(13)],
  ...[true, false, null, undefined],
  ...[`pk_live_${'_'.repeat(32)}`, `pk_live_${'a'.repeat(33)}`, `x${'0'.repeat(199)}`, `x${'0'.repeat(200)}`],
] as const;

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'type',
  'channel',
  'error',
  'more',
] as const;

/** A list with a random number of this item. */
const listOf = (random: Random, item: unknown): unknown[] => {
  const length = random() < 0.95 ? pick(random, [0, 1, 3, 4, 20, 21]) : pick(random, [100, 101, 300, 301]);
  const list = Array.from({ length }, () => item);
  if (random() < 0.1) delete list[0]; // a hole
  return list;
};

const someValue = (random: Random): unknown => {
  const kind = random();
  if (kind < 0.05) return undefined;
  if (kind < 0.25) return pick(random, CHARACTERS).repeat(pick(random, LENGTHS));
  if (kind < 0.45) return pick<unknown>(random, NUMBERS);
  if (kind < 0.7) return pick<unknown>(random, VALUES);
  if (kind < 0.74) return listOf(random, pick<unknown>(random, VALUES));
  if (kind < 0.9) return part(random, pick<object>(random, EXAMPLES));
  return junk(random);
};

/** The value, or something inside it. */
const part = (random: Random, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || random() < 0.3) return value;
  const inner = Object.values(value);
  return part(random, inner[Math.floor(random() * inner.length)]);
};

/** The value with one change somewhere inside. The original stays unchanged. */
const changed = (random: Random, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || random() < 0.05) return someValue(random);
  // Replaced whole: copying a sparse list takes too long, and zod throws if a huge list becomes an object's `length`.
  if (Array.isArray(value) ? value.length > 301 : Object.hasOwn(value, 'length')) return someValue(random);
  const keys = Array.isArray(value) ? Array.from(value.keys(), String) : Object.keys(value);
  const key = keys[Math.floor(random() * keys.length)];
  const kind = random();
  if (key === undefined || kind < 0.1) {
    // Like JSON.parse and a structured clone: an own property, even with these names.
    const copy = Array.isArray(value) ? [...value] : { ...value };
    const entry = { value: someValue(random), enumerable: true, configurable: true, writable: true };
    return Object.defineProperty(copy, pick(random, NAMES), entry);
  }
  if (kind < 0.2)
    return Array.isArray(value)
      ? [...value].slice(1)
      : Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  const inner = changed(random, Reflect.get(value, key));
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
};

/** One of the examples with at most three changes. */
export const inputOf = (random: Random, examples: readonly [object, ...object[]]): unknown => {
  let input: unknown = pick(random, examples);
  for (let changes = Math.floor(random() * 4); changes > 0; changes -= 1) input = changed(random, input);
  return input;
};
