import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_FEE_SCHEDULE, priceOf } from './fees.ts';

const price = (amount: number, bearer: 'merchant' | 'buyer' = 'merchant') =>
  priceOf(amount, DEFAULT_FEE_SCHEDULE, bearer);

describe('contract 6.5: processing 2.90 % + 30 and bank 0.50 %, each rounded half up', () => {
  it.each([
    [1000, 59, 5],
    [100, 33, 1], // 2.90 -> 3; 0.50 -> 1
    [99, 33, 0], // 2.871 -> 3; 0.495 -> 0
    [1050, 60, 5], // 30.45 -> 30; 5.25 -> 5
    [90, 33, 0], // 2.61 -> 3; 0.45 -> 0
    [12_345, 388, 62], // 358.005 -> 358; 61.725 -> 62
    [90_000_000, 2_610_030, 450_000],
  ])('%i costs %i and %i', (amount, processing_fee, bank_fee) => {
    const schedule = DEFAULT_FEE_SCHEDULE;
    expect(priceOf(amount, schedule, 'buyer')).toMatchObject({ processing_fee, bank_fee });
  });
});

it('contract S3.1: fee_buyer is both fees when the buyer bears them, else 0', () => {
  expect(price(1000, 'buyer')).toEqual({
    amount: 1000,
    fee_buyer: 64,
    amount_total: 1064,
    processing_fee: 59,
    bank_fee: 5,
    fee_bearer: 'buyer',
  });
  expect(price(1000, 'merchant')).toMatchObject({ fee_buyer: 0, amount_total: 1000, fee_bearer: 'merchant' });
});

it('contract S3.1: amount_total = amount + fee_buyer, in integers, for every amount', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 100, max: 96_000_000 }),
      fc.constantFrom('merchant', 'buyer'),
      (amount, bearer) => {
        const priced = price(amount, bearer);
        const fees = priced.processing_fee + priced.bank_fee;
        expect(priced.amount_total).toBe(priced.amount + priced.fee_buyer);
        expect(priced.fee_buyer).toBe(bearer === 'buyer' ? fees : 0);
        expect(
          Object.values(priced).every((value) => typeof value === 'string' || Number.isSafeInteger(value)),
        ).toBe(true);
        // Rounds exactly half up, computed independently with big integers in hundredths of a basis point.
        const halfUp = (bps: bigint) => Number((BigInt(amount) * bps * 2n + 10_000n) / 20_000n);
        expect(priced.processing_fee).toBe(halfUp(290n) + 30);
        expect(priced.bank_fee).toBe(halfUp(50n));
      },
    ),
  );
});

describe('contract S7.4: totals out of range', () => {
  it.each([
    ['a total below 100', 99, 'merchant', 'amount_too_small'],
    ['a buyer total below 100', 67, 'buyer', 'amount_too_small'],
    ['a total above 99,999,999', 100_000_000, 'merchant', 'amount_too_large'],
    ['an amount that the fees lift above 99,999,999', 99_999_999, 'buyer', 'amount_too_large'],
  ] as const)('%s (%i, fee bearer %s) gives %s', (_title, amount, bearer, code) => {
    expect(() => price(amount, bearer)).toThrowError(expect.objectContaining({ code, param: 'amount' }));
  });

  it.each([
    [100, 'merchant'],
    [68, 'buyer'], // 68 + 32 + 0 = 100
    [99_999_999, 'merchant'],
  ] as const)('%i is allowed with fee bearer %s', (amount, bearer) => {
    expect(price(amount, bearer).amount_total).toBeGreaterThanOrEqual(100);
  });

  it('fees equal to the amount give amount_too_small when the merchant pays them, and one less does not', () => {
    const schedule = (fixed: number) => ({ processing: { bps: 0, fixed }, bank: { bps: 0, fixed: 100 } });
    expect(() => priceOf(500, schedule(400), 'merchant')).toThrowError(
      expect.objectContaining({ code: 'amount_too_small' }),
    );
    expect(priceOf(500, schedule(399), 'merchant').amount_total).toBe(500);
    expect(priceOf(500, schedule(400), 'buyer').amount_total).toBe(1000);
  });
});

it('contract S7.5: without a fee schedule 500 fee_plan_not_configured', () => {
  expect(() => priceOf(1000, null, 'merchant')).toThrowError(
    expect.objectContaining({ code: 'fee_plan_not_configured' }),
  );
});
