/** Tests, row by row, the tables of the description that define a record, a request, an event or an error. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { ErrorCode } from '../../api/errors.ts';
import {
  BILLING,
  confirmBody,
  createWorld,
  expectRefusal,
  ORDER,
  type ReadResponse,
  refusedWith,
  type SandboxWorld,
} from './sandbox.fixture.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

type Fields = Readonly<Record<string, unknown>>;
const Record = z.record(z.string(), z.unknown());
const fieldsOf = ({ body }: ReadResponse): Fields => Record.parse(body);

const DESTINATION = {
  line1: '1 Pier',
  line2: null,
  city: null,
  state: null,
  postal_code: null,
  country: 'GB',
};
const FULL = {
  description: 'Two mugs',
  metadata: { table: '7' },
  shipping_amount: 100,
  tax_amount: 50,
  discount_amount: 25,
  goods_type: 'non_physical',
  shipping_details: { name: 'Bo', address: { line1: '1 Pier', country: 'GB' } },
};
const BARE = { buyer: null, order_reference: null, shipping_details: null };

/** Returns one payment of each kind, as merchants read them. Fees of 1000: 59 and 5. */
const meet = async () => {
  const world = createWorld();
  const at = world.clock.now() / 1000;
  const read = async (id: string) => fieldsOf(await world.retrieve(id));
  const tried = async (number: string) => {
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent, number));
    return read(intent.id);
  };
  const canceled = await world.intent();
  await world.control(`payment_intents/${canceled.id}/cancel`, {});
  const paid = await world.paid();
  const { id: refundedId } = await world.paid();
  const refund = fieldsOf(await world.refund({ payment_intent: refundedId, amount: 100 }));
  const other = createWorld({ feeBearer: 'buyer' });
  return {
    at,
    created: fieldsOf(await world.create({ ...ORDER, ...BARE })),
    full: fieldsOf(await world.create({ ...ORDER, ...FULL, currency: 'eur' })),
    declined: await tried('4000000000000002'),
    processing: await tried('4000000000010001'),
    canceled: await read(canceled.id),
    paid: await read(paid.id),
    refunded: await read(refundedId),
    refund,
    byBuyer: fieldsOf(await other.retrieve((await other.paid()).id)),
    list: fieldsOf(await world.list('?limit=2')),
    last: fieldsOf(await world.list('?limit=100')),
    keys: fieldsOf(await world.server('GET', '/partner/v1/webhook_signing_keys')),
  };
};
type Met = Awaited<ReturnType<typeof meet>>;

const stepsOf = (intent: Fields) => z.array(Record).parse(intent.unlock_schedule);

type Row = (met: Met) => readonly [seen: unknown, expected: unknown];
/** Checks a field, by the kind of record that has it. */
const of =
  (field: string, expected: Fields): Row =>
  (met) => {
    const kinds = new Map<string, unknown>(Object.entries(met));
    const seen = Object.keys(expected).map((kind) => [kind, Record.parse(kinds.get(kind))[field]]);
    return [Object.fromEntries(seen), expected];
  };
/** Checks a field of both unlock steps. */
const steps =
  (field: string, ...expected: readonly unknown[]): Row =>
  ({ paid }) => [stepsOf(paid).map((step) => step[field]), expected];

