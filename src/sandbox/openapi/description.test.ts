/** Rules of the description that no test of a part of the service quotes: each by what a merchant would see of it. */
import { describe, expect, it } from 'vitest';
import { HTTP_STATUS, isErrorCode } from '../../api/errors.ts';
import {
  type Answer,
  confirmBody,
  createWorld,
  GOOD_CARD,
  ORDER,
  refused,
  type World,
} from '../sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service.ts';

const confirm = async (
  world: World,
  number = GOOD_CARD,
  change: Record<string, unknown> = {},
): Promise<Answer> => world.client('confirm', confirmBody(await world.intent(change), number));

const retrieveAs = async (world: World, key: string | null) =>
  world.client('retrieve', { client_secret: (await world.intent()).client_secret }, { key });

const refund = (world: World, payment_intent: string, more: Record<string, unknown> = {}, key?: string) =>
  world.server(
    'POST',
    '/partner/v1/refunds',
    { payment_intent, ...more },
    key === undefined ? {} : { headers: { 'idempotency-key': key } },
  );

/** Each code, by a request that has it. */
const CODES: Readonly<Record<string, (world: World) => Promise<Answer>>> = {
  'service-api, code validation_error': (world) => world.create({ ...ORDER, colour: 'red' }),
  'service-api, code invalid_amount': (world) => world.create({ ...ORDER, amount: 0 }),
  'service-api, code amount_too_small': (world) => world.create({ ...ORDER, amount: 99 }),
  'service-api, code amount_too_large': (world) => world.create({ ...ORDER, amount: 100_000_000 }),
  'service-api, code unsupported_currency': (world) => world.create({ ...ORDER, currency: 'gbp' }),
  'service-api, code invalid_payment_details': (world) => world.create({ ...ORDER, items: [] }),
  'service-api, code invalid_billing_details': async (world) =>
    world.client('confirm', confirmBody(await world.intent(), GOOD_CARD, { billing_details: {} })),
  'service-api, code payment_details_missing': (world) => confirm(world, GOOD_CARD, { buyer: null }),
  'service-api, code non_physical_goods_not_allowed': async (world) => {
    await world.control('account', { non_physical_goods: false });
    return world.create({ ...ORDER, goods_type: 'non_physical' });
  },
  'service-api, code payment_intent_not_pending': async (world) =>
    world.client('confirm', confirmBody(await world.paid())),
  'service-api, code payment_not_refundable': async (world) => refund(world, (await world.intent()).id),
  'service-api, code refund_exceeds_remaining': async (world) =>
    refund(world, (await world.paid()).id, { amount: 1000 }),
  'service-api, code merchant_suspended': async (world) => {
    await world.control('account', { suspended: true });
    return world.create();
  },
  'service-api, code merchant_not_approved': async (world) => {
    await world.control('account', { approved: false });
    return world.create();
  },
  'service-api, code invalid_api_key': (world) => retrieveAs(world, null),
  'service-api, code api_key_revoked': async (world) => {
    await world.control('keys/revoke', { key: SANDBOX_KEYS.publishable });
    return retrieveAs(world, SANDBOX_KEYS.publishable);
  },
  'service-api, code invalid_client_secret': (world) =>
    world.client('retrieve', { client_secret: 'lg_cs_no' }),
  'service-api, code payment_method_declined': (world) => confirm(world, '4000000000000002'),
  'service-api, code payment_failed': (world) => confirm(world, '4000008400001629'),
  'service-api, code not_found': (world) => world.server('GET', '/partner/v1/nothing'),
  'service-api, code payment_intent_not_found': (world) => world.retrieve('lg_pi_no'),
  'service-api, code refund_not_found': (world) => world.server('GET', '/partner/v1/refunds/lg_re_no'),
  'service-api, code idempotency_key_reused': async (world) => {
    await world.create(ORDER, { headers: { 'idempotency-key': 'a' } });
    return refund(world, (await world.paid()).id, {}, 'a');
  },
  'service-api, code payment_intent_updated': async (world) =>
    world.client('confirm', confirmBody(await world.intent(), GOOD_CARD, { amount_total: 999 })),
  'service-api, code rate_limited': (world) => confirm(world, '4000000000010068'),
  'service-api, code internal_error': (world) => confirm(world, '4000000000010126'),
  'service-api, code fee_plan_not_configured': async (world) => {
    await world.control('account', { fee_schedule: null });
    return world.create();
  },
  'service-api, code provider_error': (world) => confirm(world, '4000000000000119'),
};

describe('each code of the description comes with its status', () => {
  it.each(Object.entries(CODES))('%s', async (title, ask) => {
    const code = title.replace('service-api, code ', '');
    if (!isErrorCode(code)) throw new Error(`${code} is no code`);
    expect(await ask(createWorld())).toMatchObject(refused(HTTP_STATUS[code], code));
  });
});

