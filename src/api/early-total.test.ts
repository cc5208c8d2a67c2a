import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../proof/fuzz.ts';
import { earlyTotal } from './early-total.ts';
import { totalOf } from './money.ts';
import { ClientPaymentIntent } from './schemas.ts';

const amounts = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, -0, 1, -1, 0.5, 99_999_999, 100_000_000, 2 ** 53, 1e21, null, '1'),
);
const texts = fc.oneof(
  fc.constantFrom('', 'x'.repeat(100), 'x'.repeat(101), 'x'.repeat(200), 'x'.repeat(201), 1, null),
  fc.string(),
);

/** Mostly valid, with at most a few fields that are not, so that both answers are common. */
const near = fc
  .record(
    {
      id: fc.oneof({ weight: 20, arbitrary: fc.constant('lg_pi_1') }, { weight: 1, arbitrary: texts }),
      object: fc.oneof(
        { weight: 20, arbitrary: fc.constant('payment_intent') },
        { weight: 1, arbitrary: fc.constantFrom('refund', null, 1) },
      ),
      status: fc.oneof(
        { weight: 20, arbitrary: fc.constant('pending') },
        { weight: 2, arbitrary: fc.oneof(texts, fc.constantFrom('processing', 'succeeded', 'canceled')) },
      ),
      currency: fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom('usd', 'eur') },
        { weight: 1, arbitrary: fc.constantFrom('USD', 'jpy', '', null, 'toString', 1) },
      ),
      amount: fc.oneof({ weight: 20, arbitrary: fc.nat(99_999_999) }, { weight: 1, arbitrary: amounts }),
      fee_buyer: fc.oneof({ weight: 20, arbitrary: fc.nat(99_999_999) }, { weight: 1, arbitrary: amounts }),
      amount_total: fc.oneof(
        { weight: 20, arbitrary: fc.nat(99_999_999) },
        { weight: 3, arbitrary: amounts },
      ),
      attempts_left: fc.constantFrom(0, -0, 1, 5, -1, 0.5, null, '0', false),
      attempt_in_progress: fc.constantFrom(true, false, null, 'true', 1),
      description: texts,
    },
    { requiredKeys: ['id', 'object', 'status', 'currency', 'amount', 'fee_buyer'] },
  )
  .map((intent): unknown => JSON.parse(JSON.stringify(intent) ?? 'null'));

it('the early total is that of the schema, of an intent that can be paid, and else there is none', () => {
  const seen = { some: 0, none: 0 };
  const agree = (json: unknown) => {
    const parsed = ClientPaymentIntent.safeParse(json);
    const intent = parsed.success ? parsed.data : null;
    const canBePaid =
      intent?.status === 'pending' && intent.attempts_left !== 0 && intent.attempt_in_progress !== true;
    const expected = intent && canBePaid ? totalOf(intent) : null;
    seen[expected ? 'some' : 'none'] += 1;
    expect(earlyTotal(json)).toEqual(expected);
  };
  fc.assert(fc.property(near, agree), { numRuns: runs(10_000) });
  fc.assert(fc.property(fc.jsonValue(), agree), { numRuns: runs(1000) });
  expect(seen.some).toBeGreaterThan(runs(1000));
  expect(seen.none).toBeGreaterThan(runs(1000));
});