/** The actual and the expected value of each row. */
const ROWS: Readonly<Record<string, Row>> = {
  'contract S3.1: id': of('id', { paid: expect.stringMatching(/^lg_pi_\w+$/) }),
  'contract S3.1: object': of('object', { paid: 'payment_intent' }),
  'contract S3.1: status': of('status', {
    created: 'pending',
    processing: 'processing',
    paid: 'succeeded',
    canceled: 'canceled',
  }),
  'contract S3.1: currency': of('currency', { paid: 'usd', full: 'eur' }),
  'contract S3.1: amount': of('amount', { paid: 1000, byBuyer: 1000 }),
  'contract S3.1: fee_buyer': of('fee_buyer', { paid: 0, byBuyer: 64 }),
  'contract S3.1: amount_total': of('amount_total', { paid: 1000, byBuyer: 1064 }),
  'contract S3.1: processing_fee': of('processing_fee', { paid: 59, byBuyer: 59 }),
  'contract S3.1: bank_fee': of('bank_fee', { paid: 5, byBuyer: 5 }),
  'contract S3.1: fee_bearer': of('fee_bearer', { paid: 'merchant', byBuyer: 'buyer' }),
  'contract S3.1: amount_refunded': of('amount_refunded', { paid: 0, refunded: 100 }),
  'contract S3.1: amount_refundable': of('amount_refundable', { created: 0, paid: 936, refunded: 836 }),
  'contract S3.1: confirmation_attempts': of('confirmation_attempts', { created: 0, declined: 1, paid: 1 }),
  'contract S3.1: description': of('description', { created: null, full: 'Two mugs' }),
  'contract S3.1: metadata': of('metadata', { created: {}, full: { table: '7' } }),
  'contract S3.1: order_reference': of('order_reference', { created: null, paid: 'A-1' }),
  'contract S3.1: goods_type': of('goods_type', { created: 'physical', full: 'non_physical' }),
  'contract S3.1: buyer': of('buyer', { created: null, paid: { name: 'Ada Byron' } }),
  'contract S3.1: shipping_details': of('shipping_details', {
    created: null,
    full: { name: 'Bo', phone: null, address: DESTINATION },
  }),
  'contract S3.1: items': ({ paid }) => [
    paid.items,
    [{ name: 'Mug', quantity: 1, unit_amount: 1000, amount: 1000 }],
  ],
  'contract S3.1: shipping_amount': of('shipping_amount', { created: 0, full: 100 }),
  'contract S3.1: tax_amount': of('tax_amount', { created: 0, full: 50 }),
  'contract S3.1: discount_amount': of('discount_amount', { created: 0, full: 25 }),
  'contract S3.1: items_difference': of('items_difference', {
    created: 0,
    full: 1000 - (1000 + 100 + 50 - 25),
  }),
  'contract S3.1: billing_details': of('billing_details', { created: null, declined: BILLING }),
  'contract S3.1: client_secret': ({ created, paid, declined }) => [
    [created.client_secret, 'client_secret' in paid, 'client_secret' in declined],
    [expect.stringMatching(/^lg_cs_\w+$/), false, false],
  ],
  'contract S3.1: created': ({ paid, at }) => [paid.created, at],
  'contract S3.1: succeeded_at': (met) => of('succeeded_at', { created: null, paid: met.at })(met),
  'contract S3.1: unlock_schedule': of('unlock_schedule', {
    created: [],
    paid: [expect.anything(), expect.anything()],
  }),
  'contract S3.6: email': of('billing_details', {
    declined: expect.objectContaining({ email: BILLING.email }),
  }),
  'contract S3.6: name': of('billing_details', { declined: expect.objectContaining({ name: BILLING.name }) }),
  'contract S3.6: address': of('billing_details', {
    declined: expect.objectContaining({ address: BILLING.address }),
  }),
  'contract S3.7: step': steps('step', 1, 2),
  'contract S3.7: days': steps('days', 7, 30),
  'contract S3.7: percent_bps': steps('percent_bps', 8000, 2000),
  'contract S3.7: available_at': (met) =>
    steps('available_at', met.at + 7 * 86_400, met.at + 30 * 86_400)(met),
  'contract S3.7: amount': steps('amount', 748, 188),
  'contract S3.7: deducted': ({ paid, refunded }) => [
    [...stepsOf(paid), ...stepsOf(refunded)].map(({ deducted }) => deducted),
    [0, 0, 100, 0],
  ],
  'contract S3.7: remaining': ({ refunded }) => [
    stepsOf(refunded).map(({ remaining }) => remaining),
    [648, 188],
  ],
  'contract S3.7: rescheduled': steps('rescheduled', false, false),
  'contract S3.8: id': of('id', { refund: expect.stringMatching(/^lg_re_\w+$/) }),
  'contract S3.8: object': of('object', { refund: 'refund' }),
  'contract S3.8: status': of('status', { refund: 'pending' }),
  'contract S3.8: amount': of('amount', { refund: 100 }),
  'contract S3.8: refund_fee': of('refund_fee', { refund: 0 }),
  'contract S3.9: object': of('object', { list: 'list' }),
  'contract S3.9: data': ({ list, processing, declined }) => [
    z
      .array(Record)
      .parse(list.data)
      .map(({ id }) => id),
    [processing.id, declined.id],
  ],
  'contract S3.9: has_more': of('has_more', { list: true, last: false }),
  'contract S3.10: kid': ({ keys }) => [
    keys.data,
    [expect.objectContaining({ kid: expect.stringMatching(/./) })],
  ],
  'contract S3.10: public_key_pem': ({ keys }) => [
    keys.data,
    [expect.objectContaining({ public_key_pem: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/) })],
  ],
  'contract S2.1: lg_pi_': of('id', { full: expect.stringMatching(/^lg_pi_/) }),
  'contract S2.1: lg_cs_': of('client_secret', { full: expect.stringMatching(/^lg_cs_/) }),
  'contract S2.1: lg_re_': of('id', { refund: expect.stringMatching(/^lg_re_/) }),
};

