/**
 * The possible course of a payment, as data. A plan is generated at random, run, and shrunk if it breaks an invariant.
 */
import fc from 'fast-check';
import type { Fault } from '../../sandbox/service/faults/fault.ts';
import { fault } from './fault-arbitraries.ts';
import type { TabSupport } from './shared-tabs.ts';

/** Start of a plan: 0 of its clock, in ms since 1970. */
export const NEW_YEAR = Date.UTC(2026, 0, 1);

/** Actions of buyer, merchant and browser. Tabs are numbered in the order they were opened. */
export type PlannedAction =
  | { do: 'wait'; ms: number }
  /**
   * A calm buyer waits until Pay is offered (pressing "Try again" if that is offered), looks at the form for a moment
   * and presses. A hasty one presses immediately, perhaps too early. `everywhere`: in every open tab at the same
   * moment.
   */
  | { do: 'press'; tab: number; times: number; calm: boolean; everywhere: boolean }
  | { do: 'retry'; tab: number }
  | { do: 'type_card'; tab: number; number: string }
  /** For `ms`, while the plan continues: hidden, frozen (no script runs), or offline. */
  | { do: 'hide' | 'freeze' | 'offline'; tab: number; ms: number }
  | { do: 'reload'; tab: number }
  /** Closes the tab or unmounts the form, which makes no difference to the form. */
  | { do: 'close'; tab: number }
  | { do: 'open' }
  | { do: 'restore'; tab: number }
  | { do: 'refresh'; tab: number }
  /**
   * The page puts another intent of the order into the form, with an amount that differs by `by`. An honest server
   * cancels the former one first, and swaps only if that worked; otherwise both stay payable.
   */
  | { do: 'swap'; tab: number; by: number; cancels: boolean }
  /** No read is answered for `ms`, during which nothing else happens. */
  | { do: 'outage'; ms: number }
  | { do: 'change_amount'; by: number }
  | { do: 'cancel' };

export type PlannedBeforePay = { does: 'allow' | 'refuse' | 'fail' | 'nothing' | 'raise'; afterMs: number };

export type Plan = {
  attempts: number;
  holdFailedAttempts: boolean;
  /**
   * How long an attempt runs, in seconds, and how reads report it meanwhile: by the status, by `attempt_in_progress`,
   * or not at all, which contract 4.6 forbids but which must not endanger money.
   */
  attempt: { seconds: number; told: 'status' | 'word' | 'nothing' };
  card: string;
  tabSupport: TabSupport;
  /**
   * The result of the page's `fetchClientSecret`: the secret of another intent, of the same one, or none. Null if the
   * page passes `clientSecret` instead.
   */
  renewal: { gives: 'another' | 'the same' | 'none'; afterMs: number } | null;
  /**
   * The actions of the page's `beforePay`, one per press that the page is asked about, then `allow`; null if the page
   * has none. `raise`: the merchant's server changes the amount, and the page calls `refresh()` before it allows.
   */
  beforePay: readonly PlannedBeforePay[] | null;
  actions: readonly PlannedAction[];
  /** One per request of a route, in the order in which they reach the service; `{}` is no fault. */
  faults: { retrieve: readonly Fault[]; confirm: readonly Fault[]; release: readonly Fault[] };
};

/** Test numbers from contract 6. */
export const CARDS = [
  '4242424242424242',
  '4000000000000002',
  '4000000000009995',
  '4000000000000119',
  '4000000000010001',
  '4000000000010019',
  '4000000000010027',
  '4000000000010035',
  '4000000000010043',
  '4000000000010050',
  '4000000000010068',
  '4000000000010076',
  '4000000000010084',
  '4000000000010092',
  '4000000000010118',
  '4000000000010126',
] as const;

const tab = fc.nat(2);
const pause = fc.oneof(
  fc.constantFrom(10, 499, 600, 1500, 5000, 21_000),
  fc.integer({ min: 0, max: 90_000 }),
);

const action: fc.Arbitrary<PlannedAction> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: pause }) },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('press' as const),
      tab,
      times: fc.integer({ min: 1, max: 2 }),
      calm: fc.nat(5).map((n) => n > 0),
      everywhere: fc.nat(3).map((n) => n === 3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), tab }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('type_card' as const), tab, number: fc.constantFrom(...CARDS) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('hide' as const, 'freeze' as const, 'offline' as const),
      tab,
      ms: pause,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reload' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), tab }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('open' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refresh' as const), tab }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('swap' as const),
      tab,
      by: fc.constantFrom(0, 100, -100),
      cancels: fc.boolean(),
    }),
  },
  {
    weight: 1,
    // During the longer one, the form gives up (outcomes 2.4).
    arbitrary: fc.record({ do: fc.constant('outage' as const), ms: fc.constantFrom(60_000, 900_000) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change_amount' as const),
      by: fc.integer({ min: -200, max: 200 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const) }) },
);

/** Any plan. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  attempts: fc.integer({ min: 1, max: 5 }),
  holdFailedAttempts: fc.boolean(),
  attempt: fc.record({
    seconds: fc.constantFrom(0, 0, 0, 1, 7, 30, 120),
    told: fc.constantFrom<Plan['attempt']['told'][]>('status', 'word', 'nothing'),
  }),
  card: fc.constantFrom(...CARDS),
  tabSupport: fc.constantFrom<TabSupport[]>('present', 'present', 'present', 'absent', 'failing', 'mute'),
  renewal: fc.option(
    fc.record({
      gives: fc.constantFrom<('another' | 'the same' | 'none')[]>('another', 'another', 'the same', 'none'),
      afterMs: fc.constantFrom(0, 0, 0, 0, 0, 2000, 2000, 2000, 40_000),
    }),
    { freq: 2 },
  ),
  beforePay: fc.option(
    fc.array(
      fc.record({
        does: fc.constantFrom<PlannedBeforePay['does'][]>(
          'allow',
          'allow',
          'allow',
          'refuse',
          'fail',
          'nothing',
          'raise',
        ),
        afterMs: fc.constantFrom(0, 0, 0, 300, 2000, 9900, 12_000),
      }),
      { maxLength: 5 },
    ),
    { freq: 2 },
  ),
  actions: fc.array(action, { minLength: 3, maxLength: 14, size: 'max' }),
  faults: fc.record({
    retrieve: fc.array(fault, { maxLength: 8 }),
    confirm: fc.array(fault, { maxLength: 5 }),
    release: fc.array(fault, { maxLength: 3 }),
  }),
});
