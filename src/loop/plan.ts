/** What can befall a payment, as data: a plan is drawn at random, run, and shrunk when it finds something. */
import fc from 'fast-check';
import type { Fault } from '../sandbox/fault.ts';

/** What buyer, merchant and browser do. Tabs are numbered as they were opened. */
export type Action =
  | { do: 'wait'; ms: number }
  /** A calm buyer has looked at the form for a moment; a hasty one may press too soon. */
  | { do: 'press'; tab: number; times: number; calm: boolean }
  | { do: 'retry'; tab: number }
  | { do: 'type_card'; tab: number; number: string }
  | { do: 'sleep'; tab: number; ms: number }
  | { do: 'reload'; tab: number }
  | { do: 'close'; tab: number }
  | { do: 'open' }
  | { do: 'restore'; tab: number }
  | { do: 'refresh'; tab: number }
  | { do: 'change_amount'; by: number }
  | { do: 'cancel' };

export type Plan = {
  attempts: number;
  holdFailedAttempts: boolean;
  card: string;
  actions: readonly Action[];
  /** For the requests of the browser in the order in which they reach the service; `{}` leaves one alone. */
  faults: readonly Fault[];
};

/** Test numbers of contract 6 that an honest service can answer to. */
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

const seconds = fc.oneof(fc.constantFrom(0, 1, 5, 9, 19, 30, 76), fc.integer({ min: 0, max: 90 }));

/** Every Retry-After there is: right, missing, empty, negative, fractional, a date, no number, huge. */
const RETRY_AFTER = [
  '0',
  '1',
  '5',
  '60',
  null,
  '',
  '-1',
  '1.5',
  'Wed, 21 Oct 2026 07:28:00 GMT',
  'abc',
  '1, 2',
  '1000000000',
] as const;

/** Answers a proxy, a captive portal or the service itself may give without having acted. */
const refusal: fc.Arbitrary<Fault> = fc.record(
  {
    status: fc.constantFrom(
      ...[200, 204, 302, 400, 402, 403, 404, 408, 409, 413, 425, 451, 500, 502, 503, 504],
    ),
    code: fc.constantFrom('internal_error', 'provider_error', 'rate_limited', 'validation_error', 'made_up'),
    retry_after: fc.constantFrom(...RETRY_AFTER),
  },
  { requiredKeys: ['status'] },
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fault>({}) },
  { weight: 1, arbitrary: fc.constant<Fault>({ refuse: true }) },
  { weight: 2, arbitrary: fc.constant<Fault>({ cut: 'before' }) },
  { weight: 3, arbitrary: fc.constant<Fault>({ cut: 'after' }) },
  { weight: 2, arbitrary: fc.record({ delay_seconds: seconds }) },
  { weight: 2, arbitrary: fc.record({ arrives_after: seconds }) },
  { weight: 2, arbitrary: fc.record({ never: fc.constant(true), act: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ truncate_at: fc.nat(900) }) },
  { weight: 1, arbitrary: fc.constant<Fault>({ html: true }) },
  { weight: 2, arbitrary: refusal },
  { weight: 1, arbitrary: fc.record({ retry_after: fc.constantFrom(...RETRY_AFTER) }) },
  // Having acted, an honest service may still be cut off by a proxy: nobody else writes 2xx to 4xx for it.
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant(true),
      status: fc.constantFrom(500, 502, 503, 504),
      html: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ deliveries: fc.integer({ min: 2, max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      deliveries: fc.integer({ min: 2, max: 3 }),
      cut: fc.constant('after' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ again_after: seconds }) },
  {
    weight: 1,
    arbitrary: fc.record({ again_after: seconds, cut: fc.constantFrom('before' as const, 'after' as const) }),
  },
);

const tab = fc.nat(2);
const pause = fc.oneof(
  fc.constantFrom(10, 499, 600, 1500, 5000, 21_000),
  fc.integer({ min: 0, max: 90_000 }),
);

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: pause }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('press' as const),
      tab,
      times: fc.integer({ min: 1, max: 2 }),
      calm: fc.nat(4).map((n) => n > 0),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), tab }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('type_card' as const), tab, number: fc.constantFrom(...CARDS) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sleep' as const), tab, ms: pause }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reload' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('open' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restore' as const), tab }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refresh' as const), tab }) },
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
  card: fc.constantFrom(...CARDS),
  actions: fc.array(action, { minLength: 2, maxLength: 14 }),
  faults: fc.array(fault, { maxLength: 14 }),
});