describe('the text of a record', () => {
  let met: Met;
  beforeAll(async () => {
    met = await meet();
  });

  it.each(Object.entries(ROWS))('%s', (_, look) => {
    const [seen, expected] = look(met);
    expect(seen).toEqual(expected);
  });
});

const long = (length: number) => 'x'.repeat(length);
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
const item = ORDER.items[0];

/** ORDER with a value at a path such as `items[0].name`; undefined removes the field. */
const withValue = (path: string, value: unknown): object => {
  const names = path.match(/[^.[\]]+/g) ?? [];
  const body = structuredClone(ORDER);
  let place: object = body;
  for (const name of names.slice(0, -1)) place = Object(Reflect.get(place, name));
  Reflect.set(place, names.at(-1) ?? '', value);
  return body;
};

/** A field: valid values, and invalid ones by error code. */
type Field = readonly [
  path: string,
  within: readonly unknown[],
  refused: Partial<Record<ErrorCode, readonly unknown[]>>,
];

const INVALID = 'invalid_payment_details';
/** An optional text of at most this length. */
const text = (path: string, most: number): Field => [
  path,
  [long(most), null],
  { [INVALID]: [long(most + 1)] },
];
const sum = (path: string): Field => [path, [0, 99_999_999], { validation_error: [-1, 100_000_000] }];

/** Valid and invalid input. http/wrong-types.test.ts has the values of the wrong type. */
const INPUT: Readonly<Record<string, readonly Field[]>> = {
  'contract S3.2: name': [
    ['buyer.name', ['A', long(200)], { validation_error: [undefined], [INVALID]: ['', long(201)] }],
  ],
  'contract S3.3: name': [
    ['shipping_details.name', [long(200)], { validation_error: [undefined], [INVALID]: [long(201)] }],
  ],
  'contract S3.3: phone': [text('shipping_details.phone', 40)],
  'contract S3.3: address': [['shipping_details.address', [], { validation_error: [undefined] }]],
  'contract S3.4: line1': [
    [
      'shipping_details.address.line1',
      [long(200)],
      { validation_error: [undefined], [INVALID]: [long(201)] },
    ],
  ],
  'contract S3.4: line2': [text('shipping_details.address.line2', 200)],
  'contract S3.4: city': [text('shipping_details.address.city', 200)],
  'contract S3.4: state': [text('shipping_details.address.state', 200)],
  'contract S3.4: postal_code': [text('shipping_details.address.postal_code', 20)],
  'contract S3.4: country': [
    [
      'shipping_details.address.country',
      ['DE'],
      { validation_error: [undefined], [INVALID]: ['XX', 'ZZ', 'Germany'] },
    ],
  ],
  'contract S3.5: name': [
    ['items[0].name', ['a', long(500)], { validation_error: [undefined], [INVALID]: ['', long(501)] }],
  ],
  'contract S3.5: quantity; contract S17.9': [
    ['items[0].quantity', [0.001, 1_000_000], { [INVALID]: [0, -1, 0.0001, 1.0005, 1e-10, 1_000_000.001] }],
  ],
  'contract S3.5: unit_amount': [
    ['items[0].unit_amount', [0, 99_999_999], { [INVALID]: [-1, 1.5, 100_000_000] }],
  ],
  'contract S3.5: amount': [['items[0].amount', [undefined], { validation_error: [5] }]],
  'contract S7.7: amount; contract S1.4, S17.6 and S17.7': [
    [
      'amount',
      [100],
      {
        validation_error: [undefined],
        invalid_amount: [0, -5, 10.5],
        amount_too_small: [99],
        amount_too_large: [100_000_000, 1e30],
      },
    ],
  ],
  'contract S7.7: currency': [
    ['currency', ['usd', 'eur'], { validation_error: [undefined], unsupported_currency: ['gbp', 'USD'] }],
  ],
  'contract S7.7: items; contract S17.8': [
    [
      'items',
      [Array(100).fill(item)],
      { validation_error: [undefined], [INVALID]: [[], Array(101).fill(item)] },
    ],
    ['items[0].quantity', [1], { validation_error: [undefined] }],
  ],
  'contract S7.7: shipping_amount': [sum('shipping_amount')],
  'contract S7.7: tax_amount': [sum('tax_amount')],
  'contract S7.7: discount_amount': [sum('discount_amount')],
  'contract S7.7: goods_type': [
    ['goods_type', ['physical', 'non_physical'], { validation_error: ['digital'] }],
  ],
  'contract S7.7: buyer': [['buyer', [null, undefined], { validation_error: ['Ada'] }]],
  'contract S7.7: order_reference; contract S17.10': [
    ['order_reference', [null, 'x', long(100)], { [INVALID]: ['', long(101)] }],
  ],
  'contract S7.7: shipping_details': [
    ['shipping_details', [null, undefined], { validation_error: ['12 St James Square'] }],
  ],
  'contract S7.7: description; contract S17.11': [
    ['description', [null, '', long(1000)], { validation_error: [long(1001)] }],
  ],
  'contract S7.7: metadata; contract S1.8 and S17.12': [
    [
      'metadata',
      [null, { a: '' }, keys(50), { [long(40)]: long(500) }],
      { validation_error: [keys(51), { [long(41)]: 'v' }] },
    ],
  ],
};

