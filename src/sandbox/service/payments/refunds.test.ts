import { beforeEach, describe, expect, it } from 'vitest';
import * as LIMITS from '../../../api/limits.ts';
import { SERVER_ROUTES } from '../../../api/routes.ts';
import {
  confirmBody,
  createWorld,
  expectRefusal,
  ORDER,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';

let world: SandboxWorld;
/** A payment that has succeeded. */
let id: string;
beforeEach(async () => {
  world = createWorld();
  ({ id } = await world.paid());
});

const DAY = 86_400_000;
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
/** 1000 costs 59 and 5. The merchant gets 936: 748 after 7 days and 188 after 30. */
const NET = 936;

describe('contract S8.6: create a refund', () => {
  it('answers the record of contract 5.2: pending, with its payment, currency and fee', async () => {
    const response = await world.refund({ payment_intent: id, amount: 300 });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^lg_re_[A-Za-z0-9]{24}$/),
      object: 'refund',
      status: 'pending',
      amount: 300,
      refund_fee: 0,
      currency: 'usd',
      payment_intent: id,
      created: world.clock.now() / 1000,
    });
  });

  it('"Retrieve a refund": the same record; 404 refund_not_found where there is none', async () => {
    const refund = await world.refunded(id, 300);
    expect((await world.server('GET', `${SERVER_ROUTES.refunds}/${refund.id}`)).body).toEqual(refund);
    for (const other of ['lg_re_none', id, '__proto__']) {
      await expectRefusal(world.server('GET', `${SERVER_ROUTES.refunds}/${other}`), 'refund_not_found');
    }
    expect(await world.server('GET', `${SERVER_ROUTES.refunds}/${refund.id}?expand=x`)).toMatchObject(
      refusedWith(400, 'validation_error', 'expand'),
    );
  });

  it.each([
    [{}, 'validation_error', 'payment_intent'],
    [{ payment_intent: 'x', amount: 0 }, 'invalid_amount', 'amount'],
    [{ payment_intent: 'x', amount: 1.5 }, 'invalid_amount', 'amount'],
    [{ payment_intent: 'x', amount: 1e20 }, 'refund_exceeds_remaining', 'amount'],
    [{ payment_intent: 'x', reason: 'y' }, 'validation_error', 'reason'],
    ['{"payment_intent"', 'validation_error', undefined],
  ])('body %j gives 400 %s', async (body, code, param) => {
    expect(await createWorld().refund(body)).toMatchObject(refusedWith(400, code, param));
  });

  it('404 payment_intent_not_found for a payment that does not exist', async () => {
    await expectRefusal(createWorld().refund({ payment_intent: 'lg_pi_none' }), 'payment_intent_not_found');
  });

  it.each([
    ['pending', '4000000000000002', 'If it succeeds, refund it then.'],
    ['processing', '4000000000010001', 'If it succeeds, refund it then.'],
    ['canceled', null, 'Nothing was charged.'],
  ])(
    'contract S4.1 and S4.4: 400 payment_not_refundable while %s, with advice that a merchant can follow',
    async (status, number, advice) => {
      const intent = await world.intent();
      if (number === null) await world.control(`payment_intents/${intent.id}/cancel`, {});
      else await world.client('confirm', confirmBody(intent, number));
      expect(await world.now(intent.id)).toMatchObject({ status });
      const refused = await world.refund({ payment_intent: intent.id });
      expect(refused).toMatchObject(refusedWith(400, 'payment_not_refundable'));
      expect(refused.text).toContain(advice);
    },
  );

  it('contract S16.3: 400 payment_not_refundable where the payment network refuses the refund', async () => {
    const refuse = (refuse: unknown) => world.control(`payment_intents/${id}/refuse_refunds`, { refuse });
    expect((await refuse(true)).body).toEqual({ refuse: true });
    await expectRefusal(world.refund({ payment_intent: id }, withKey('k')), 'payment_not_refundable');
    expect(await world.now(id)).toMatchObject({ amount_refunded: 0, amount_refundable: NET });
    await refuse(false);
    expect((await world.refund({ payment_intent: id }, withKey('k'))).status).toBe(200);
    expect(await refuse('no')).toMatchObject(refusedWith(400, 'validation_error', 'refuse'));
  });

  it('contract S7.5: 500 fee_plan_not_configured where the fee cannot be priced; nothing is reserved', async () => {
    await world.control('account', { fee_schedule: null });
    await expectRefusal(world.refund({ payment_intent: id }), 'fee_plan_not_configured');
    expect(await world.now(id)).toMatchObject({ amount_refunded: 0 });
  });

  it("ours: a suspended or unapproved account may refund, since the money is the buyer's", async () => {
    await world.control('account', { suspended: true, approved: false });
    expect((await world.refund({ payment_intent: id })).status).toBe(200);
  });

  it('contract S11.2: takes the secret key only', async () => {
    const key = world.sandbox.keys.publishable;
    for (const [method, path] of [
      ['POST', SERVER_ROUTES.refunds],
      ['GET', SERVER_ROUTES.refunds],
      ['GET', `${SERVER_ROUTES.refunds}/x`],
      ['GET', SERVER_ROUTES.balance],
      ['POST', SERVER_ROUTES.feeQuotes],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      await expectRefusal(world.server(method, path, body, { key }), 'invalid_api_key');
    }
  });

  it.each([
    [undefined, 'got no amount, which asks for the whole rest.'],
    [NET + 1, `got ${NET + 1}.`],
    [LIMITS.largestAmount, `got ${LIMITS.largestAmount}.`],
    [LIMITS.largestAmount + 1, 'got more than any payment has.'],
  ])('the message about a refund of too much names the requested amount: %s', async (amount, message) => {
    if (amount === undefined) await world.refunded(id, NET);
    expect((await world.refund({ payment_intent: id, amount })).text).toContain(message);
  });

  it("contract S11: another account's payments and refunds do not exist", async () => {
    const other = await world.account();
    const theirs = await world.paid({}, other);
    const refund = await world.refunded(id, 100);
    const byOther = { key: other.secret };
    await expectRefusal(world.refund({ payment_intent: theirs.id }), 'payment_intent_not_found');
    for (const [path, code, param] of [
      [`/${refund.id}`, 'refund_not_found'],
      [`?payment_intent=${id}`, 'payment_intent_not_found'],
      [`?starting_after=${refund.id}`, 'validation_error', 'starting_after'],
    ] as const) {
      const asked = world.server('GET', `${SERVER_ROUTES.refunds}${path}`, undefined, byOther);
      await expectRefusal(asked, code, param);
    }
    expect((await world.refunds('', byOther)).body).toEqual({ object: 'list', data: [], has_more: false });
  });
});

