import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemsDifference, lineTotal, withLineTotals } from './items.ts';

describe('contract S3.5: amount is unit_amount x quantity rounded half up once', () => {
  it.each([
    [100, 1.005, 101], // 100.5; in floating point 100.49999999999999
    [100, 1.004, 100],
    [1, 0.5, 1],
    [1, 0.499, 0],
    [3, 0.5, 2],
    [299, 3, 897],
    [1999, 0.333, 666], // 665.667
    [0, 1_000_000, 0],
    [99_999_999, 1_000_000, 99_999_999_000_000],
    [99_999_999, 999_999.999, 99_999_998_900_000],
  ])('%i x %d = %i', (unit, quantity, total) => {
    expect(lineTotal(unit, quantity)).toBe(total);
  });

  it('holds for every quantity of three decimals', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        fc.integer({ min: 1, max: 1_000_000_000 }),
        (unit, thousandths) => {
          const exact = BigInt(unit) * BigInt(thousandths);
          const total = BigInt(lineTotal(unit, thousandths / 1000));
          // Half up: total - 1/2 <= exact < total + 1/2, in thousandths.
          expect(exact >= total * 1000n - 500n && exact < total * 1000n + 500n).toBe(true);
        },
      ),
    );
  });
});

it('contract S3.1: items_difference = amount - (items + shipping + tax - discount)', () => {
  const items = withLineTotals([
    { name: 'a', quantity: 2, unit_amount: 300 },
    { name: 'b', quantity: 1.5, unit_amount: 101 },
  ]);
  const figures = { items, shipping_amount: 50, tax_amount: 20, discount_amount: 22 };
  expect(itemsDifference({ amount: 800, ...figures })).toBe(0);
  expect(itemsDifference({ amount: 1000, ...figures })).toBe(200);
  expect(itemsDifference({ amount: 1, ...figures })).toBe(-799);
});
