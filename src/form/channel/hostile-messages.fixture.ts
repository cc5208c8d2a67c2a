/**
 * Hostile messages: the worst that a window on the page could post. All are generated from one seed, so that a failure
 * can be reproduced. None of them is a valid message.
 */
import { runs } from '../../proof/fuzz.ts';

/** Returns pseudo-random numbers from 0 to 1, excluding 1. */
export type Random = () => number;

/** A generator with this seed (mulberry32). */
export const seeded = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const below = (random: Random, limit: number) => Math.floor(random() * limit);

export const pick = <Value>(random: Random, values: readonly [Value, ...Value[]]): Value =>
  values[below(random, values.length)] ?? values[0];

const nested = (depth: number): unknown => (depth === 0 ? 'end' : { in: nested(depth - 1) });

const cycle = (): object => {
  const value: Record<string, unknown> = { channel: 'card-form', protocol: 1 };
  value.self = value;
  value.list = [value];
  return value;
};

/** Adds an own property such as `__proto__`, which both JSON.parse and structured clone create. */
const withKey = (value: object, key: string): unknown =>
  JSON.parse(`{${JSON.stringify(key)}:{"polluted":true,"type":"init"},${JSON.stringify(value).slice(1)}`);

const sparse = (): unknown => {
  const list: unknown[] = [];
  list.length = 2 ** 32 - 1;
  return list;
};

/** Created once, to save time. */
const MEGABYTES = 'x'.repeat(10_000_000);
const CROWD = Array.from({ length: 20_000 }, (_, index) => index + 0.5);

/** Values that are invalid for every field of every message. */
const JUNK: readonly [(random: Random) => unknown, ...((random: Random) => unknown)[]] = [
  () => null,
  () => -1.5,
  () => Number.NaN,
  () => Number.NEGATIVE_INFINITY,
  () => 2n ** 64n,
  (random) => String.fromCharCode(...Array.from({ length: 6 }, () => below(random, 65_536))),
  () => '__proto__',
  () => '<img src=x onerror=alert(1)>',
  () => [],
  () => [[[[[[]]]]]],
  () => ({}),
  (random) => nested(5 + below(random, 200)),
  cycle,
  () => new Map([['channel', 'card-form']]),
  () => new Set(['init']),
  () => new Date(Number.NaN),
  () => /(a+)+$/,
  () => new Error('thrown'),
  () => new Uint8Array(64),
  () => new DataView(new ArrayBuffer(8)),
  () => new Blob(['init']),
  () => Object(1n),
  () => Object('init'),
  sparse,
  () => JSON.parse('{"__proto__":{"polluted":true}}'),
  () => JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
  () => ({ toString: 1, valueOf: 1, toJSON: 1, length: -1, includes: 5, [Symbol.iterator]: 1 }),
];

/** Used rarely, because they are slow. */
const LARGE: readonly [() => unknown, ...(() => unknown)[]] = [
  () => MEGABYTES,
  () => CROWD,
  () => ({ text: MEGABYTES }),
];

export const junk = (random: Random): unknown =>
  random() < 0.0005 ? pick(random, LARGE)() : pick(random, JUNK)(random);

/** The required fields of a message. */
export type RequiredFields = readonly [string, ...string[]];

/** A valid message with a required field missing or invalid, or something completely different. */
export const misshapen = (good: object, required: RequiredFields, random: Random): unknown => {
  const field = pick(random, required);
  switch (below(random, 4)) {
    case 0:
      return junk(random);
    case 1:
      return Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
    default:
      return { ...good, [field]: junk(random) };
  }
};

/** A message whose fields are all valid, but which a parser must reject. */
export const poisoned = (good: object, random: Random): unknown => {
  switch (below(random, 4)) {
    case 0:
      return withKey(good, pick(random, ['__proto__', 'constructor', 'prototype']));
    case 1:
      return { ...good, extra: nested(5 + below(random, 100)) };
    case 2:
      return { ...good, extra: random() < 0.005 ? MEGABYTES : 'x'.repeat(16_384) };
    default:
      return pick<unknown>(random, [
        new Map(Object.entries(good)),
        [good],
        JSON.stringify(good),
        { message: good },
        Object.assign([], good),
        { ...good, extra: cycle() },
        { ...good, extra: new Blob(['x']) },
        { ...good, extra: new Uint8Array(64) },
        { ...good, extra: 1n },
      ]);
  }
};

/** A misshapen or poisoned message. */
export const spoiled = (good: object, required: RequiredFields, random: Random): unknown =>
  random() < 0.5 ? misshapen(good, required, random) : poisoned(good, random);

/** The value as another window would receive it, or null if no browser could send it. */
export const delivered = (value: unknown): { data: unknown } | null => {
  if (typeof value === 'string') return { data: value };
  try {
    return { data: structuredClone(value) };
  } catch {
    return null; // a function, a proxy, a getter that throws: postMessage() itself throws
  }
};

export const SHOP = 'https://shop.example';
export const PAY = 'https://pay.example';

/** Possible origins of a message. */
export const ORIGINS: readonly [string, ...string[]] = [
  SHOP,
  PAY,
  'null',
  '',
  'https://pay.example.evil.example',
  'http://pay.example',
  'https://pay.example:444',
];

/** Sources other than the expected window. `null` is the source of messages over a port. */
export const strangers = (port: unknown): readonly [unknown, ...unknown[]] => [
  { postMessage: () => {} }, // any other window: a sibling frame, a nested one, an opener
  Object.create(null),
  null,
  undefined,
  port,
];

const MESSAGES = runs(10_000);

/** Delivers 10,000 generated messages to `hear`. */
export const flood = (
  seed: number,
  make: (random: Random) => unknown,
  hear: (data: unknown, random: Random) => void,
): void => {
  const random = seeded(seed);
  for (let sent = 0; sent < MESSAGES; ) {
    const message = delivered(make(random));
    if (!message) continue;
    hear(message.data, random);
    sent += 1;
  }
};
