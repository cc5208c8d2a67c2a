/**
 * The ledger must find what a walk through all payments and refunds would find. Lists and balances are compared with a
 * plain computation over the rows, and the order in which outcomes apply with a world that settles by such a walk.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Balance, CURRENCIES } from '../../../api/schemas.ts';
import { runs } from '../../../proof/fuzz.ts';
import { accountOf } from '../accounts/accounts.ts';
import { isLocked } from '../accounts/unlock.ts';
import { confirmBody, createWorld, type SandboxWorld } from '../sandbox.fixture.ts';
import type { Account, IntentRecord } from '../store/records.ts';
import { balanceOf } from './balance.ts';
import { confirm } from './confirm.ts';
import { settleAll } from './current.ts';
import { listIntents } from './intents.ts';
import { createLedger } from './ledger.ts';
import { settleRefunds } from './refund-transitions.ts';
import { listRefunds } from './refunds.ts';
import { settle } from './transitions.ts';
import { refundView, serverView } from './views.ts';

const CARDS = {
  succeeds: '4242424242424242',
  'succeeds later': '4000000000010001',
  'fails later': '4000000000010019',
  'never ends': '4000000000010100',
};

const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      account: fc.nat(),
      card: fc.constantFrom(
        CARDS.succeeds,
        CARDS['succeeds later'],
        CARDS['fails later'],
        CARDS['never ends'],
      ),
      amount: fc.integer({ min: 200, max: 100_000 }),
      currency: fc.constantFrom('usd' as const, 'eur' as const),
      reference: fc.constantFrom('A', 'B', 'C'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      payment: fc.nat(),
      percent: fc.integer({ min: 1, max: 100 }),
      fails: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.constantFrom(500, 999, 1000, 2000, 3000, 5000),
        fc.integer({ min: 1, max: 35 }).map((days) => days * 86_400_000),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), payment: fc.nat() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refer' as const),
      payment: fc.nat(),
      reference: fc.constantFrom('A', 'B', 'C'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('release' as const),
      payment: fc.nat(),
      step: fc.integer({ min: 1, max: 2 }),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

/** Applies outcomes by a walk through all rows, newest first. */
const settleByWalk = ({ service }: SandboxWorld): void => {
  const now = service.clock.now();
  for (const { id } of [...service.store.intents.values()].reverse()) {
    const intent = service.store.intents.get(id);
    if (intent !== undefined) settle(service, intent, now, service.holdFailedAttempts);
  }
  settleRefunds(service, now);
};

const pageByWalk = <Item extends { id: string }>(
  own: readonly Item[],
  limit: number,
  after: string | undefined,
  matches: (item: Item) => boolean,
) => {
  const rest = own.slice(own.findIndex(({ id }) => id === after) + 1).filter(matches);
  return { ids: rest.slice(0, limit).map(({ id }) => id), has_more: rest.length > limit };
};

const balanceByWalk = ({ service }: SandboxWorld, account: Account): Balance => {
  const now = service.clock.now();
  const own = <Row extends { account: string }>(rows: Iterable<Row>) =>
    [...rows].filter((row) => row.account === account.id);
  const steps = (currency: string, locked: boolean) =>
    own(service.store.intents.values())
      .filter((intent) => intent.currency === currency)
      .flatMap((intent) => intent.unlock_schedule)
      .filter((step) => isLocked(step, now) === locked)
      .reduce((total, { remaining }) => total + remaining, 0);
  const taken = (currency: string) =>
    own(service.store.refunds.values())
      .filter((refund) => refund.currency === currency)
      .reduce((total, { deduction }) => total + deduction.available, 0);
  return {
    object: 'balance',
    available: CURRENCIES.map((currency) => ({ amount: steps(currency, false) - taken(currency), currency })),
    locked: CURRENCIES.map((currency) => ({ amount: steps(currency, true), currency })),
  };
};

const statusesByWalk = ({ service }: SandboxWorld) => {
  const statuses = { pending: 0, processing: 0, succeeded: 0, canceled: 0 };
  for (const { status } of service.store.intents.values()) statuses[status] += 1;
  return statuses;
};

const idsOf = ({ data, has_more }: { data: { id: string }[]; has_more: boolean }) => ({
  ids: data.map(({ id }) => id),
  has_more,
});

