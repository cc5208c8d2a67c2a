/**
 * The total of a payment that can be paid, read without the schema, which arrives later. It takes exactly the answers
 * that the schema takes, of intents that the form then offers to pay; a property test holds it to both.
 */
import { largestAmount } from './limits.ts';
import type { Money } from './money.ts';

/** The total in an answer to a retrieve; null if the form might show none, or something else instead. */
export const earlyTotal = (json: unknown): Money | null => {
  if (typeof json !== 'object' || json === null) return null;
  const intent: Readonly<Record<string, unknown>> = { ...json };
  const { amount_total: amount, currency } = intent;
  const canBePaid =
    isText(intent.id) &&
    intent.object === 'payment_intent' &&
    intent.status === 'pending' &&
    intent.attempt_in_progress !== true &&
    intent.attempts_left !== 0 &&
    isAmount(intent.amount) &&
    isAmount(intent.fee_buyer);
  return canBePaid && isAmount(amount) && (currency === 'usd' || currency === 'eur')
    ? { amount, currency }
    : null;
};

const isText = (value: unknown): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= 200;

const isAmount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= largestAmount;
