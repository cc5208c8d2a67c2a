import { expect, it } from 'vitest';
import { exampleIntent } from '../form/payment/payment.fixture.ts';
import { isSameMoney, totalOf } from './money.ts';

it("an intent's total is its `amount_total`, which includes the buyer's fee", () => {
  const intent = exampleIntent({ amount: 1200, fee_buyer: 34, amount_total: 1234, currency: 'eur' });
  expect(totalOf(intent)).toEqual({ amount: 1234, currency: 'eur' });
});

it('amounts are the same only in the same currency', () => {
  expect(isSameMoney({ amount: 1234, currency: 'usd' }, { amount: 1234, currency: 'usd' })).toBe(true);
  expect(isSameMoney({ amount: 1234, currency: 'usd' }, { amount: 1234, currency: 'eur' })).toBe(false);
  expect(isSameMoney({ amount: 1234, currency: 'usd' }, { amount: 1235, currency: 'usd' })).toBe(false);
});
