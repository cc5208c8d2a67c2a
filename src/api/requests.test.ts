import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import * as LIMITS from './limits.ts';
import {
  BillingDetailsInput,
  CardDetails,
  ClientRequest,
  ConfirmRequest,
  CreateFeeQuote,
  CreatePaymentIntent,
  CreateRefund,
  ItemInput,
  Metadata,
  ShippingDetailsInput,
  UpdatePaymentIntent,
} from './requests.ts';

const long = (length: number) => 'x'.repeat(length);
const without = (value: object, field: string) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));

const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2031, cvc: '123' };
const BILLING_ADDRESS = {
  line1: '12 St James Square',
  line2: null,
  city: 'London',
  state: null,
  postal_code: 'SW1Y 4JH',
  country: 'GB',
};
const BILLING = { email: 'ada@example.com', name: 'Ada Byron', address: BILLING_ADDRESS };
const CONFIRM = {
  client_secret: 'lg_cs_1',
  amount_total: 1234,
  currency: 'usd',
  card: CARD,
  billing_details: BILLING,
};
const ITEM = { name: 'Mug', quantity: 2, unit_amount: 617 };
const SHIPPING_ADDRESS = { line1: '12 St James Square', country: 'GB' };
const SHIPPING = { name: 'Ada Byron', address: SHIPPING_ADDRESS };
const CREATE = { amount: 1234, currency: 'usd', items: [ITEM] };

const SCHEMAS: readonly (readonly [string, z.ZodMiniType, object])[] = [
  ['ClientRequest', ClientRequest, { client_secret: 'lg_cs_1' }],
  ['ConfirmRequest', ConfirmRequest, CONFIRM],
  ['CardDetails', CardDetails, CARD],
  ['BillingDetailsInput', BillingDetailsInput, BILLING],
  ['ItemInput', ItemInput, ITEM],
  ['ShippingDetailsInput', ShippingDetailsInput, SHIPPING],
  ['CreatePaymentIntent', CreatePaymentIntent, CREATE],
  ['UpdatePaymentIntent', UpdatePaymentIntent, { amount: 1234 }],
  ['CreateRefund', CreateRefund, { payment_intent: 'lg_pi_1' }],
  ['CreateFeeQuote', CreateFeeQuote, { amount: 1234, currency: 'usd' }],
];

const takes = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success;

describe('contract S1.6: requests with unknown fields are rejected', () => {
  it.each(SCHEMAS)('%s accepts a valid body unchanged', (_, schema, value) => {
    expect(schema.parse(value)).toEqual(value);
  });

  it.each(SCHEMAS)('%s refuses an unknown field', (_, schema, value) => {
    expect(takes(schema, { ...value, surprise: 1 })).toBe(false);
    expect(takes(schema, { ...value, surprise: undefined })).toBe(false);
  });

  it.each(SCHEMAS)('%s refuses the keys that every object inherits', (_, schema, value) => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']) {
      const hostile = JSON.parse(`{"${key}":{"x":1},${JSON.stringify(value).slice(1)}`);
      expect(Object.hasOwn(hostile, key)).toBe(true);
      expect(takes(schema, hostile), key).toBe(false);
    }
  });

  it.each(SCHEMAS)('%s does not read fields from __proto__', (_, schema, value) => {
    expect(takes(schema, JSON.parse(`{"__proto__":${JSON.stringify(value)}}`))).toBe(false);
  });

  it.each(SCHEMAS)('%s refuses anything but an object', (_, schema, value) => {
    for (const other of [undefined, null, true, 0, '', 'text', [], [value], JSON.stringify(value)]) {
      expect(takes(schema, other), JSON.stringify(other)).toBe(false);
    }
  });

  it('unknown fields are refused at every depth', () => {
    const deep = { surprise: 1 };
    expect(takes(ConfirmRequest, { ...CONFIRM, card: { ...CARD, ...deep } })).toBe(false);
    expect(takes(ConfirmRequest, { ...CONFIRM, billing_details: { ...BILLING, ...deep } })).toBe(false);
    const address = { ...BILLING_ADDRESS, ...deep };
    expect(takes(ConfirmRequest, { ...CONFIRM, billing_details: { ...BILLING, address } })).toBe(false);
    expect(takes(CreatePaymentIntent, { ...CREATE, items: [{ ...ITEM, ...deep }] })).toBe(false);
    expect(takes(CreatePaymentIntent, { ...CREATE, buyer: { name: 'Ada', ...deep } })).toBe(false);
    expect(takes(CreatePaymentIntent, { ...CREATE, shipping_details: { ...SHIPPING, ...deep } })).toBe(false);
  });
});