describe('contract S5.1: refund states', () => {
  it('contract S5.1: succeeded; contract 5.7: pending, processing after 1 s, succeeded after 3 s; each from its own moment on', async () => {
    await world.clock.advance(250);
    const refund = await world.refunded(id, 100);
    const seen: string[] = [];
    for (const wait of [0, 999, 1, 1999, 1]) {
      await world.clock.advance(wait);
      seen.push((await world.refundNow(refund.id)).status);
    }
    expect(seen).toEqual(['pending', 'pending', 'processing', 'processing', 'succeeded']);
  });

  it('contract 5.7: of an amount ending in 13 it fails instead', async () => {
    const failing = [await world.refunded(id, 13), await world.refunded(id, 113)];
    const fine = await world.refunded(id, 131);
    await world.clock.advance(2999);
    for (const refund of [...failing, fine]) {
      expect(await world.refundNow(refund.id)).toMatchObject({ status: 'processing' });
    }
    await world.clock.advance(1);
    for (const refund of failing) {
      expect(await world.refundNow(refund.id)).toMatchObject({ status: 'failed', amount: refund.amount });
    }
    expect(await world.refundNow(fine.id)).toMatchObject({ status: 'succeeded' });
  });

  it('contract S5.1: failed: the reserved amount returns to the payment, to its steps and to the balance', async () => {
    const fee_schedule = {
      processing: { bps: 290, fixed: 30 },
      bank: { bps: 50, fixed: 0 },
      refund: { bps: 0, fixed: 25 },
    };
    world = createWorld();
    await world.control('account', { fee_schedule });
    const { id, unlock_schedule } = await world.paid();
    const before = await world.balance();
    expect(await world.refunded(id, 913)).toMatchObject({ refund_fee: 25 });
    // 913 + 25 is 938, two more than both steps hold.
    expect((await world.now(id)).unlock_schedule).toMatchObject([{ remaining: 0 }, { remaining: 0 }]);
    expect(await world.balance()).toEqual({ available: -2, locked: 0 });
    await world.clock.advance(3000);
    expect(await world.now(id)).toMatchObject({
      amount_refunded: 0,
      amount_refundable: NET,
      unlock_schedule,
    });
    expect(await world.balance()).toEqual(before);
    const [refund] = world.service.store.refunds.values();
    expect(refund?.deduction).toEqual({ steps: [], available: 0 });
    expect((await world.refund({ payment_intent: id, amount: NET })).status).toBe(200);
  });

  it('failed: a step that unlocked in the meantime still gets it back', async () => {
    await world.clock.advance(7 * DAY - 1000);
    await world.refunded(id, 113);
    await world.clock.advance(1000);
    expect(await world.balance()).toEqual({ available: 748 - 113, locked: 188 });
    await world.clock.advance(2000);
    expect(await world.balance()).toEqual({ available: 748, locked: 188 });
    expect((await world.now(id)).unlock_schedule).toMatchObject([{ deducted: 0, remaining: 748 }, {}]);
  });
});

