/** Random request faults. */
import fc from 'fast-check';
import type { Fault } from '../../sandbox/service/faults/fault.ts';

const seconds = fc.oneof(fc.constantFrom(0, 1, 5, 9, 19, 30, 76), fc.integer({ min: 0, max: 90 }));

/** Every kind of Retry-After: valid, missing, empty, negative, fractional, a date, not a number, huge. */
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

/** Answers that a proxy, a captive portal or the service itself may give without having acted. */
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

/** Any fault; the most likely one is `{}`, none. */
export const fault: fc.Arbitrary<Fault> = fc.oneof(
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
  // A proxy may answer with an error although the service acted; it never makes up a 2xx or 4xx.
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
