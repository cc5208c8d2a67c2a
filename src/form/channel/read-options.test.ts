import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { runs } from '../../proof/fuzz.ts';
import { measure } from './bounds.ts';
import { readClientSecret } from './client-secret.ts';
import { ANYTHING, FLAG, isData, NAMES, OPTIONS } from './options.ts';
import { keysOf } from './own-property.ts';
import { CHANNEL, CLIENT_SECRET, PROTOCOL, PUBLISHABLE_KEY } from './protocol.ts';
import { readChanges } from './read-changes.ts';
import { type Init, type InitInput, readInit } from './read-options.ts';

const init: InitInput = {
  channel: CHANNEL,
  protocol: PROTOCOL,
  publishableKey: `pk_live_sandbox${'0'.repeat(24)}1`,
  clientSecret: 'lg_cs_abc',
};

/** The same options as the frame reads them. */
const read: Init = {
  publishableKey: init.publishableKey,
  clientSecret: { kind: 'given', value: 'lg_cs_abc' },
};

describe('init', () => {
  it('is read with all its options', () => {
    const whole = {
      ...init,
      locale: 'de',
      backdrop: 'rgb(0, 0, 0);?',
      appearance: { theme: 'light', variables: { colorPrimary: 'teal', '': 7 }, labels: [] },
      defaultValues: { billingDetails: { email: 'a@b.c', address: { country: 'DE' } } },
    };
    const { channel: _, protocol: __, ...options } = whole;
    expect(readInit(whole)).toEqual({ ...options, clientSecret: read.clientSecret });
  });

  it('says with `true` that the form must ask the page for the client secret', () => {
    const asks: InitInput = { ...init, clientSecret: true, fetchClientSecret: true };
    expect(readInit(asks)).toEqual({ ...read, clientSecret: { kind: 'ask' }, fetchClientSecret: true });
  });

  it.each([
    { payButton: 'host' },
    { view: 'status' },
    { beforePay: true },
    { addressLookup: true },
    { fields: { billingDetails: { email: 'auto', name: 'never', address: 'auto' } } },
    { allowedCountries: ['DE'], acceptedBrands: [] },
  ])('is read with %o', (options) => {
    expect(readInit({ ...init, ...options })).toEqual({ ...read, ...options });
  });

  it('accepts no country and no brand if the page lists them in another way', () => {
    expect(readInit({ ...init, allowedCountries: 'DE', acceptedBrands: [7] })).toEqual({
      ...read,
      allowedCountries: [],
      acceptedBrands: [],
    });
  });

  it('drops fields that a newer loader adds', () => {
    expect(readInit({ ...init, tomorrow: { theme: 'dark' } })).toEqual(read);
  });

  it('drops only the invalid default values', () => {
    const defaultValues = {
      billingDetails: {
        email: 'x'.repeat(300),
        name: 'Ada',
        address: { line1: null, country: 'DE', city: 5 },
      },
    };
    expect(readInit({ ...init, defaultValues })?.defaultValues).toEqual({
      billingDetails: { name: 'Ada', address: { country: 'DE' } },
    });
    expect(readInit({ ...init, defaultValues: 'Ada', locale: 7, backdrop: ['dark'] })).toEqual(read);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a secret key', { ...init, publishableKey: `sk_live_${'0'.repeat(32)}` }],
    ['a key too short', { ...init, publishableKey: 'pk_live_0' }],
    ['a key with a line after it', { ...init, publishableKey: `${init.publishableKey}\n` }],
    ['a secret of another kind', { ...init, clientSecret: 'pi_secret' }],
    ['no secret', { ...init, clientSecret: undefined }],
    ['a function in place of a secret', { ...init, fetchClientSecret: 'fetch' }],
    ['a secret too long', { ...init, clientSecret: `lg_cs_${'x'.repeat(200)}` }],
    ['no channel', { ...init, channel: undefined }],
    ['an own __proto__', JSON.parse(`{"__proto__":{},${JSON.stringify(init).slice(1)}`)],
    ['megabytes', { ...init, locale: 'x'.repeat(1_000_000) }],
    ['a typed array', new Uint8Array(4)],
  ])('is rejected: %s', (_, data) => {
    expect(readInit(data)).toBeNull();
  });
});

/** An invalid value counts as missing. */
const lenient = (schema: z.ZodMiniType) => z.catch(z.optional(schema), undefined);

/** The schema for a kind in the table of options. */
const schemaOf = (kind: unknown): z.ZodMiniType => {
  if (kind === ANYTHING) return z.optional(z.unknown());
  if (kind === FLAG) return lenient(z.boolean());
  if (kind === NAMES) {
    const names = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(300));
    return z.optional(z.catch(names, []));
  }
  if (typeof kind === 'number') return lenient(z.string().check(z.maxLength(kind)));
  if (Array.isArray(kind)) return lenient(z.literal(kind));
  return lenient(z.object(shapeOf(Object(kind))));
};
const shapeOf = (table: object) =>
  Object.fromEntries(Object.entries(table).map(([name, kind]) => [name, schemaOf(kind)]));