describe('valid requests', () => {
  it.each(Object.entries(INPUT))('%s', async (_, fields) => {
    for (const [path, within, refused] of fields) {
      for (const value of within) {
        const told = `${path}: ${JSON.stringify(value)}`.slice(0, 80);
        expect(await world.create(withValue(path, value)), told).toMatchObject({ status: 200 });
      }
      const made = world.service.store.intents.size;
      for (const [code, values] of Object.entries(refused))
        for (const value of values) {
          const told = `${path}: ${JSON.stringify(value)}`.slice(0, 80);
          const response = await world.create(withValue(path, value));
          expect(response, told).toMatchObject(refusedWith(400, code, path));
          expect(response.body).toMatchObject({
            error: { type: 'invalid_request_error', message: expect.stringMatching(/\w/) },
          });
        }
      expect(world.service.store.intents.size).toBe(made);
    }
  });

  it.each(['colour', 'Amount', 'fee_bearer', 'buyer.email'])(
    'contract S1.6 and S18.2: %s is no field of create',
    async (path) => {
      await expectRefusal(world.create(withValue(path, 'buyer')), 'validation_error', path);
    },
  );

  it('contract S7.6: names the item that is at fault', async () => {
    const items = [item, { ...item, quantity: -1 }];
    await expectRefusal(world.create({ ...ORDER, items }), 'invalid_payment_details', 'items[1].quantity');
  });

  it('contract S17.12: names the key of metadata whose value is at fault', async () => {
    const metadata = { k: long(501) };
    await expectRefusal(world.create({ ...ORDER, metadata }), 'validation_error', 'metadata.k');
  });
});

describe('the text of an error', () => {
  it('contract S16.1: type, contract S16.1: code, contract S16.1: message, contract S16.1: param', async () => {
    const response = await world.create(withValue('items[0].quantity', 0));
    expect(response.body).toEqual({
      error: {
        type: 'invalid_request_error',
        code: 'invalid_payment_details',
        message: expect.stringMatching(/\w/),
        param: 'items[0].quantity',
      },
    });
  });

  it('contract S16.1: decline_code', async () => {
    const codes: unknown[] = [];
    for (const number of ['4000000000009995', '4000000000000002']) {
      const { body } = await world.client('confirm', confirmBody(await world.intent(), number));
      codes.push(Record.parse(Record.parse(body).error).decline_code);
    }
    expect(codes).toEqual(['insufficient_funds', undefined]);
  });
});
