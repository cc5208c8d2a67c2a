/**
 * Hostile messages for tests: what the worst window on a page could post. Everything is made from one seed, so
 * that a message that was found can be made again, and nothing made here is a message anybody may act on.
 */

/** Numbers from 0 up to 1, the same for the same seed. */
export type Random = () => number;

/** Small, fast and good enough to vary messages (mulberry32). */
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

/** One of them. */
export const pick = <Value>(random: Random, values: readonly [Value, ...Value[]]): Value =>
  values[below(random, values.length)] ?? values[0];

const nested = (depth: number): unknown => (depth === 0 ? 'end' : { in: nested(depth - 1) });

const cycle = (): object => {
  const value: Record<string, unknown> = { channel: 'card-form', protocol: 1 };
  value.self = value;
  value.list = [value];
  return value;
};

/** Made by JSON.parse, which keeps such keys as own ones, as a structured clone does. */
const withKey = (value: object, key: string): unknown =>
  JSON.parse(`{${JSON.stringify(key)}:{"polluted":true,"type":"init"},${JSON.stringify(value).slice(1)}`);

const sparse = (): unknown => {
  const list: unknown[] = [];
  list.length = 2 ** 32 - 1;
  return list;
};

/** Made once: what is large is large however often it is sent. */
const MEGABYTES = 'x'.repeat(10_000_000);
const CROWD = Array.from({ length: 20_000 }, (_, index) => index + 0.5);

/** Values that no field of any message takes. */
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

/** Rare, because they take their time. */
const LARGE: readonly [() => unknown, ...(() => unknown)[]] = [
  () => MEGABYTES,
  () => CROWD,
  () => ({ text: MEGABYTES }),
];

export const junk = (random: Random): unknown =>
  random() < 0.0005 ? pick(random, LARGE)() : pick(random, JUNK)(random);

/** Fields without any of which a message is none. */
export type Needed = readonly [string, ...string[]];

/** A good message with a needed field missing or junk, or something else altogether. */
export const misshapen = (good: object, needed: Needed, random: Random): unknown => {
  const field = pick(random, needed);
  switch (below(random, 4)) {
    case 0:
      return junk(random);
    case 1:
      return Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
    default:
      return { ...good, [field]: junk(random) };
  }
};

/** A message with all its fields as they should be, and yet one that a parser must not take. */
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

/** One or the other. */
export const spoiled = (good: object, needed: Needed, random: Random): unknown =>
  random() < 0.5 ? misshapen(good, needed, random) : poisoned(good, random);

/** The value as a window on the other side would get it, or nothing where no browser would carry it. */
export const delivered = (value: unknown): { data: unknown } | null => {
  if (typeof value === 'string') return { data: value };
  try {
    return { data: structuredClone(value) };
  } catch {
    return null; // a function, a proxy, a getter that throws: the sender's own trouble
  }
};

export const SHOP = 'https://shop.example';
export const PAY = 'https://pay.example';

/** Where a message may say that it comes from, true or not. */
export const ORIGINS: readonly [string, ...string[]] = [
  SHOP,
  PAY,
  'null',
  '',
  'https://pay.example.evil.example',
  'http://pay.example',
  'https://pay.example:444',
];

/** Windows that are not the one that is listened to. `null` is the source of what comes over a port. */
export const strangers = (port: unknown): readonly [unknown, ...unknown[]] => [
  { postMessage: () => {} }, // a sibling frame, a nested one, an opener: windows like any other
  Object.create(null),
  null,
  undefined,
  port,
];

/** How many messages each place hears. */
const MESSAGES = 10_000;

/** Has a place hear that many messages that a browser would deliver, each made from the one seed. */
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
