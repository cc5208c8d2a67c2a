import { describe, expect, expectTypeOf, it } from 'vitest';
import type { ClientPaymentIntent as ServiceIntent } from '../../api/schemas.ts';
import { BRANDS } from '../card/brand-names.ts';
import { FrameMessageSchema, HelloSchema } from './frame-messages.fixture.ts';
import { MOST_TROUBLES, readHostMessage } from './messages.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';
import type { ClientPaymentIntent } from './result.ts';

const error = {
  type: 'card_error',
  code: 'payment_method_declined',
  message: 'Declined.',
  charged: 'no',
  recovery: 'use_other_card',
};

const intent: ClientPaymentIntent = {
  id: 'lg_pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  currency: 'usd',
  amount: 1000,
  fee_buyer: 0,
  amount_total: 1000,
  confirmation_attempts: 1,
  description: null,
  items: [{ name: 'Coffee', quantity: 0.25, unit_amount: 4000, amount: 1000 }],
  shipping_amount: 0,
  tax_amount: 0,
  discount_amount: null,
  items_difference: 0,
  created: 1,
  succeeded_at: 2,
  last_payment_error: null,
};

describe('hello', () => {
  it('has nothing but its type and versions, and may say that it is not the first', () => {
    const hello = { channel: CHANNEL, type: 'hello', protocols: [PROTOCOL], release: '0.1.0-abc' };
    expect(HelloSchema.parse({ ...hello, clientSecret: 'lg_cs_x' })).toEqual(hello);
    expect(Object.keys(HelloSchema.shape)).toEqual(['channel', 'type', 'protocols', 'release', 'again']);
    expect(HelloSchema.safeParse({ ...hello, again: true }).success).toBe(true);
    expect(HelloSchema.safeParse({ ...hello, again: false }).success).toBe(false);
  });
});

describe('a message of the loader', () => {
  it.each([
    { type: 'update', locale: 'fr' },
    { type: 'update', payButton: 'frame' },
    { type: 'update', backdrop: 'rgb(0, 0, 0);?' },
    { type: 'update', appearance: { theme: 'dark', variables: { colorPrimary: 'teal' } } },
    { type: 'refresh' },
    { type: 'secret', clientSecret: 'lg_cs_2' },
    { type: 'secret', clientSecret: null },
    { type: 'submit' },
    { type: 'covers', covers: ['none', 'fixed', 'over'], pointer: { x: 1, y: 2, age: 3 } },
    { type: 'beforepay', press: 1, allowed: false, message: 'Not today.', mistake: 'none' },
    { type: 'focus', field: 'email' },
    { type: 'destroy' },
    { type: 'diagnostics', release: '0.1.0-abc', timeOrigin: 1.8e12, timings: { mounted: 99.5 } },
  ])('%o', (message) => {
    expect(readHostMessage(message)).toEqual(message);
  });

  it.each([{}, { covers: ['none', 'none', 'none', 'none'], pointer: { x: 1, y: 2 } }, { covers: ['roof'] }])(
    'says by %o that it does not know what covers the frame',
    (answer) => {
      expect(readHostMessage({ type: 'covers', ...answer })).toEqual({
        type: 'covers',
        covers: [],
        pointer: null,
      });
    },
  );

  it.each([undefined, 7, 'sk_live_1', `lg_cs_${'x'.repeat(200)}`])(
    'that it has no secret by %o in place of one, so that nobody waits',
    (clientSecret) => {
      expect(readHostMessage({ type: 'secret', clientSecret })).toEqual({
        type: 'secret',
        clientSecret: null,
      });
    },
  );

  it('promises 1.7: an option that cannot be read changes nothing, and the rest of the update is taken over', () => {
    const message = { type: 'update', locale: { toString: 'x' }, readOnly: true, clientSecret: true };
    expect(readHostMessage(message)).toEqual({ type: 'update', readOnly: true, clientSecret: true });
  });

  it.each<[string, unknown]>([
    ['an unknown type', { type: 'explode' }],
    ['a name of every object', { type: 'constructor' }],
    ['nothing', null],
  ])('is rejected: %s', (_, message) => {
    expect(readHostMessage(message)).toBeNull();
  });
});

