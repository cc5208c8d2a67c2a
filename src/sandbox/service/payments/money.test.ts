import { beforeEach, describe, expect, it } from 'vitest';
import { SERVER_ROUTES } from '../../../api/routes.ts';
import {
  confirmBody,
  createWorld,
  expectRefusal,
  refusedWith,
  type SandboxWorld,
} from '../sandbox.fixture.ts';

let world: SandboxWorld;
beforeEach(() => {
  world = createWorld();
});

const DAY = 86_400;
/** 1000 costs 59 and 5. The merchant gets 936: 748 after 7 days and 188 after 30. */
const steps = (world: SandboxWorld, id: string) =>
  world.now(id).then(({ unlock_schedule }) => unlock_schedule);

describe('contract S3.7: unlock schedule step', () => {
  it('contract S4.2: empty until the payment succeeds, copied from the account then', async () => {
    const intent = await world.intent();
    expect(await steps(world, intent.id)).toEqual([]);
    await world.control('account', {
      unlock_schedule: [
        { days: 0, percent_bps: 3333 },
        { days: 1, percent_bps: 3333 },
        { days: 2, percent_bps: 3334 },
      ],
    });
    const at = world.clock.now() / 1000;
    await world.client('confirm', confirmBody(intent));
    const step = { deducted: 0, rescheduled: false };
    expect(await steps(world, intent.id)).toEqual([
      { ...step, step: 1, days: 0, percent_bps: 3333, available_at: at, amount: 311, remaining: 311 },
      { ...step, step: 2, days: 1, percent_bps: 3333, available_at: at + DAY, amount: 311, remaining: 311 },
      {
        ...step,
        step: 3,
        days: 2,
        percent_bps: 3334,
        available_at: at + 2 * DAY,
        amount: 314,
        remaining: 314,
      },
    ]);
  });

  it('a later change of the account changes no payment that has succeeded, seen since or not', async () => {
    const paid = await world.paid();
    const intent = await world.intent();
    await world.client('confirm', confirmBody(intent, '4000000000010001'));
    await world.clock.advance(3000);
    await world.control('account', { unlock_schedule: [{ days: 90, percent_bps: 10_000 }] });
    expect(await steps(world, paid.id)).toMatchObject([{ days: 7 }, { days: 30 }]);
    expect(await steps(world, intent.id)).toMatchObject([{ days: 7 }, { days: 30 }]);
    expect((await world.paid()).unlock_schedule).toMatchObject([{ days: 90 }]);
  });

  it('days: null for payments of before unlock schedules: one step with everything, at the next mark', async () => {
    await world.control('account', { unlock_schedule: null });
    await world.clock.advance(1000);
    const { id, unlock_schedule, succeeded_at } = await world.paid();
    expect(unlock_schedule).toEqual([
      {
        step: 1,
        days: null,
        percent_bps: 10_000,
        available_at: (succeeded_at ?? 0) + 1799,
        amount: 936,
        deducted: 0,
        remaining: 936,
        rescheduled: false,
      },
    ]);
    await world.refunded(id, 100);
    expect(await steps(world, id)).toMatchObject([{ deducted: 100, remaining: 836 }]);
    expect(await world.balance()).toEqual({ available: 0, locked: 836 });
    await world.clock.advance(1_799_000);
    expect(await world.balance()).toEqual({ available: 836, locked: 0 });
  });
});

