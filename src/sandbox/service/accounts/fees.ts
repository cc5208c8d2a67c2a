import * as LIMITS from '../../../api/limits.ts';
import { RefusedRequest } from '../core/errors.ts';
import type { FeeBearer, FeeRule, FeeSchedule } from '../store/records.ts';

/** The default refund fee: none. Ours: the API description does not show the fee. */
export const NO_FEE: FeeRule = { bps: 0, fixed: 0 };

/** 2.90 % + 30 and 0.50 % (contract 6.5), and no refund fee. */
export const DEFAULT_FEE_SCHEDULE: FeeSchedule = {
  processing: { bps: 290, fixed: 30 },
  bank: { bps: 50, fixed: 0 },
  refund: NO_FEE,
};

/** The money fields of an intent, all in minor units. */
export type Price = {
  amount: number;
  fee_buyer: number;
  amount_total: number;
  processing_fee: number;
  bank_fee: number;
  fee_bearer: FeeBearer;
};

/** `amount` x `bps` / 10,000 rounded half up, in integers: the product stays far below 2^53. */
const shareOf = (amount: number, bps: number): number => Math.floor((amount * bps + 5000) / 10_000);

const noFeeSchedule = (what: string): RefusedRequest =>
  new RefusedRequest(
    'fee_plan_not_configured',
    `The account has no fee schedule, so the ${what} cannot be priced. Have one configured for the account.`,
  );

/**
 * The fee that the merchant pays for a refund in addition to `amount`, in minor units (contract S3.8, `refund_fee`).
 * Ours, where not shown: priced like a payment, by the account's current schedule.
 */
export const refundFeeOf = (amount: number, schedule: FeeSchedule | null): number => {
  if (schedule === null) throw noFeeSchedule('refund');
  return shareOf(amount, schedule.refund.bps) + schedule.refund.fixed;
};

/** Prices an amount by a schedule, or throws the error of Create rules 4 and 5 (contract S7). */
export const priceOf = (
  amount: number,
  schedule: Omit<FeeSchedule, 'refund'> | null,
  bearer: FeeBearer,
): Price => {
  if (schedule === null) throw noFeeSchedule('payment');
  const processing_fee = shareOf(amount, schedule.processing.bps) + schedule.processing.fixed;
  const bank_fee = shareOf(amount, schedule.bank.bps) + schedule.bank.fixed;
  const fee_buyer = bearer === 'buyer' ? processing_fee + bank_fee : 0;
  const amount_total = amount + fee_buyer;

  if (amount_total < LIMITS.smallestTotal) {
    throw new RefusedRequest(
      'amount_too_small',
      `The buyer's total must be at least ${LIMITS.smallestTotal} minor units; this one is ${amount_total}. Raise the amount.`,
      { param: 'amount' },
    );
  }
  if (bearer === 'merchant' && processing_fee + bank_fee >= amount) {
    throw new RefusedRequest(
      'amount_too_small',
      `The amount must be above the fees that the merchant pays; the amount is ${amount}, the fees are ${processing_fee + bank_fee}. Raise the amount.`,
      { param: 'amount' },
    );
  }
  if (amount_total > LIMITS.largestAmount) {
    throw new RefusedRequest(
      'amount_too_large',
      // Don't quote the value: a number this long may be a card number in the wrong field.
      `The buyer's total must be at most ${LIMITS.largestAmount} minor units; this one is above. Lower the amount.`,
      { param: 'amount' },
    );
  }
  return { amount, fee_buyer, amount_total, processing_fee, bank_fee, fee_bearer: bearer };
};