describe('a message of the frame', () => {
  const diagnostics = {
    release: '0.1.0-abc',
    timings: { mounted: 12, typeable: 345 },
    presses: { incomplete: 2, moved: 1 },
    troubles: { 'confirm.502': 1, 'retrieve.timeout': 3 },
    entries: [{ at: 0, event: 'opened' }],
  };
  const troubles = (kinds: number) =>
    Object.fromEntries(Array.from({ length: kinds }, (_, i) => [`confirm.${400 + i}`, 1]));
  const state = { type: 'state', height: 512, classes: ['CardForm--empty'], sent: false };
  const nothingMissing = { complete: true, invalid: [], missing: [], canPay: true };

  it.each([
    { type: 'ready', amountTotal: 1234, currency: 'eur' },
    { type: 'ready', amountTotal: null, currency: null },
    { type: 'loaderror' },
    { type: 'loaderror', reason: 'integrity', file: 'https://pay.example/form.js' },
    state,
    { type: 'covers', lines: [{ left: 0.1, top: 0.5, length: 0.8, height: 0.1 }] },
    { type: 'beforepay', press: 1, amountTotal: 1234, currency: 'usd' },
    { type: 'font', font: 3 },
    { type: 'search', search: 1, query: '1 Orchard 97205', country: 'US' },
    { type: 'escape' },
    { type: 'ratelimited', retryAfter: 60 },
    { type: 'warning', about: 'locale', hint: 'There is no such language.' },
    { type: 'secret', anew: true },
    { type: 'change', ...nothingMissing, empty: true, brand: null },
    {
      type: 'change',
      ...nothingMissing,
      invalid: ['card', 'email'],
      missing: ['line1'],
      empty: false,
      brand: 'amex',
    },
    { type: 'validate', ...nothingMissing },
    { type: 'submitrequest' },
    { type: 'amountchange', previous: 100, current: 200, currency: 'eur' },
    { type: 'processing', pressed: true },
    { type: 'decline', error },
    { type: 'error', error: { ...error, param: null, retryAfter: 5, charged: 'unknown', recovery: 'wait' } },
    { type: 'result', result: { outcome: 'succeeded', paymentIntent: intent } },
    { type: 'result', result: { outcome: 'failed', error } },
    ...[
      { outcome: 'pending', paymentIntent: { ...intent, status: 'pending' } },
      { outcome: 'failed', error },
      { outcome: 'unknown', reason: 'unresolved', paymentIntent: null },
    ].flatMap((status) => [
      { type: 'status', status },
      { type: 'refresh', refresh: status },
    ]),
    { type: 'error', error: { ...error, charged: 'yes', recovery: 'new_payment' } },
    { type: 'diagnostics', diagnostics },
    {
      type: 'diagnostics',
      diagnostics: {
        ...diagnostics,
        presses: { not_ready: 1, incomplete: 1, too_soon: 1, moved: 1, too_small: 1, obscured: 1 },
        troubles: troubles(MOST_TROUBLES),
      },
    },
  ])('%o', (message) => {
    expect(FrameMessageSchema.parse(message)).toEqual(message);
  });

  it.each<[string, unknown]>([
    ['a card number beside', { type: 'ready', amountTotal: 1, currency: 'usd', number: '4242424242424242' }],
    ['a card number as total', { type: 'ready', amountTotal: 4242424242424242, currency: 'usd' }],
    [
      'a card number as brand',
      { type: 'change', ...nothingMissing, empty: false, brand: '4242424242424242' },
    ],
    [
      'a card number as what is missing',
      { type: 'validate', ...nothingMissing, missing: ['4242424242424242'] },
    ],
    ['a security code in an error', { type: 'decline', error: { ...error, cvc: '123' } }],
    [
      'an expiry in a change',
      { type: 'change', ...nothingMissing, empty: false, brand: null, expiry: '12/30' },
    ],
    ['a card number as height', { ...state, height: 4242424242424242 }],
    ['a card number as class', { ...state, classes: ['4242424242424242'] }],
    [
      'a card number as amount',
      { type: 'amountchange', previous: 4000000000002, current: 1, currency: 'usd' },
    ],
    ['a card number as a question', { type: 'search', search: 1, query: '4242 4242 4242 4242' }],
    ['seven digits as a question', { type: 'search', search: 1, query: '12 Orchard-97205' }],
    ['a card number as the number of a question', { type: 'search', search: 4242424242424242 }],
    ['a card number as a font', { type: 'font', font: 4242424242424242 }],
    ['half a pixel', { ...state, height: 1.5 }],
    ['a payment that is only succeeded', { type: 'result', result: { outcome: 'succeeded' } }],
    ...(
      [
        ['no intent of a payment that can be paid', { outcome: 'pending' }],
        ['a card number as a status', { outcome: '4242424242424242', paymentIntent: intent }],
        [
          'a card number beside a status',
          { outcome: 'pending', paymentIntent: intent, number: '4242424242424242' },
        ],
        [
          'a client secret in the intent of a status',
          { outcome: 'processing', paymentIntent: { ...intent, client_secret: 'lg_cs_x' } },
        ],
      ] as const
    ).flatMap(([what, status]): [string, unknown][] => [
      [what, { type: 'status', status }],
      [`${what}, in the answer to refresh()`, { type: 'refresh', refresh: status }],
    ]),
    [
      'billing details in an intent',
      {
        type: 'result',
        result: { outcome: 'succeeded', paymentIntent: { ...intent, billing_details: { name: 'Ada' } } },
      },
    ],
    ...(
      [
        ['a card number as a time', { timings: { ...diagnostics.timings, payable: 4242424242424242 } }],
        ['a card number as a count', { presses: { moved: 4242424242424242 } }],
        ['a card number as the reason of a press', { presses: { '4242424242424242': 1 } }],
        ['a card number as a trouble', { troubles: { '4242424242424242': 1 } }],
        ['a security code as a status', { troubles: { 'confirm.123': 1 } }],
        ['a card number after a status', { troubles: { 'confirm.4242424242424242': 1 } }],
        ['a card number before a trouble', { troubles: { '4242424242424242offline': 1 } }],
        ['an address as a route', { troubles: { 'https://pay.example/lg_pi_1.500': 1 } }],
        ['a name beside the counts', { buyer: 'Ada' }],
        [
          'more kinds of troubles than allowed',
          {
            troubles: troubles(MOST_TROUBLES + 1),
          },
        ],
      ] as const
    ).map(([what, wrong]): [string, unknown] => [
      `${what}, in diagnostics`,
      { type: 'diagnostics', diagnostics: { ...diagnostics, ...wrong } },
    ]),
  ])('cannot have %s', (_, message) => {
    expect(FrameMessageSchema.safeParse(message).success).toBe(false);
  });

  it('cannot name a brand with a digit in it', () => {
    expect(BRANDS.filter((name) => /\d/.test(name))).toEqual([]);
  });

  it('has the intent with the fields of the service', () => {
    expectTypeOf<ServiceIntent>().toExtend<ClientPaymentIntent>();
  });
});

it.each(['invalid', 'missing'])('threat-model 2.5: the %s of a form names no field of the card', (list) => {
  const validation = { type: 'validate', complete: false, invalid: [], missing: [], canPay: false };
  for (const field of ['number', 'expiry', 'cvc'])
    expect(FrameMessageSchema.safeParse({ ...validation, [list]: [field] }).success, field).toBe(false);
  expect(FrameMessageSchema.safeParse({ ...validation, [list]: ['card'] }).success).toBe(true);
});

it.each(['focus', 'blur'] as const)('threat-model 2.5: a %s event names no field of the card', (type) => {
  for (const field of ['number', 'expiry', 'cvc'])
    expect(FrameMessageSchema.safeParse({ type, field }).success, field).toBe(false);
  expect(FrameMessageSchema.safeParse({ type, field: 'card' }).success).toBe(true);
});