describe('unlock steps by control routes', () => {
  const setUp = async () => {
    const world = createWorld();
    await world.clock.advance(1000);
    const { id, unlock_schedule } = await world.paid();
    const move = (how: 'release' | 'reschedule', body: unknown) =>
      world.control(`payment_intents/${id}/unlock_steps/${how}`, body);
    return { world, id, move, before: unlock_schedule };
  };

  it('released early: available now, at whatever minute, and rescheduled', async () => {
    const { world, id, move, before } = await setUp();
    await world.clock.advance(123_000);
    const now = world.clock.now() / 1000;
    const response = await move('release', { step: 2 });
    expect(response.status).toBe(200);
    expect(response.body).toEqual(await world.now(id));
    expect(await steps(world, id)).toEqual([
      before[0],
      { ...before[1], available_at: now, rescheduled: true },
    ]);
    expect(await world.balance()).toEqual({ available: 188, locked: 748 });
    // Available money no longer belongs to a locked step (contract S6.5).
    await world.refunded(id, 800);
    expect(await world.balance()).toEqual({ available: 188 - 52, locked: 0 });
  });

  it('rescheduled, earlier or later: the service changed its unlock time', async () => {
    const { world, id, move, before } = await setUp();
    const [first] = before;
    const at = (first?.available_at ?? 0) - 1800;
    expect((await move('reschedule', { step: 1, available_at: at })).status).toBe(200);
    expect(await steps(world, id)).toEqual([{ ...first, available_at: at, rescheduled: true }, before[1]]);
    await move('reschedule', { step: 1, available_at: at + DAY });
    await world.clock.advance(7 * DAY * 1000);
    expect(await world.balance()).toEqual({ available: 0, locked: 936 });
    await world.clock.advance(DAY * 1000);
    expect(await world.balance()).toEqual({ available: 748, locked: 188 });
  });

  it('to its own time it is not rescheduled', async () => {
    const { world, id, move, before } = await setUp();
    await move('reschedule', { step: 1, available_at: before[0]?.available_at });
    expect(await steps(world, id)).toEqual(before);
  });

  it('only a locked step, to a future mark', async () => {
    const { world, id, move, before } = await setUp();
    const mark = before[0]?.available_at ?? 0;
    const now = Math.floor(world.clock.now() / 1000);
    const past = Math.floor(now / 1800) * 1800;
    for (const [how, body, param] of [
      ['release', { step: 3 }, 'step'],
      ['release', { step: 0 }, 'step'],
      ['release', {}, 'step'],
      ['reschedule', { step: 3, available_at: mark }, 'step'],
      ['reschedule', { step: 1, available_at: mark + 1 }, 'available_at'],
      ['reschedule', { step: 1, available_at: past }, 'available_at'],
      ['reschedule', { step: 1 }, 'available_at'],
    ] as const) {
      expect(await move(how, body)).toMatchObject(refusedWith(400, 'validation_error', param));
    }
    expect(await steps(world, id)).toEqual(before);
    await world.clock.advance((mark - now) * 1000);
    expect(await move('release', { step: 1 })).toMatchObject(refusedWith(400, 'validation_error', 'step'));
    expect(await move('reschedule', { step: 1, available_at: mark + 1800 })).toMatchObject(
      refusedWith(400, 'validation_error', 'step'),
    );
    expect(await world.control('payment_intents/none/unlock_steps/release', { step: 1 })).toMatchObject(
      refusedWith(404, 'payment_intent_not_found'),
    );
  });
});

describe('contract 5.4: balance', () => {
  it('of an account without payments: nothing, in every currency', async () => {
    const none = [
      { amount: 0, currency: 'usd' },
      { amount: 0, currency: 'eur' },
    ];
    expect((await createWorld().server('GET', SERVER_ROUTES.balance)).body).toEqual({
      object: 'balance',
      available: none,
      locked: none,
    });
  });

  it("a payment brings amount_total less both fees, locked until each step's own moment", async () => {
    await world.intent();
    await world.paid();
    const seen = [await world.balance()];
    for (const days of [7, 23]) {
      await world.clock.advance(days * DAY * 1000 - 1);
      seen.push(await world.balance());
      await world.clock.advance(1);
      seen.push(await world.balance());
    }
    expect(seen).toEqual([
      { available: 0, locked: 936 },
      { available: 0, locked: 936 },
      { available: 748, locked: 188 },
      { available: 748, locked: 188 },
      { available: 936, locked: 0 },
    ]);
  });
});

describe('contract 5.3: fee quotes', () => {
  const quote = (world: SandboxWorld, body: unknown) => world.server('POST', SERVER_ROUTES.feeQuotes, body);

  it.each(['merchant', 'buyer'] as const)(
    'fee bearer %s: exactly what create then charges',
    async (feeBearer) => {
      world = createWorld({ feeBearer });
      const { body, status } = await quote(world, { amount: 1000, currency: 'eur' });
      expect(status).toBe(200);
      expect(body).toEqual({
        object: 'fee_quote',
        amount: 1000,
        currency: 'eur',
        fee_bearer: feeBearer,
        processing_fee: 59,
        bank_fee: 5,
        fee_buyer: feeBearer === 'buyer' ? 64 : 0,
        amount_total: feeBearer === 'buyer' ? 1064 : 1000,
      });
      const { object: _, ...figures } = Object(body);
      expect(await world.intent({ currency: 'eur' })).toMatchObject(figures);
      expect(world.service.store.intents.size).toBe(1);
    },
  );

  it.each([
    [{ amount: 1000 }, 'validation_error', 'currency'],
    [{ amount: 1000, currency: 'gbp' }, 'unsupported_currency', 'currency'],
    [{ amount: 99.5, currency: 'usd' }, 'invalid_amount', 'amount'],
    [{ amount: 99, currency: 'usd' }, 'amount_too_small', 'amount'],
    [{ amount: 100_000_000, currency: 'usd' }, 'amount_too_large', 'amount'],
  ])('the codes of create: %j gives 400 %s', async (body, code, param) => {
    expect(await quote(createWorld(), body)).toMatchObject(refusedWith(400, code, param));
  });

  it('500 fee_plan_not_configured without a fee schedule; ours: a suspended account may ask', async () => {
    await world.control('account', { suspended: true, approved: false });
    expect((await quote(world, { amount: 1000, currency: 'usd' })).status).toBe(200);
    await world.control('account', { fee_schedule: null });
    await expectRefusal(quote(world, { amount: 1000, currency: 'usd' }), 'fee_plan_not_configured');
  });
});
