/** The breakdown of a total. Its lines always add up to the total. */
import type { Money } from '../../../api/money.ts';
import type { Intent } from '../../payment/payment-state.ts';
import { printable } from './printable.ts';
import type { Message } from './words.ts';

export type TotalLine = {
  /** A string is the merchant's own text. */
  label: string | Message;
  note: Message | null;
  amount: Money;
};

/**
 * Lists items, then shipping, tax and discount, then the fee if the buyer pays it; omits zero amounts. Items only
 * describe the amount (contract S3.1, `items_difference`): a difference between them and the amount gets its own line.
 */
export const totalLinesOf = (intent: Intent): readonly TotalLine[] => {
  const money = (amount: number): Money => ({ amount, currency: intent.currency });
  const lines: TotalLine[] = (intent.items ?? []).map(({ name, quantity, unit_amount, amount }) => ({
    label: printable(name),
    note:
      quantity === 1 ? null : { key: 'summary.quantity', values: { quantity, price: money(unit_amount) } },
    amount: money(amount),
  }));
  const add = (key: Message['key'], value: number | null) => {
    if (value) lines.push({ label: { key }, note: null, amount: money(value) });
  };
  if (lines.length > 0) {
    add('summary.shipping', intent.shipping_amount);
    add('summary.tax', intent.tax_amount);
    add('summary.discount', intent.discount_amount && -intent.discount_amount);
  }
  const explained = lines.reduce((sum, { amount }) => sum + amount.amount, 0);
  add(lines.length > 0 ? 'summary.adjustment' : 'summary.amount', intent.amount - explained);
  add('summary.fee', intent.fee_buyer);
  return lines;
};
