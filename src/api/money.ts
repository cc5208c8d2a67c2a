/** Amounts of money, and the total of an intent. */
import type { ClientPaymentIntent, Currency } from './schemas.ts';

/** `amount` in minor units. */
export type Money = { amount: number; currency: Currency };

/** The total that the buyer pays. */
export const totalOf = ({ amount_total, currency }: ClientPaymentIntent): Money => ({
  amount: amount_total,
  currency,
});

export const isSameMoney = (one: Money, other: Money): boolean =>
  one.amount === other.amount && one.currency === other.currency;
