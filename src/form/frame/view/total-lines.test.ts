/** promises 2.2: the lines of "Details". */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import { totalLinesOf } from './total-lines.ts';

const item = (name: string, quantity: number, unit_amount: number) => ({
  name,
  quantity,
  unit_amount,
  amount: quantity * unit_amount,
});
const shownLines = (intent: Parameters<typeof totalLinesOf>[0]) =>
  totalLinesOf(intent).map(({ label, amount }) => [
    typeof label === 'string' ? label : label.key,
    amount.amount,
  ]);

it('lists items, shipping, tax, discount and the fee the buyer bears, but no zero amounts', () => {
  const intent = exampleIntent({
    items: [item('Beans', 2, 500), item('Filter', 1, 300)],
    shipping_amount: 200,
    discount_amount: 100,
    amount: 1400,
    fee_buyer: 78,
    amount_total: 1478,
  });
  expect(shownLines(intent)).toEqual([
    ['Beans', 1000],
    ['Filter', 300],
    ['summary.shipping', 200],
    ['summary.discount', -100],
    ['summary.fee', 78],
  ]);
  expect(totalLinesOf(intent)[0]?.note).toMatchObject({ values: { quantity: 2, price: { amount: 500 } } });
  expect(totalLinesOf(intent)[1]?.note).toBe(null);
});

it('a difference between the items and the amount has its own line', () => {
  expect(shownLines(exampleIntent({ items: [item('Beans', 1, 1134)], items_difference: 100 }))).toEqual([
    ['Beans', 1134],
    ['summary.adjustment', 100],
  ]);
});

it('an intent without items, or with unreadable ones, has one line: the amount', () => {
  for (const items of [[], null]) {
    expect(shownLines(exampleIntent({ items, shipping_amount: 99 }))).toEqual([['summary.amount', 1234]]);
  }
});

it('the lines add up to the total, whatever the service sends', () => {
  const cents = fc.integer({ min: 0, max: 1_000_000 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), cents), { maxLength: 5 }),
      fc.record({
        amount: cents,
        shipping_amount: cents,
        tax_amount: cents,
        discount_amount: cents,
        fee_buyer: cents,
      }),
      (items, amounts) => {
        const amount_total = amounts.amount + amounts.fee_buyer;
        const intent = exampleIntent({
          ...amounts,
          amount_total,
          items: items.map(([quantity, price]) => item('Same name', quantity, price)),
        });
        const sum = totalLinesOf(intent).reduce((total, { amount }) => total + amount.amount, 0);
        expect(sum).toBe(amount_total);
      },
    ),
  );
});

it("a merchant's text cannot change the direction of the amount beside it", () => {
  const [line] = totalLinesOf(exampleIntent({ items: [item('Beans\u202e\u0007', 1, 1234)] }));
  expect(line?.label).toBe('Beans');
});