describe('contract 3.2: the body of confirm', () => {
  it.each(Object.keys(CONFIRM))('%s is required', (field) => {
    expect(takes(ConfirmRequest, without(CONFIRM, field))).toBe(false);
    expect(takes(ConfirmRequest, { ...CONFIRM, [field]: null })).toBe(false);
  });

  it.each(Object.keys(CARD))('card.%s is required', (field) => {
    expect(takes(CardDetails, without(CARD, field))).toBe(false);
  });

  it.each(Object.keys(BILLING_ADDRESS))('billing_details.address.%s is required', (field) => {
    expect(takes(BillingDetailsInput, { ...BILLING, address: without(BILLING_ADDRESS, field) })).toBe(false);
  });

  it.each(['line2', 'city', 'state'])('billing_details.address.%s may be null', (field) => {
    expect(takes(BillingDetailsInput, { ...BILLING, address: { ...BILLING_ADDRESS, [field]: null } })).toBe(
      true,
    );
  });

  it.each(['line1', 'postal_code', 'country'])('billing_details.address.%s may not be null', (field) => {
    expect(takes(BillingDetailsInput, { ...BILLING, address: { ...BILLING_ADDRESS, [field]: null } })).toBe(
      false,
    );
  });

  it.each<[keyof typeof CARD, readonly unknown[], readonly unknown[]]>([
    [
      'number',
      ['4'.repeat(12), '4'.repeat(16), '4'.repeat(19)],
      [
        '',
        '4'.repeat(11),
        '4'.repeat(20),
        '4242 4242 4242 4242',
        '4242-4242-4242-4242',
        '٤'.repeat(16),
        4242424242424242,
      ],
    ],
    ['exp_month', [1, 12], [0, 13, 1.5, -1, '12', Number.NaN]],
    ['exp_year', [1000, 2031, 9999], [31, 999, 10_000, 2031.5, '2031']],
    ['cvc', ['000', '0123'], ['', '12', '12345', '12 ', '1a3', 123]],
  ])('card.%s takes %j and refuses %j', (field, good, bad) => {
    for (const value of good) expect(takes(CardDetails, { ...CARD, [field]: value }), `${value}`).toBe(true);
    for (const value of bad) expect(takes(CardDetails, { ...CARD, [field]: value }), `${value}`).toBe(false);
  });

  it.each<[keyof typeof CONFIRM, readonly unknown[], readonly unknown[]]>([
    ['amount_total', [1, 100, 99_999_999], [0, -1, 12.34, 100_000_000, '1234', Number.NaN, Infinity]],
    ['currency', ['usd', 'eur'], ['USD', 'gbp', '', 840]],
    ['client_secret', ['x', long(200)], ['', long(201), 1]],
  ])('%s takes %j and refuses %j', (field, good, bad) => {
    for (const value of good)
      expect(takes(ConfirmRequest, { ...CONFIRM, [field]: value }), `${value}`).toBe(true);
    for (const value of bad)
      expect(takes(ConfirmRequest, { ...CONFIRM, [field]: value }), `${value}`).toBe(false);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['email', ['a@b', long(LIMITS.email)], ['', 'a@', long(LIMITS.email + 1)]],
    ['name', ['x', long(200)], ['', long(201)]],
  ])('billing_details.%s has a least and a largest length', (field, good, bad) => {
    for (const value of good) expect(takes(BillingDetailsInput, { ...BILLING, [field]: value })).toBe(true);
    for (const value of bad) expect(takes(BillingDetailsInput, { ...BILLING, [field]: value })).toBe(false);
  });

  it.each([
    ['GB', true],
    ['XX', true],
    ['gb', false],
    ['GBR', false],
    ['G', false],
    ['', false],
    ['GB\n', false],
  ])('country %j by form: %s', (country, expected) => {
    const address = { ...BILLING_ADDRESS, country };
    expect(takes(BillingDetailsInput, { ...BILLING, address })).toBe(expected);
  });

  it('names the field at fault by its path', () => {
    const address = { ...BILLING_ADDRESS, postal_code: 5 };
    const { error } = ConfirmRequest.safeParse({ ...CONFIRM, billing_details: { ...BILLING, address } });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['billing_details.address.postal_code']);
  });
});

describe('contract S17 in requests', () => {
  it('metadata: a key that every object inherits is allowed', () => {
    const metadata = Metadata.parse(JSON.parse('{"constructor":"a","toString":"b"}'));
    expect(metadata).toEqual({ constructor: 'a', toString: 'b' });
  });

  it('metadata: __proto__ as a key never becomes a prototype', () => {
    const parsed = Metadata.safeParse(JSON.parse('{"__proto__":"x","a":"b"}'));
    expect(Object.getPrototypeOf(parsed.data ?? {})).toBe(Object.prototype);
  });

  it.each(['buyer', 'order_reference', 'shipping_details', 'description', 'metadata'])(
    '%s may be missing or null',
    (field) => {
      expect(takes(CreatePaymentIntent, { ...CREATE, [field]: null })).toBe(true);
      expect(takes(UpdatePaymentIntent, { [field]: null })).toBe(true);
    },
  );

  it.each(Object.keys(CREATE))('%s is required on create, not on update', (field) => {
    expect(takes(CreatePaymentIntent, without(CREATE, field))).toBe(false);
    expect(takes(UpdatePaymentIntent, without(CREATE, field))).toBe(true);
  });
});