const assertListed = (world: SandboxWorld, account: Account, limit: number, from: number): void => {
  const { service } = world;
  const page = (params: Record<string, string | undefined>) =>
    new URLSearchParams(
      Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
  const intents = [...service.store.intents.values()].reverse().filter((one) => one.account === account.id);
  const after = intents[from % (intents.length + 1)]?.id;
  for (const reference of [undefined, 'A', 'C']) {
    const query = page({ limit: `${limit}`, starting_after: after, order_reference: reference });
    const matches = (one: IntentRecord) => reference === undefined || one.order_reference === reference;
    const listed = listIntents(service, account, query);
    expect(idsOf(listed)).toEqual(pageByWalk(intents, limit, after, matches));
    expect(listed.data).toEqual(
      listed.data.map(({ id }) => intents.find((one) => one.id === id)).map((one) => one && serverView(one)),
    );
  }
  const refunds = [...service.store.refunds.values()].reverse().filter((one) => one.account === account.id);
  const last = refunds[from % (refunds.length + 1)]?.id;
  for (const payment of [undefined, intents.at(-1)?.id]) {
    const listed = listRefunds(
      service,
      account,
      page({ limit: `${limit}`, starting_after: last, payment_intent: payment }),
    );
    const matches = (one: { payment_intent: string }) =>
      payment === undefined || one.payment_intent === payment;
    expect(idsOf(listed)).toEqual(pageByWalk(refunds, limit, last, matches));
    expect(listed.data).toEqual(
      listed.data.map(({ id }) => refunds.find((one) => one.id === id)).map((one) => one && refundView(one)),
    );
  }
};

const play = async (world: SandboxWorld, others: { id: string; secret: string }, one: Command) => {
  const ids = [...world.service.store.intents.keys()];
  const keysOf = (id: string) =>
    world.service.store.intents.get(id)?.account === 'sandbox' ? world.sandbox.keys : others;
  const chosen = 'payment' in one ? ids[one.payment % ids.length] : undefined;
  switch (one.kind) {
    case 'pay': {
      const keys = one.account % 3 === 0 ? others : world.sandbox.keys;
      const { amount, currency, reference } = one;
      const intent = await world.intent(
        { amount, currency, order_reference: reference },
        { key: keys.secret },
      );
      const account = accountOf(world.service.store, { account: keys === others ? others.id : 'sandbox' });
      // Not over HTTP, which answers a running attempt only after it has ended.
      confirm(world.service, account, confirmBody(intent, one.card));
      return;
    }
    case 'refund': {
      if (chosen === undefined) return;
      const left = world.service.store.intents.get(chosen)?.amount_total ?? 0;
      const part = Math.max(1, Math.floor((left * one.percent) / 100));
      const amount = one.fails ? Math.floor(part / 100) * 100 + 13 : part;
      await world.refund({ payment_intent: chosen, amount }, { key: keysOf(chosen).secret });
      return;
    }
    case 'wait':
      // A test's clock lets each outcome apply at its own time. This shift leaves them to the next read.
      world.service.clock.shift(one.ms);
      return;
    case 'cancel':
      if (chosen !== undefined) await world.control(`payment_intents/${chosen}/cancel`, {});
      return;
    case 'refer':
      if (chosen !== undefined)
        await world.update(chosen, { order_reference: one.reference }, { key: keysOf(chosen).secret });
      return;
    case 'release':
      if (chosen !== undefined)
        await world.control(`payment_intents/${chosen}/unlock_steps/release`, { step: one.step });
      return;
    default:
      one satisfies never;
  }
};

const rowsOf = ({ service: { store } }: SandboxWorld) => ({
  intents: [...store.intents.values()],
  refunds: [...store.refunds.values()],
  charges: store.charges,
  events: [...store.events.values()].map(({ type, created, object }) => ({ type, created, id: object.id })),
});

it('contract S8.2: limit, S8.2: starting_after, S8.2: order_reference, contract S10.1 and 5.4: lists and balances are those of a walk through all payments and refunds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(0, 2),
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
      async (commands, attemptSeconds, holdFailedAttempts, limit, from) => {
        const options = { seed: 7, attemptSeconds, holdFailedAttempts };
        const world = createWorld(options);
        const walked = createWorld(options);
        const others = [await world.account(), await walked.account()] as const;
        for (const one of commands) {
          await play(world, others[0], one);
          await play(walked, others[1], one);
          // There is no await after the shift of the clock, so the scheduler has not applied the outcomes yet.
          settleAll(world.service);
          settleByWalk(walked);
          expect(rowsOf(world)).toEqual(rowsOf(walked));
          expect(world.service.ledger.statuses()).toEqual(statusesByWalk(world));
          for (const account of world.service.store.accounts.values()) {
            assertListed(world, account, limit, from);
            expect(balanceOf(world.service, account)).toEqual(balanceByWalk(world, account));
          }
        }
        const again = { ...world.service, ledger: createLedger(world.service.store) };
        expect(again.ledger.statuses()).toEqual(statusesByWalk(world));
        for (const account of world.service.store.accounts.values())
          expect(balanceOf(again, account)).toEqual(balanceOf(world.service, account));
      },
    ),
    { numRuns: runs(30) },
  );
});
