import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { runs } from '../proof/fuzz.ts';
import { Balance, ClientPaymentIntent, ErrorBody, List, PaymentItem, WebhookSigningKey } from './schemas.ts';

const LEAST = {
  id: 'lg_pi_1',
  object: 'payment_intent',
  status: 'pending',
  currency: 'usd',
  amount: 1234,
  fee_buyer: 0,
  amount_total: 1234,
};
const NULLS = {
  confirmation_attempts: null,
  attempts_left: null,
  attempt_in_progress: null,
  missing_details: null,
  description: null,
  items: null,
  shipping_amount: null,
  tax_amount: null,
  discount_amount: null,
  items_difference: null,
  created: null,
  succeeded_at: null,
  last_payment_error: null,
};
const ITEM = { name: 'Mug', quantity: 2, unit_amount: 617, amount: 1234 };
const ERROR = { type: 'card_error', code: 'payment_method_declined', message: 'Declined.' };
const WHOLE = {
  ...LEAST,
  confirmation_attempts: 1,
  attempts_left: 4,
  attempt_in_progress: false,
  missing_details: ['buyer', 'shipping_details.address'],
  description: 'Two mugs',
  items: [ITEM],
  shipping_amount: 0,
  tax_amount: 0,
  discount_amount: 0,
  items_difference: -5,
  created: 1_700_000_000,
  succeeded_at: 1_700_000_060,
  last_payment_error: ERROR,
};

