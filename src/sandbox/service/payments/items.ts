import type { ItemInput } from '../../../api/requests.ts';
import type { PaymentItem } from '../../../api/schemas.ts';

/**
 * `unit_amount` x `quantity`, rounded half up once (contract S3.5).
 *
 * Computes in thousandths with BigInt: 1.005 x 100 is 100.49999999999999 in floating point, and the largest line
 * exceeds 2^53.
 */
export const lineTotal = (unitAmount: number, quantity: number): number => {
  const thousandths = BigInt(Math.round(quantity * 1000));
  return Number((BigInt(unitAmount) * thousandths + 500n) / 1000n);
};

/** Returns the items as in a response, each with its line total. */
export const withLineTotals = (items: readonly ItemInput[]): PaymentItem[] =>
  items.map(({ name, quantity, unit_amount }) => ({
    name,
    quantity,
    unit_amount,
    amount: lineTotal(unit_amount, quantity),
  }));

/** `amount - (items + shipping + tax - discount)`: reported, never charged (contract S3.1). */
export const itemsDifference = (intent: {
  amount: number;
  items: readonly PaymentItem[];
  shipping_amount: number;
  tax_amount: number;
  discount_amount: number;
}): number => {
  const lines = intent.items.reduce((sum, item) => sum + item.amount, 0);
  return intent.amount - (lines + intent.shipping_amount + intent.tax_amount - intent.discount_amount);
};
