/** Rules of the API description that no other test quotes, each tested by what a merchant sees. */
import { beforeEach, describe, expect, it } from 'vitest';
import { HTTP_STATUS, isErrorCode } from '../../api/errors.ts';
import {
  confirmBody,
  createWorld,
  expectRefusal,
  GOOD_CARD,
  ORDER,
  type ReadResponse,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';
import { SANDBOX_KEYS } from '../service.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

const confirm = async (
  world: SandboxWorld,
  number = GOOD_CARD,
  change: Record<string, unknown> = {},
): Promise<ReadResponse> => world.client('confirm', confirmBody(await world.intent(change), number));

const retrieveAs = async (world: SandboxWorld, key: string | null) =>
  world.client('retrieve', { client_secret: (await world.intent()).client_secret }, { key });

const refund = (
  world: SandboxWorld,
  payment_intent: string,
  more: Record<string, unknown> = {},
  key?: string,
) =>
  world.server(
    'POST',
    '/partner/v1/refunds',
    { payment_intent, ...more },
    key === undefined ? {} : { headers: { 'idempotency-key': key } },
  );

/** For each code, a request that gets it. */
const CODES: Readonly<Record<string, (world: SandboxWorld) => Promise<ReadResponse>>> = {
  'contract S16.3: validation_error': (world) => world.create({ ...ORDER, colour: 'red' }),
  'contract S16.3: invalid_amount': (world) => world.create({ ...ORDER, amount: 0 }),
  'contract S16.3: amount_too_small': (world) => world.create({ ...ORDER, amount: 99 }),
  'contract S16.3: amount_too_large': (world) => world.create({ ...ORDER, amount: 100_000_000 }),
  'contract S16.3: unsupported_currency': (world) => world.create({ ...ORDER, currency: 'gbp' }),
  'contract S16.3: invalid_payment_details': (world) => world.create({ ...ORDER, items: [] }),
  'contract S16.3: invalid_billing_details': async (world) =>
    world.client('confirm', confirmBody(await world.intent(), GOOD_CARD, { billing_details: {} })),
  'contract S16.3: payment_details_missing': (world) => confirm(world, GOOD_CARD, { buyer: null }),
  'contract S16.3: non_physical_goods_not_allowed': async (world) => {
    await world.control('account', { non_physical_goods: false });
    return world.create({ ...ORDER, goods_type: 'non_physical' });
  },
  'contract S16.3: payment_intent_not_pending': async (world) =>
    world.client('confirm', confirmBody(await world.paid())),
  'contract S16.3: payment_not_refundable': async (world) => refund(world, (await world.intent()).id),
  'contract S16.3: refund_exceeds_remaining': async (world) =>
    refund(world, (await world.paid()).id, { amount: 1000 }),
  'contract S16.3: merchant_suspended': async (world) => {
    await world.control('account', { suspended: true });
    return world.create();
  },
  'contract S16.3: merchant_not_approved': async (world) => {
    await world.control('account', { approved: false });
    return world.create();
  },
  'contract S16.3: invalid_api_key': (world) => retrieveAs(world, null),
  'contract S16.3: api_key_revoked': async (world) => {
    await world.control('keys/revoke', { key: SANDBOX_KEYS.publishable });
    return retrieveAs(world, SANDBOX_KEYS.publishable);
  },
  'contract S16.3: invalid_client_secret': (world) => world.client('retrieve', { client_secret: 'lg_cs_no' }),
  'contract S16.3: payment_method_declined': (world) => confirm(world, '4000000000000002'),
  'contract S16.3: payment_failed': (world) => confirm(world, '4000008400001629'),
  'contract S16.3: not_found': (world) => world.server('GET', '/partner/v1/nothing'),
  'contract S16.3: payment_intent_not_found': (world) => world.retrieve('lg_pi_no'),
  'contract S16.3: refund_not_found': (world) => world.server('GET', '/partner/v1/refunds/lg_re_no'),
  'contract S16.3: idempotency_key_reused': async (world) => {
    await world.create(ORDER, { headers: { 'idempotency-key': 'a' } });
    return refund(world, (await world.paid()).id, {}, 'a');
  },
  'contract S16.3: payment_intent_updated': async (world) =>
    world.client('confirm', confirmBody(await world.intent(), GOOD_CARD, { amount_total: 999 })),
  'contract S16.3: rate_limited': (world) => confirm(world, '4000000000010068'),
  'contract S16.3: internal_error': (world) => confirm(world, '4000000000010126'),
  'contract S16.3: fee_plan_not_configured': async (world) => {
    await world.control('account', { fee_schedule: null });
    return world.create();
  },
  'contract S16.3: provider_error': (world) => confirm(world, '4000000000000119'),
};

describe('each error code has its HTTP status', () => {
  it.each(Object.entries(CODES))('%s', async (title, ask) => {
    const code = title.replace('contract S16.3: ', '');
    if (!isErrorCode(code)) throw new Error(`${code} is no code`);
    expect(await ask(createWorld())).toMatchObject(refusedWith(HTTP_STATUS[code], code));
  });
});

/** For each limit, values that are accepted and values that are refused. */
const LIMITS: readonly [title: string, within: object[], beyond: object[]][] = [
  [
    'contract S17.8: Items per payment',
    [1, 100].map((length) => ({ items: Array(length).fill(ORDER.items[0]) })),
    [0, 101].map((length) => ({ items: Array(length).fill(ORDER.items[0]) })),
  ],
  [
    'contract S17.9: Item quantity',
    [0.001, 1_000_000].map((quantity) => ({ items: [{ name: 'a', quantity, unit_amount: 1 }] })),
    [0, 1_000_000.001, 0.0001].map((quantity) => ({ items: [{ name: 'a', quantity, unit_amount: 1 }] })),
  ],
  [
    'contract S17.10: Order reference',
    [1, 100].map((length) => ({ order_reference: 'x'.repeat(length) })),
    [0, 101].map((length) => ({ order_reference: 'x'.repeat(length) })),
  ],
  [
    'contract S17.11: Description',
    [0, 1000].map((length) => ({ description: 'x'.repeat(length) })),
    [{ description: 'x'.repeat(1001) }],
  ],
  [
    'contract S17.12: Metadata',
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
  ['contract S17.6: Smallest total', [{ amount: 100 }], [{ amount: 99 }]],
  ['contract S17.7: Largest total', [{ amount: 99_999_999 }], [{ amount: 100_000_000 }]],
  ['contract S1.8: metadata', [{ metadata: { a: 'b' } }, { metadata: null }], [{ metadata: { a: 1 } }]],
  ['contract S1.4: Amounts', [{ amount: 1000 }], [{ amount: 1000.5 }, { amount: '1000' }]],
  ['contract S1.6: Unknown fields in a request', [{}], [{ colour: 'red' }]],
  ['contract S18.2: requests with unknown fields are refused', [{}], [{ Amount: 5 }]],
];

describe('values just within and just beyond each limit', () => {
  it.each(LIMITS)('%s', async (_, within, beyond) => {
    for (const change of within) expect((await world.create({ ...ORDER, ...change })).status).toBe(200);
    for (const change of beyond) expect((await world.create({ ...ORDER, ...change })).status).toBe(400);
  });

  it('contract S17.14: Idempotency key', async () => {
    const statuses = async (length: number) =>
      (await world.create(ORDER, { headers: { 'idempotency-key': 'k'.repeat(length) } })).status;
    expect([await statuses(1), await statuses(255), await statuses(256)]).toEqual([200, 200, 400]);
  });

  it('contract S17.13: Page size: 1 to 100, else 20', async () => {
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

  it('contract S17.5: Payment attempts: as many as the option allows, then payment_intent_not_pending', async () => {
    world = createWorld({ attempts: 2 });
    const intent = await world.intent();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      statuses.push((await world.client('confirm', confirmBody(intent, '4000000000000002'))).status);
    expect(statuses).toEqual([402, 402, 400]);
  });

  it('contract S17.3: Browser routes: 60 per minute, address and route; contract S17.4: Over a limit', async () => {
    const body = { client_secret: (await world.intent()).client_secret };
    for (let times = 0; times < 60; times += 1)
      expect((await world.client('retrieve', body)).status).toBe(200);
    const refusedOne = await world.client('retrieve', body);
    expect(refusedOne).toMatchObject(refusedWith(429, 'rate_limited'));
    expect(refusedOne.headers.get('retry-after')).toBe('60');
    expect((await world.client('release', body)).status).toBe(200);
    expect((await world.client('retrieve', body, { address: '10.0.0.1' })).status).toBe(200);
    await world.clock.advance(60_000);
    expect((await world.client('retrieve', body)).status).toBe(200);
  });

  it('contract S17.2: Failed authentication: 300 per minute and address; contract S11.7', async () => {
    const fail = () => world.retrieve('lg_pi_a', { key: 'sk_live_none' });
    for (let times = 0; times < 300; times += 1) expect((await fail()).status).toBe(401);
    expect(await fail()).toMatchObject(refusedWith(429, 'rate_limited'));
    expect((await world.list()).status).toBe(429);
    expect((await world.list('', { address: '10.0.0.1' })).status).toBe(200);
  });

  it('contract S17.1: Server routes: limited per minute, account and route', async () => {
    world = createWorld({ serverRateLimit: 2 });
    const statuses = [await world.list(), await world.list(), await world.list()].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await world.retrieve('lg_pi_a')).status).toBe(404);
    expect((await world.list('', { key: (await world.account()).secret })).status).toBe(200);
  });
});

describe('objects, states and events', () => {
  it('contract S1.2: Field names, contract S1.3: Times, contract S1.5: object field', async () => {
    const intent = await world.paid();
    for (const name of Object.keys(intent)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(intent).toMatchObject({ object: 'payment_intent', created: world.clock.now() / 1000 });
    expect((await world.list()).body).toMatchObject({ object: 'list', data: [{ object: 'payment_intent' }] });
    expect((await refund(world, intent.id)).body).toMatchObject({ object: 'refund' });
  });

  it('contract S1.1: Request body: JSON, with its content type', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(await world.create(ORDER, { headers })).toMatchObject(refusedWith(400, 'validation_error'));
    expect((await world.create(ORDER)).headers.get('content-type')).toBe('application/json');
  });

  it('contract S4.1: nothing can be refunded before it succeeds; contract S4.2', async () => {
    expect(await world.intent()).toMatchObject({ amount_refundable: 0, unlock_schedule: [] });
    const paid = await world.paid();
    expect(paid.amount_refundable).toBe(paid.amount_total - paid.processing_fee - paid.bank_fee);
    expect(paid.unlock_schedule).toHaveLength(2);
  });

  it('contract S4.3: complete, canceled, or out of attempts', async () => {
    world = createWorld({ attempts: 1 });
    const canceled = await world.intent();
    await world.control(`payment_intents/${canceled.id}/cancel`, {});
    const used = await world.intent();
    await world.client('confirm', confirmBody(used, '4000000000000002'));
    for (const intent of [await world.paid(), canceled, used])
      await expectRefusal(world.client('confirm', confirmBody(intent)), 'payment_intent_not_pending');
  });

  it('contract S4.5: success sends an event', async () => {
    const { id } = await world.paid();
    expect([...world.service.store.events.values()]).toMatchObject([
      { type: 'payment_intent.succeeded', object: { id } },
    ]);
  });

  it('contract S5.1: succeeded; contract S5.1: failed, and the amount returns', async () => {
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

  it('contract S11.5: the client secret is in create and its replays, and nowhere else', async () => {
    const call = { headers: { 'idempotency-key': 'a' } };
    const [first, again] = [await world.create(ORDER, call), await world.create(ORDER, call)];
    expect(first.text).toContain('lg_cs_');
    expect(again.text).toBe(first.text);
    const id = /lg_pi_\w+/.exec(first.text)?.[0] ?? '';
    for (const response of [
      await world.retrieve(id),
      await world.list(),
      await world.update(id, { description: 'a' }),
    ])
      expect(response.text).not.toContain('lg_cs_');
  });

  it('contract S11.1: a bearer key; contract S18.1: the version is in the path', async () => {
    expect((await world.list('', { key: null })).status).toBe(401);
    const headers = { authorization: `Basic ${SANDBOX_KEYS.secret}` };
    expect((await world.list('', { key: null, headers })).status).toBe(401);
    expect((await world.server('GET', '/partner/v2/payment_intents')).status).toBe(404);
  });

  it('contract S7.6: a specific code, and the field at fault', async () => {
    const item = { ...ORDER.items[0], quantity: 0 };
    expect(await world.create({ ...ORDER, items: [item] })).toMatchObject(
      refusedWith(400, 'invalid_payment_details', 'items[0].quantity'),
    );
  });
});