/** Values that are taken, and values that are refused: the border of each limit from both sides. */
const BORDERS: readonly [title: string, within: object[], beyond: object[]][] = [
  [
    'service-api, Limits: Items per payment',
    [1, 100].map((length) => ({ items: Array(length).fill(ORDER.items[0]) })),
    [0, 101].map((length) => ({ items: Array(length).fill(ORDER.items[0]) })),
  ],
  [
    'service-api, Limits: Item quantity',
    [0.001, 1_000_000].map((quantity) => ({ items: [{ name: 'a', quantity, unit_amount: 1 }] })),
    [0, 1_000_000.001, 0.0001].map((quantity) => ({ items: [{ name: 'a', quantity, unit_amount: 1 }] })),
  ],
  [
    'service-api, Limits: Order reference',
    [1, 100].map((length) => ({ order_reference: 'x'.repeat(length) })),
    [0, 101].map((length) => ({ order_reference: 'x'.repeat(length) })),
  ],
  [
    'service-api, Limits: Description',
    [0, 1000].map((length) => ({ description: 'x'.repeat(length) })),
    [{ description: 'x'.repeat(1001) }],
  ],
  [
    'service-api, Limits: Metadata',
    [
      { metadata: { ['k'.repeat(40)]: 'v'.repeat(500) } },
      { metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, ''])) },
    ],
    [
      { metadata: { ['k'.repeat(41)]: '' } },
      { metadata: { k: 'v'.repeat(501) } },
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, ''])) },
    ],
  ],
  ['service-api, Limits: Smallest total', [{ amount: 100 }], [{ amount: 99 }]],
  ['service-api, Limits: Largest total', [{ amount: 99_999_999 }], [{ amount: 100_000_000 }]],
  [
    'service-api, Conventions: metadata',
    [{ metadata: { a: 'b' } }, { metadata: null }],
    [{ metadata: { a: 1 } }],
  ],
  ['service-api, Conventions: Amounts', [{ amount: 1000 }], [{ amount: 1000.5 }, { amount: '1000' }]],
  ['service-api, Conventions: Unknown fields in a request', [{}], [{ colour: 'red' }]],
  ['service-api, Versioning 2: requests with unknown fields are refused', [{}], [{ Amount: 5 }]],
];

describe('from both sides of a border', () => {
  it.each(BORDERS)('%s', async (_, within, beyond) => {
    const world = createWorld();
    for (const change of within) expect((await world.create({ ...ORDER, ...change })).status).toBe(200);
    for (const change of beyond) expect((await world.create({ ...ORDER, ...change })).status).toBe(400);
  });

  it('service-api, Limits: Idempotency key', async () => {
    const world = createWorld();
    const statuses = async (length: number) =>
      (await world.create(ORDER, { headers: { 'idempotency-key': 'k'.repeat(length) } })).status;
    expect([await statuses(1), await statuses(255), await statuses(256)]).toEqual([200, 200, 400]);
  });

  it('service-api, Limits: Page size: 1 to 100, else 20', async () => {
    const world = createWorld();
    for (let made = 0; made < 21; made += 1) await world.intent();
    const { body } = await world.list();
    expect(body).toMatchObject({ has_more: true, data: { length: 20 } });
    for (const [limit, status] of [
      [1, 200],
      [100, 200],
      [0, 400],
      [101, 400],
    ])
      expect((await world.list(`?limit=${limit}`)).status).toBe(status);
  });

  it('service-api, Limits: Payment attempts: as many as the option says, then payment_intent_not_pending', async () => {
    const world = createWorld({ attempts: 2 });
    const intent = await world.intent();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      statuses.push((await world.client('confirm', confirmBody(intent, '4000000000000002'))).status);
    expect(statuses).toEqual([402, 402, 400]);
  });

  it('service-api, Limits: Browser routes: 60 a minute, address and route; service-api, Limits: Over a limit', async () => {
    const world = createWorld();
    const body = { client_secret: (await world.intent()).client_secret };
    for (let times = 0; times < 60; times += 1)
      expect((await world.client('retrieve', body)).status).toBe(200);
    const refusedOne = await world.client('retrieve', body);
    expect(refusedOne).toMatchObject(refused(429, 'rate_limited'));
    expect(refusedOne.headers.get('retry-after')).toBe('60');
    expect((await world.client('release', body)).status).toBe(200);
    expect((await world.client('retrieve', body, { address: '10.0.0.1' })).status).toBe(200);
    await world.clock.advance(60_000);
    expect((await world.client('retrieve', body)).status).toBe(200);
  });

  it('service-api, Limits: Failed authentication: 300 a minute and address; service-api, Authentication 7', async () => {
    const world = createWorld();
    const fail = () => world.retrieve('lg_pi_a', { key: 'sk_live_none' });
    for (let times = 0; times < 300; times += 1) expect((await fail()).status).toBe(401);
    expect(await fail()).toMatchObject(refused(429, 'rate_limited'));
    expect((await world.list()).status).toBe(429);
    expect((await world.list('', { address: '10.0.0.1' })).status).toBe(200);
  });

  it('service-api, Limits: Server routes: so many a minute, account and route', async () => {
    const world = createWorld({ serverRateLimit: 2 });
    const statuses = [await world.list(), await world.list(), await world.list()].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await world.retrieve('lg_pi_a')).status).toBe(404);
    expect((await world.list('', { key: (await world.account()).secret })).status).toBe(200);
  });
});