describe('contract S6: refund amount rules', () => {
  it('contract S6.1: several times, each a part, while amount_refundable lasts', async () => {
    for (const [amount, left] of [
      [400, 536],
      [1, 535],
      [535, 0],
    ]) {
      expect((await world.refund({ payment_intent: id, amount })).status).toBe(200);
      expect(await world.now(id)).toMatchObject({
        amount_refundable: left,
        amount_refunded: NET - (left ?? 0),
      });
    }
    expect(await world.refund({ payment_intent: id, amount: 1 })).toMatchObject(
      refusedWith(400, 'refund_exceeds_remaining', 'amount'),
    );
  });

  it('contract S6.2: without an amount the whole amount_refundable; of nothing, refused', async () => {
    await world.refunded(id, 136);
    expect(await world.refunded(id)).toMatchObject({ amount: 800 });
    await expectRefusal(world.refund({ payment_intent: id }), 'refund_exceeds_remaining', 'amount');
  });

  it('contract S6.3: above amount_refundable gives 400 refund_exceeds_remaining, and nothing changes', async () => {
    expect(await world.refund({ payment_intent: id, amount: NET + 1 })).toMatchObject(
      refusedWith(400, 'refund_exceeds_remaining', 'amount'),
    );
    expect(await world.now(id)).toMatchObject({ amount_refunded: 0 });
    expect((await world.refund({ payment_intent: id, amount: NET })).status).toBe(200);
  });

  it.each([
    ['buyer', 1000],
    ['merchant', 936],
  ] as const)(
    'contract S6.4: fees are never refunded: fee bearer %s, at most %i of 1000',
    async (feeBearer, most) => {
      world = createWorld({ feeBearer });
      const { id } = await world.paid();
      expect(await world.now(id)).toMatchObject({ amount_refundable: most });
      await expectRefusal(world.refund({ payment_intent: id, amount: most + 1 }), 'refund_exceeds_remaining');
      expect(await world.refunded(id)).toMatchObject({ amount: most });
      await world.clock.advance(3000);
      expect(await world.now(id)).toMatchObject({
        amount_refunded: most,
        amount_refundable: 0,
        processing_fee: 59,
        bank_fee: 5,
      });
      expect(await world.balance()).toEqual({ available: 0, locked: 0 });
    },
  );

  describe('contract S6.5: balance effect', () => {
    const feeOf = (bps: number, fixed: number) => ({
      fee_schedule: {
        processing: { bps: 290, fixed: 30 },
        bank: { bps: 50, fixed: 0 },
        refund: { bps, fixed },
      },
    });

    it('from the locked step with the nearest unlock time first, then the next', async () => {
      await world.refunded(id, 700);
      expect((await world.now(id)).unlock_schedule).toMatchObject([
        { amount: 748, deducted: 700, remaining: 48 },
        { amount: 188, deducted: 0, remaining: 188 },
      ]);
      await world.refunded(id, 50);
      expect((await world.now(id)).unlock_schedule).toMatchObject([
        { amount: 748, deducted: 748, remaining: 0 },
        { amount: 188, deducted: 2, remaining: 186 },
      ]);
      expect(await world.balance()).toEqual({ available: 0, locked: 186 });
    });

    it('the nearest is the nearest in time, not the first in number', async () => {
      const { id, unlock_schedule } = await world.paid();
      const later = (unlock_schedule[1]?.available_at ?? 0) + 1800;
      await world.control(`payment_intents/${id}/unlock_steps/reschedule`, { step: 1, available_at: later });
      await world.refunded(id, 200);
      expect((await world.now(id)).unlock_schedule).toMatchObject([
        { step: 1, deducted: 12 },
        { step: 2, deducted: 188 },
      ]);
    });

    it('the refund fee after the refund amount, from the same steps, on top of what the buyer receives', async () => {
      await world.control('account', feeOf(100, 20));
      // 1 % of 750 is 7.5, rounded half up, and 20.
      expect(await world.refunded(id, 750)).toMatchObject({ amount: 750, refund_fee: 28 });
      expect(await world.now(id)).toMatchObject({
        amount_refunded: 750,
        amount_refundable: 186,
        unlock_schedule: [
          { deducted: 748, remaining: 0 },
          { deducted: 30, remaining: 158 },
        ],
      });
    });

    it('what no locked step can hold, from the available balance at once', async () => {
      await world.control('account', feeOf(0, 50));
      await world.clock.advance(7 * DAY);
      expect(await world.balance()).toEqual({ available: 748, locked: 188 });
      await world.refunded(id, 300);
      expect((await world.now(id)).unlock_schedule).toMatchObject([
        { deducted: 0, remaining: 748 },
        { deducted: 188, remaining: 0 },
      ]);
      expect(await world.balance()).toEqual({ available: 748 - 162, locked: 0 });
    });

    it('a step is locked until its very second', async () => {
      for (const [early, deducted] of [
        [1, 100],
        [0, 0],
      ] as const) {
        const world = createWorld();
        const { id } = await world.paid();
        await world.clock.advance(7 * DAY - early);
        await world.refunded(id, 100);
        expect((await world.now(id)).unlock_schedule[0]).toMatchObject({ deducted });
      }
    });

    it('in the currency of the payment', async () => {
      const { id } = await world.paid({ currency: 'eur' });
      await world.clock.advance(30 * DAY);
      await world.refunded(id, 36);
      expect((await world.server('GET', SERVER_ROUTES.balance)).body).toEqual({
        object: 'balance',
        available: [
          { amount: 936, currency: 'usd' },
          { amount: 900, currency: 'eur' },
        ],
        locked: [
          { amount: 0, currency: 'usd' },
          { amount: 0, currency: 'eur' },
        ],
      });
    });
  });
});

