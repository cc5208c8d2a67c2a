/** Rules of the API description that no other test quotes, each tested by what a merchant sees. */
import { beforeEach, describe, expect, it } from 'vitest';
import { errorType, HTTP_STATUS, isErrorCode } from '../../api/errors.ts';
import {
  confirmBody,
  createWorld,
  GOOD_CARD,
  ORDER,
  type ReadResponse,
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
  'contract S16.3: validation_error; contract S16.2: invalid_request_error': (world) =>
    world.create({ ...ORDER, colour: 'red' }),
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
  'contract S16.3: invalid_api_key; contract S16.2: authentication_error': (world) => retrieveAs(world, null),
  'contract S16.3: api_key_revoked': async (world) => {
    await world.control('keys/revoke', { key: SANDBOX_KEYS.publishable });
    return retrieveAs(world, SANDBOX_KEYS.publishable);
  },
  'contract S16.3: invalid_client_secret': (world) => world.client('retrieve', { client_secret: 'lg_cs_no' }),
  'contract S16.3: payment_method_declined; contract S16.2: card_error': (world) =>
    confirm(world, '4000000000000002'),
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
  'contract S16.3: rate_limited; contract S16.2: rate_limit_error': (world) =>
    confirm(world, '4000000000010068'),
  'contract S16.3: internal_error; contract S16.2: api_error': (world) => confirm(world, '4000000000010126'),
  'contract S16.3: fee_plan_not_configured': async (world) => {
    await world.control('account', { fee_schedule: null });
    return world.create();
  },
  'contract S16.3: provider_error': (world) => confirm(world, '4000000000000119'),
};

describe('each error code has its HTTP status and its type', () => {
  it.each(Object.entries(CODES))('%s', async (title, ask) => {
    const [, code = ''] = /S16\.3: (\w+)/.exec(title) ?? [];
    if (!isErrorCode(code)) throw new Error(`${code} is no code`);
    expect(await ask(createWorld())).toMatchObject({
      status: HTTP_STATUS[code],
      body: { error: { code, type: errorType(code) } },
    });
  });
});

describe('objects and addresses', () => {
  it('contract S1.2: Field names, contract S1.3: Times, contract S1.5: object field', async () => {
    const intent = await world.paid();
    for (const name of Object.keys(intent)) expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(intent).toMatchObject({ object: 'payment_intent', created: world.clock.now() / 1000 });
    expect((await world.list()).body).toMatchObject({ object: 'list', data: [{ object: 'payment_intent' }] });
    expect((await refund(world, intent.id)).body).toMatchObject({ object: 'refund' });
  });

  it('contract S18.1: the version is in the path', async () => {
    expect((await world.server('GET', '/partner/v2/payment_intents')).status).toBe(404);
  });
});
