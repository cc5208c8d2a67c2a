/** Checks if an update took effect although its answer was lost. */
import type { PaymentIntent, UpdatePaymentIntent } from './api-types.ts';
import { isRecord } from './json.ts';

/**
 * Returns true if the payment matches the update. `false` if in doubt: sending an update again changes nothing more.
 * Ignores fields that the service adds (an item's total); optional fields that were left out are null.
 */
export const isApplied = (update: UpdatePaymentIntent, intent: PaymentIntent): boolean => {
  const { items, metadata, ...rest } = update;
  const current = new Map<string, unknown>(Object.entries(intent));
  return (
    Object.entries(rest).every(([name, value]) => value === undefined || isSame(value, current.get(name))) &&
    (items === undefined || areSameItems(items, intent.items)) &&
    (metadata === undefined || isSameMap(metadata ?? {}, intent.metadata))
  );
};

/** `sent` may omit keys that are null in the service's answer. */
const isSame = (sent: unknown, current: unknown): boolean => {
  if (!isRecord(sent) || !isRecord(current)) return sent === current;
  return Object.entries(current).every(([name, value]) => isSame(sent[name] ?? null, value));
};

const areSameItems = (
  sent: NonNullable<UpdatePaymentIntent['items']>,
  current: PaymentIntent['items'],
): boolean =>
  sent.length === current.length &&
  sent.every(({ name, quantity, unit_amount }, at) => {
    const item = current[at];
    return item?.name === name && item.quantity === quantity && item.unit_amount === unit_amount;
  });

const isSameMap = (
  sent: Readonly<Record<string, string>>,
  current: Readonly<Record<string, string>>,
): boolean =>
  Object.keys(sent).length === Object.keys(current).length &&
  Object.entries(sent).every(([name, value]) => current[name] === value);