describe('contract S9: idempotency of refunds', () => {
  it('contract S9.2: same key and same body gives the same refund with its current status', async () => {
    const body = { payment_intent: id, amount: 100 };
    const first = await world.refund(body, withKey('k'));
    for (const [wait, status] of [
      [0, 'pending'],
      [1000, 'processing'],
      [2000, 'succeeded'],
    ] as const) {
      await world.clock.advance(wait);
      const again = await world.refund({ amount: 100, payment_intent: id }, withKey('k'));
      expect(again.body).toEqual({ ...Object(first.body), status });
    }
    expect(await world.now(id)).toMatchObject({ amount_refunded: 100 });
  });

  it('contract S9.2: the first result also where nothing could be refunded any more', async () => {
    const first = await world.refund({ payment_intent: id }, withKey('k'));
    expect((await world.refund({ payment_intent: id }, withKey('k'))).body).toEqual(first.body);
  });

  it('contract S9.3: with a different body, or used on the other route, 409 idempotency_key_reused', async () => {
    await world.refund({ payment_intent: id, amount: 100 }, withKey('refund'));
    await world.create(ORDER, withKey('payment'));
    for (const response of [
      await world.refund({ payment_intent: id, amount: 101 }, withKey('refund')),
      await world.refund({ payment_intent: id }, withKey('refund')),
      await world.refund({ payment_intent: id, amount: 100 }, withKey('payment')),
      await world.create(ORDER, withKey('refund')),
    ]) {
      expect(response).toMatchObject(refusedWith(409, 'idempotency_key_reused'));
    }
    expect(await world.now(id)).toMatchObject({ amount_refunded: 100 });
  });

  it('contract S9.1: refunds made on the dashboard share the key space', async () => {
    const dashboard = (body: unknown) => world.control(`payment_intents/${id}/refund`, body);
    const made = await dashboard({ amount: 100, idempotency_key: 'k' });
    expect(made).toMatchObject({ status: 200, body: { status: 'pending', amount: 100, payment_intent: id } });
    expect((await world.refund({ payment_intent: id, amount: 100 }, withKey('k'))).body).toEqual(made.body);
    await expectRefusal(dashboard({ amount: 200, idempotency_key: 'k' }), 'idempotency_key_reused');
    expect((await dashboard({})).body).toMatchObject({ amount: NET - 100 });
    expect(await dashboard({ amount: 0 })).toMatchObject(refusedWith(400, 'invalid_amount', 'amount'));
    await expectRefusal(dashboard({ idempotency_key: '' }), 'validation_error', 'idempotency_key');
  });
});