describe('what a payment says of itself', () => {
  it('service-api, Conventions: Field names, service-api, Conventions: Times, service-api, Conventions: object field', async () => {
    const world = createWorld();
    const intent = await world.paid();
    for (const name of Object.keys(intent)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(intent).toMatchObject({ object: 'payment_intent', created: world.clock.now() / 1000 });
    expect((await world.list()).body).toMatchObject({ object: 'list', data: [{ object: 'payment_intent' }] });
    expect((await refund(world, intent.id)).body).toMatchObject({ object: 'refund' });
  });

  it('service-api, Conventions: Request body: JSON that says it is', async () => {
    const world = createWorld();
    const headers = { 'content-type': 'text/plain' };
    expect(await world.create(ORDER, { headers })).toMatchObject(refused(400, 'validation_error'));
    expect((await world.create(ORDER)).headers.get('content-type')).toBe('application/json');
  });

  it('service-api, Payment intent states 1: nothing can be refunded before it succeeds; service-api, Payment intent states 2', async () => {
    const world = createWorld();
    expect(await world.intent()).toMatchObject({ amount_refundable: 0, unlock_schedule: [] });
    const paid = await world.paid();
    expect(paid.amount_refundable).toBe(paid.amount_total - paid.processing_fee - paid.bank_fee);
    expect(paid.unlock_schedule).toHaveLength(2);
  });

  it('service-api, Payment intent states 3: complete, canceled, or out of attempts', async () => {
    const world = createWorld({ attempts: 1 });
    const canceled = await world.intent();
    await world.control(`payment_intents/${canceled.id}/cancel`, {});
    const used = await world.intent();
    await world.client('confirm', confirmBody(used, '4000000000000002'));
    for (const intent of [await world.paid(), canceled, used])
      expect(await world.client('confirm', confirmBody(intent))).toMatchObject(
        refused(400, 'payment_intent_not_pending'),
      );
  });

  it('service-api, Payment intent states 5: success is announced', async () => {
    const world = createWorld();
    const { id } = await world.paid();
    expect([...world.service.store.events.values()]).toMatchObject([
      { type: 'payment_intent.succeeded', object: { id } },
    ]);
  });

  it('service-api, Refund states: succeeded; service-api, Refund states: failed, and the amount returns', async () => {
    const world = createWorld();
    const { id, amount_refundable } = await world.paid();
    await refund(world, id, { amount: 100 });
    await refund(world, id, { amount: 213 });
    expect((await world.retrieve(id)).body).toMatchObject({ amount_refunded: 313 });
    await world.clock.advance(3000);
    expect((await world.retrieve(id)).body).toMatchObject({
      amount_refunded: 100,
      amount_refundable: amount_refundable - 100,
    });
    const types = [...world.service.store.events.values()].map(({ type }) => type);
    expect(types.slice(1).sort()).toEqual(['refund.failed', 'refund.succeeded']);
  });

  it('service-api, Authentication 5: the client secret is in create and its replays, and nowhere else', async () => {
    const world = createWorld();
    const call = { headers: { 'idempotency-key': 'a' } };
    const [first, again] = [await world.create(ORDER, call), await world.create(ORDER, call)];
    expect(first.text).toContain('lg_cs_');
    expect(again.text).toBe(first.text);
    const id = /lg_pi_\w+/.exec(first.text)?.[0] ?? '';
    for (const answer of [
      await world.retrieve(id),
      await world.list(),
      await world.update(id, { description: 'a' }),
    ])
      expect(answer.text).not.toContain('lg_cs_');
  });

  it('service-api, Authentication 1: a bearer key; service-api, Versioning 1: the version is in the path', async () => {
    const world = createWorld();
    expect((await world.list('', { key: null })).status).toBe(401);
    const headers = { authorization: `Basic ${SANDBOX_KEYS.secret}` };
    expect((await world.list('', { key: null, headers })).status).toBe(401);
    expect((await world.server('GET', '/partner/v2/payment_intents')).status).toBe(404);
  });

  it('service-api, Create 6: a specific code, and the field at fault', async () => {
    const world = createWorld();
    const item = { ...ORDER.items[0], quantity: 0 };
    expect(await world.create({ ...ORDER, items: [item] })).toMatchObject(
      refused(400, 'invalid_payment_details', 'items[0].quantity'),
    );
  });
});
