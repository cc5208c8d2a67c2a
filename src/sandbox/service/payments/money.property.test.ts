/**
 * Money must add up after any sequence of payments, refunds, failures, clock moves and setting changes. The invariants
 * are computed from the contract's rules, not with the service's code.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SERVER_ROUTES } from '../../../api/routes.ts';
import { Balance, List, PaymentIntent, Refund } from '../../../api/schemas.ts';
import { runs } from '../../../proof/fuzz.ts';
import { confirmBody, createWorld, ORDER, type SandboxWorld } from '../sandbox.fixture.ts';

const CARDS = {
  succeeds: '4242424242424242',
  'succeeds later': '4000000000010001',
  'fails later': '4000000000010019',
  declined: '4000000000000002',
} as const;

/** The commands. Numbers that select a payment, a step or a share are taken modulo the available count. */
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      amount: fc.oneof(fc.integer({ min: 100, max: 5000 }), fc.integer({ min: 100, max: 90_000_000 })),
      currency: fc.constantFrom('usd' as const, 'eur' as const),
      card: fc.constantFrom(
        CARDS.succeeds,
        CARDS.succeeds,
        CARDS['succeeds later'],
        CARDS['fails later'],
        CARDS.declined,
      ),
      lines: fc.array(
        fc.record({
          thousandths: fc.integer({ min: 1, max: 1_000_000_000 }),
          unit_amount: fc.integer({ min: 0, max: 99_999_999 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      payment: fc.nat(),
      /** A percentage of the refundable amount; above 100 it exceeds that amount. `null` refunds everything. */
      percent: fc.option(fc.integer({ min: 0, max: 120 })),
      /** Makes the amount end in 13, so that the refund fails. */
      fails: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.constantFrom(999, 1000, 2999, 3000, 31 * 86_400_000),
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 0, max: 31 * 48 }).map((halfHours) => halfHours * 1_800_000),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      payment: fc.nat(),
      step: fc.integer({ min: 1, max: 3 }),
      /** Half hours from now; `null` releases immediately. */
      halfHours: fc.option(fc.integer({ min: 1, max: 3000 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('settings' as const),
      fee_bearer: fc.constantFrom('merchant', 'buyer'),
      fee_schedule: fc.record({
        processing: fc.record({
          bps: fc.integer({ min: 0, max: 400 }),
          fixed: fc.integer({ min: 0, max: 30 }),
        }),
        bank: fc.record({ bps: fc.integer({ min: 0, max: 100 }), fixed: fc.integer({ min: 0, max: 10 }) }),
        refund: fc.record({ bps: fc.integer({ min: 0, max: 500 }), fixed: fc.integer({ min: 0, max: 50 }) }),
      }),
      unlock_schedule: fc.constantFrom(
        null,
        [{ days: 0, percent_bps: 10_000 }],
        [
          { days: 1, percent_bps: 3333 },
          { days: 1, percent_bps: 3333 },
          { days: 14, percent_bps: 3334 },
        ],
      ),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never;

const CURRENCIES = ['usd', 'eur'] as const;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const netOf = (intent: PaymentIntent) => intent.amount_total - intent.processing_fee - intent.bank_fee;

const everything = async (world: SandboxWorld) => ({
  now: world.clock.now(),
  intents: List(PaymentIntent).parse((await world.list('?limit=100')).body).data,
  refunds: List(Refund).parse((await world.refunds('?limit=100')).body).data,
  balance: Balance.parse((await world.server('GET', SERVER_ROUTES.balance)).body),
});
type Everything = Awaited<ReturnType<typeof everything>>;

/** The invariants that hold after every command. */
const assertAddsUp = (world: SandboxWorld, { now, intents, refunds, balance }: Everything) => {
  for (const intent of intents) {
    const { amount, amount_total, fee_buyer, processing_fee, bank_fee, unlock_schedule } = intent;
    const net = netOf(intent);
    const counted = refunds.filter(
      ({ payment_intent, status }) => payment_intent === intent.id && status !== 'failed',
    );
    expect(fee_buyer).toBe(intent.fee_bearer === 'buyer' ? processing_fee + bank_fee : 0);
    expect(amount_total).toBe(amount + fee_buyer);
    expect(intent.amount_refunded).toBe(sum(counted.map((refund) => refund.amount)));
    expect(intent.amount_refundable).toBe(intent.status === 'succeeded' ? net - intent.amount_refunded : 0);
    expect(intent.amount_refundable).toBeGreaterThanOrEqual(0);
    // Declared figures, with big integers: the largest line exceeds 2^53.
    const declared = intent.items.reduce((total, { quantity, unit_amount, amount: line }) => {
      const exact = BigInt(Math.round(quantity * 1000)) * BigInt(unit_amount);
      expect(BigInt(line)).toBe((2n * exact + 1000n) / 2000n);
      return total + BigInt(line);
    }, 0n);
    expect(BigInt(intent.items_difference)).toBe(BigInt(amount) - declared);

    expect(unlock_schedule.length > 0).toBe(intent.status === 'succeeded');
    if (intent.status === 'succeeded') {
      expect(sum(unlock_schedule.map((step) => step.amount))).toBe(net);
      expect(sum(unlock_schedule.map((step) => step.percent_bps))).toBe(10_000);
    }
    for (const step of unlock_schedule) {
      expect(step.remaining).toBe(step.amount - step.deducted);
      expect(step.deducted).toBeGreaterThanOrEqual(0);
      expect(step.remaining).toBeGreaterThanOrEqual(0);
    }
  }

  const { charges } = world.service.store;
  const paid = intents.filter(({ status }) => status === 'succeeded');
  expect(charges.map(({ intent, amount }) => `${intent} ${amount}`).sort()).toEqual(
    paid.map(({ id, amount_total }) => `${id} ${amount_total}`).sort(),
  );
  for (const currency of CURRENCIES) {
    const of = (sums: Balance['available']) =>
      sums.find((one) => one.currency === currency)?.amount ?? Number.NaN;
    const own = paid.filter((intent) => intent.currency === currency);
    const came = sum(own.map(netOf));
    const went = sum(
      refunds
        .filter((refund) => refund.currency === currency && refund.status !== 'failed')
        .map((refund) => refund.amount + refund.refund_fee),
    );
    const locked = own
      .flatMap(({ unlock_schedule }) => unlock_schedule)
      .filter(({ available_at }) => available_at * 1000 > now);
    expect(of(balance.available) + of(balance.locked)).toBe(came - went);
    expect(of(balance.locked)).toBe(sum(locked.map(({ remaining }) => remaining)));
  }
};

const at = <Value>(values: readonly Value[], place: number): Value | undefined =>
  values[place % values.length];

/** Rule 5: compares the state before and after one refund. */
const assertDeducted = (before: PaymentIntent, after: PaymentIntent, taken: number, now: number) => {
  const changes = after.unlock_schedule.map((step, index) => ({
    ...step,
    taken: step.deducted - (before.unlock_schedule[index]?.deducted ?? 0),
    held: before.unlock_schedule[index]?.remaining ?? 0,
    locked: step.available_at * 1000 > now,
  }));
  const held = sum(changes.filter(({ locked }) => locked).map((step) => step.held));
  expect(sum(changes.map((step) => step.taken))).toBe(Math.min(taken, held));
  for (const step of changes) {
    if (!step.locked) expect(step.taken).toBe(0);
    const nearer = changes.filter((one) => one.locked && one.available_at < step.available_at);
    if (step.taken > 0) expect(nearer.filter(({ remaining }) => remaining > 0)).toEqual([]);
  }
};

const play = async (world: SandboxWorld, { intents, now }: Everything, what: Action) => {
  switch (what.kind) {
    case 'wait':
      return world.clock.advance(what.ms);
    case 'settings': {
      const { kind: _, ...settings } = what;
      expect((await world.control('account', settings)).status).toBe(200);
      return;
    }
    case 'pay': {
      const { amount, currency, card, lines } = what;
      const items = lines.map(({ thousandths, unit_amount }) => ({
        name: 'Thing',
        quantity: thousandths / 1000,
        unit_amount,
      }));
      const created = await world.create({ ...ORDER, amount, currency, items });
      expect(created.status).toBe(200);
      const intent = PaymentIntent.parse(created.body);
      await world.client(
        'confirm',
        confirmBody({ ...intent, client_secret: intent.client_secret ?? '' }, card),
      );
      return;
    }
    case 'move': {
      const intent = at(intents, what.payment);
      if (intent === undefined) return;
      const { step, halfHours } = what;
      const mark = (Math.floor(now / 1_800_000) + (halfHours ?? 0)) * 1800;
      const [how, body] =
        halfHours === null ? ['release', { step }] : ['reschedule', { step, available_at: mark }];
      const { status } = await world.control(`payment_intents/${intent.id}/unlock_steps/${how}`, body);
      expect([200, 400]).toContain(status);
      return;
    }
    case 'refund': {
      const before = at(intents, what.payment);
      if (before === undefined) return;
      const share =
        what.percent === null ? null : Math.floor((before.amount_refundable * what.percent) / 100);
      const amount = share === null ? undefined : what.fails ? share - (share % 100) + 13 : share;
      const response = await world.refund({ payment_intent: before.id, amount });
      const expected =
        amount === 0
          ? 'invalid_amount'
          : before.status !== 'succeeded'
            ? 'payment_not_refundable'
            : (amount ?? 1) > before.amount_refundable
              ? 'refund_exceeds_remaining'
              : undefined;
      if (expected !== undefined) {
        expect(response).toMatchObject({ status: 400, body: { error: { code: expected } } });
        return;
      }
      const refund = Refund.parse(response.body);
      expect(refund.amount).toBe(amount ?? before.amount_refundable);
      const after = await world.now(before.id);
      assertDeducted(before, after, refund.amount + refund.refund_fee, now);
    }
  }
};

it('contract S3.1, S3.7 and S6.1 to S6.5: fees, items, refunds and steps add up, and the balance is what came less what went, after any sequence', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 25, size: 'max' }), async (actions) => {
      const world = createWorld({ serverRateLimit: 1_000_000, clientRateLimit: 1_000_000 });
      await world.paid();
      let state = await everything(world);
      for (const one of actions) {
        await play(world, state, one);
        state = await everything(world);
        assertAddsUp(world, state);
      }
      await world.clock.advance(3000);
      state = await everything(world);
      assertAddsUp(world, state);
      for (const { status, amount } of state.refunds) {
        expect(status).toBe(amount % 100 === 13 ? 'failed' : 'succeeded');
        seen.add(status);
      }
      for (const { deduction } of world.service.store.refunds.values()) {
        if (deduction.available > 0) seen.add('from the available balance');
        if (deduction.steps.length > 1) seen.add('from several steps');
      }
    }),
    { numRuns: runs(60) },
  );
  // The run must include the relevant cases: refusals alone would prove nothing.
  expect([...seen].sort()).toEqual([
    'failed',
    'from several steps',
    'from the available balance',
    'succeeded',
  ]);
}, 120_000);