describe('contract S8.7: list refunds', () => {
  it('contract 5.2: newest first, of all payments or of one, by limit and starting_after', async () => {
    const [one, two] = [await world.paid(), await world.paid()];
    const a = await world.refunded(one.id, 1);
    const b = await world.refunded(two.id, 2);
    const c = await world.refunded(one.id, 3);
    const list = async (query: string) => (await world.refunds(query)).body;
    expect(await list('')).toEqual({ object: 'list', data: [c, b, a], has_more: false });
    expect(await list('?limit=2')).toMatchObject({ data: [c, b], has_more: true });
    expect(await list(`?limit=1&starting_after=${b.id}`)).toMatchObject({ data: [a], has_more: false });
    expect(await list(`?payment_intent=${one.id}`)).toMatchObject({ data: [c, a], has_more: false });
    expect(await list(`?payment_intent=${one.id}&limit=1`)).toMatchObject({ data: [c], has_more: true });
  });

  it.each([
    ['?starting_after=lg_re_none', 'starting_after'],
    ['?payment_intent=', 'payment_intent'],
    ['?order_reference=A-1', 'order_reference'],
  ])('%s gives 400 validation_error', async (query, param) => {
    expect(await createWorld().refunds(query)).toMatchObject(refusedWith(400, 'validation_error', param));
  });

  it('says that starting_after is no refund', async () => {
    const { text } = await createWorld().refunds('?starting_after=lg_re_none');
    expect(text).toContain('got an id of no refund of this account');
  });

  it('ours: of a payment that does not exist 404, since an empty page would say it was never refunded', async () => {
    await expectRefusal(createWorld().refunds('?payment_intent=lg_pi_none'), 'payment_intent_not_found');
  });
});