describe('contract 3.5: the client view of an intent', () => {
  it('keeps a complete intent unchanged', () => {
    expect(ClientPaymentIntent.parse(WHOLE)).toEqual(WHOLE);
  });

  it('accepts only the required fields; the others become null', () => {
    expect(ClientPaymentIntent.parse(LEAST)).toEqual({ ...LEAST, ...NULLS });
  });

  const AMOUNTS = ['1234', '', true, [], {}, -1, 0.5, 100_000_000, 2 ** 53, 1e300, Number.NaN, Infinity, 1n];
  it.each<[keyof typeof LEAST, readonly unknown[]]>([
    ['id', ['', 1, {}, ['lg_pi_1'], 'x'.repeat(201)]],
    ['object', ['', 'intent', 1, ['payment_intent']]],
    ['status', ['', 0, true, {}, ['succeeded'], 'x'.repeat(101)]],
    ['currency', ['USD', 'gbp', '', 840, ['usd']]],
    ['amount', AMOUNTS],
    ['fee_buyer', AMOUNTS],
    ['amount_total', AMOUNTS],
  ])('outcomes 2.6: requires a valid %s', (field, wrong) => {
    const missing = Object.fromEntries(Object.entries(WHOLE).filter(([name]) => name !== field));
    expect(ClientPaymentIntent.safeParse(missing).success).toBe(false);
    for (const value of [null, ...wrong])
      expect(ClientPaymentIntent.safeParse({ ...WHOLE, [field]: value }).success, `${value}`).toBe(false);
    for (const value of wrong === AMOUNTS ? [0, 1, 99_999_999] : [])
      expect(ClientPaymentIntent.parse({ ...LEAST, [field]: value })).toMatchObject({ [field]: value });
  });

  it.each<[keyof typeof NULLS, readonly unknown[]]>([
    ['confirmation_attempts', ['1', -1, 1.5, true, [1], {}]],
    ['attempts_left', ['1', -1, 1.5, true, [1], {}]],
    ['attempt_in_progress', ['true', 1, [true], {}]],
    [
      'missing_details',
      ['buyer', [1], ['Ada Lovelace'], ['<b>'], Array.from({ length: 21 }, () => 'buyer'), {}],
    ],
    ['description', [5, {}, ['Two mugs']]],
    ['items', ['Mug', {}, [null], [{ ...ITEM, amount: '1234' }], Array.from({ length: 101 }, () => ITEM)]],
    ['shipping_amount', ['0', -1, 0.5, 100_000_000]],
    ['tax_amount', ['0', -1, 0.5, 100_000_000]],
    ['discount_amount', ['0', -1, 0.5, 100_000_000]],
    ['items_difference', ['0', 0.5, {}]],
    ['created', ['2026-01-01', -1, 1.5]],
    ['succeeded_at', ['2026-01-01', -1, 1.5]],
    ['last_payment_error', ['declined', [], {}, { ...ERROR, code: 5 }, { ...ERROR, message: undefined }]],
  ])('works when %s is missing, null or not understood', (field, values) => {
    for (const value of [undefined, null, ...values]) {
      expect(ClientPaymentIntent.parse({ ...WHOLE, [field]: value })).toEqual({ ...WHOLE, [field]: null });
    }
  });

  it('an optional field with any value never stops a payment', () => {
    const anything = fc.record(
      Object.fromEntries(Object.keys(NULLS).map((field) => [field, fc.jsonValue()])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anything, (optional) => {
        expect(ClientPaymentIntent.parse({ ...LEAST, ...optional })).toMatchObject(LEAST);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each(['requires_action', 'PENDING', 'constructor', '__proto__', ' '])(
    'accepts the unknown status %j',
    (status) => {
      expect(ClientPaymentIntent.parse({ ...LEAST, status }).status).toBe(status);
      expectTypeOf<ClientPaymentIntent['status']>().toBeString();
    },
  );

  it('contract S1.7: unknown fields in a response are dropped at every depth', () => {
    const later = {
      ...WHOLE,
      metadata: { a: '1' },
      client_secret: 'lg_cs_1',
      items: [{ ...ITEM, sku: '1' }],
      last_payment_error: { ...ERROR, doc_url: 'https://example.com' },
    };
    expect(ClientPaymentIntent.parse(later)).toEqual(WHOLE);
  });
});

describe('hostile answers', () => {
  const text = JSON.stringify(LEAST);

  it('reads nothing from __proto__', () => {
    const missing = text.replace('"status":"pending"', '"__proto__":{"status":"succeeded"}');
    expect(ClientPaymentIntent.safeParse(JSON.parse(missing)).success).toBe(false);
    const both = text.replace('{', '{"__proto__":{"description":"x","confirmation_attempts":9},');
    expect(ClientPaymentIntent.parse(JSON.parse(both))).toEqual({ ...LEAST, ...NULLS });
  });

  it('returns a plain object, whatever keys the answer has', () => {
    const hostile = text.replace(
      '{',
      '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":"x",',
    );
    const intent = ClientPaymentIntent.parse(JSON.parse(hostile));
    expect(Object.getPrototypeOf(intent)).toBe(Object.prototype);
    expect(Object.keys(intent)).toEqual([...Object.keys(LEAST), ...Object.keys(NULLS)]);
    expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
  });

  it('truncates texts to a length that a form can show', () => {
    const flood = 'x'.repeat(100_000);
    const intent = ClientPaymentIntent.parse({
      ...LEAST,
      description: flood,
      items: [{ ...ITEM, name: flood }],
    });
    expect(intent.description).toHaveLength(2000);
    expect(intent.items?.[0]?.name).toHaveLength(2000);
  });

  it('accepts or refuses any JSON, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(ClientPaymentIntent.safeParse(value).success).toBe(false);
        expect(ErrorBody.safeParse(value).success).toBe(false);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('contract S16.1: the error object', () => {
  const body = (different: object) => ErrorBody.safeParse({ error: { ...ERROR, ...different } });

  it('needs type, code and message; param and decline_code may be missing or null', () => {
    expect(body({}).data).toEqual({ error: ERROR });
    expect(body({ param: null, decline_code: null }).success).toBe(true);
    expect(body({ param: 'items[0].quantity', decline_code: 'expired_card' }).success).toBe(true);
    for (const field of ['type', 'code', 'message']) {
      expect(body({ [field]: undefined }).success, field).toBe(false);
      expect(body({ [field]: null }).success, field).toBe(false);
    }
  });

  it('drops unknown fields', () => {
    expect(ErrorBody.parse({ error: { ...ERROR, doc_url: 'x' }, request_id: 'r' })).toEqual({ error: ERROR });
  });

  it.each(['', 'Payment_Failed', 'a b', 'a-b', '<b>', 'a\n', 'x'.repeat(101)])('%j is no code', (code) => {
    expect(body({ code }).success).toBe(false);
  });

  it('accepts an unknown code', () => {
    expect(body({ code: 'a_later_code_2' }).success).toBe(true);
  });
});

describe('other answers', () => {
  it('a list has data and has_more', () => {
    const Items = List(PaymentItem);
    expect(Items.parse({ object: 'list', data: [ITEM], has_more: false, url: '/' })).toEqual({
      object: 'list',
      data: [ITEM],
      has_more: false,
    });
    expect(Items.safeParse({ object: 'list', data: [{}], has_more: false }).success).toBe(false);
    expect(Items.safeParse({ object: 'list', data: [] }).success).toBe(false);
  });

  it('contract 5.4, 5.5: balance and signing keys', () => {
    const balance = { object: 'balance', available: [{ amount: -5, currency: 'eur' }], locked: [] };
    expect(Balance.parse({ ...balance, later: 1 })).toEqual(balance);
    const key = { kid: 'k1', public_key_pem: 'PEM' };
    expect(WebhookSigningKey.parse({ ...key, later: 1 })).toEqual(key);
  });
});