const DATA = keysOf(OPTIONS)
  .filter(isData)
  .map((name) => [name, OPTIONS[name]]);
const Options = z.object(shapeOf({ ...Object.fromEntries(DATA), backdrop: 9999 }));
const Keys = z.object({
  channel: z.literal(CHANNEL),
  protocol: z.literal(PROTOCOL),
  publishableKey: z.string().check(z.regex(new RegExp(PUBLISHABLE_KEY))),
  clientSecret: z.union([
    z.string().check(z.maxLength(200), z.regex(new RegExp(CLIENT_SECRET))),
    z.literal(true),
  ]),
  fetchClientSecret: z.optional(z.literal(true)),
  beforePay: z.optional(z.literal(true)),
  addressLookup: z.catch(z.optional(z.literal(true)), undefined), // an extra, so it never stops a payment
});

/** Parses a message with the schemas. */
const bySchema = (data: unknown): unknown => {
  if (measure(data) !== 'plain') return null;
  const keys = Keys.safeParse(data);
  if (!keys.success) return null;
  const { channel: _, protocol: __, clientSecret, ...others } = keys.data;
  return { ...Options.parse(data), ...others, clientSecret: readClientSecret(clientSecret) };
};

const text = fc.oneof(
  fc.constantFrom(
    ...['', 'de', 'auto', 'light', 'dark', 'frame', 'host', 'lg_cs_', 'lg_cs_2', 'init', CHANNEL],
  ),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(...[36, 200, 201, 20_000].map((length) => 'x'.repeat(length))),
  fc.constantFrom(...[194, 195].map((length) => `lg_cs_${'x'.repeat(length)}`)),
  fc.constantFrom(init.publishableKey, `${init.publishableKey}\n`, `${init.publishableKey}a`, 'pk_test_1'),
);
const anything = fc.oneof(
  text,
  fc.constantFrom(undefined, null, true, false, 0, 1, PROTOCOL, Number.NaN, new Date(0), [], {}),
  fc.array(text, { maxLength: 3 }),
);
/** Anything, or some of these members. */
const orRecord = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(anything, fc.record(members, { requiredKeys: [] }));
const each = (names: readonly string[], member: fc.Arbitrary<unknown>) =>
  Object.fromEntries(names.map((name) => [name, member]));
const address = orRecord(each(['country', 'line1', 'line2', 'city', 'state', 'postal_code'], anything));
const asked = orRecord(
  each(['email', 'name', 'address'], fc.oneof(anything, fc.constantFrom('never', 'auto'))),
);
const members: Record<string, fc.Arbitrary<unknown>> = {
  ...each([...Object.keys(init), ...keysOf(OPTIONS), 'type', 'backdrop'], anything),
  allowedCountries: fc.oneof(anything, fc.constantFrom(Array(301).fill('DE'), ['x'.repeat(101)])),
  defaultValues: orRecord({ billingDetails: orRecord({ address, email: anything, name: anything }) }),
  fields: orRecord({ billingDetails: asked }),
};
/** An `init`, mostly with one or two mistakes. */
const message = fc
  .tuple(
    fc.record(members, { requiredKeys: [] }),
    fc.subarray(
      Object.keys(members).filter((name) => name !== 'type'),
      { maxLength: 3 },
    ),
  )
  .map(([given, keys]) => ({
    ...init,
    ...Object.fromEntries(Object.entries(given).filter(([key]) => keys.includes(key))),
  }));

it('accepts exactly what schemas of the same table accept, with the same values', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof({ arbitrary: message, weight: 9 }, { arbitrary: anything, weight: 1 }), (data) => {
      const given = readInit(data);
      if (given) taken += 1;
      expect(given).toEqual(bySchema(data));
      const changes = measure(data) === 'plain' ? readChanges(data) : null;
      if (!changes) return;
      const notData = { publishableKey: undefined, clientSecret: undefined };
      const functions = { fetchClientSecret: undefined, beforePay: undefined, addressLookup: undefined };
      expect({ ...changes, ...notData, ...functions }).toEqual(Options.parse(data));
    }),
    { numRuns: runs(20_000), seed: 8 },
  );
  expect(taken).toBeGreaterThan(runs(2000));
  expect(taken).toBeLessThan(runs(18_000));
}, 120_000);

it('reads no inherited property', () => {
  expect(readInit(Object.create(init))).toBeNull();
  const defaultValues = Object.create({ billingDetails: { address: { country: 'DE' } } });
  expect(readInit({ ...init, defaultValues })).toBeNull(); // no page can post this
  expect(readChanges({ defaultValues })).toEqual({ defaultValues: {} });
  expect(readChanges(Object.create({ readOnly: true }))).toEqual({});
});
