/** How the machine reacts to each error code of a confirm (outcomes 2.6). */
import { type ErrorCode, HTTP_STATUS, isErrorCode, type Refusal } from '../../api/errors.ts';

export type Remedy =
  /** Declined: release, read, then let the buyer try another card. */
  | 'other_card'
  /** The service refused something the buyer typed, in the card or the billing details: show the field. */
  | 'fix_details'
  /** The total changed: read, show it, wait for a press. */
  | 'review_total'
  /** No longer pending, perhaps because this very confirm paid: poll. */
  | 'check_status'
  /** The order lacks something that only the merchant's server can add. */
  | 'complete_order'
  /** Wrong keys: send nothing more, because failed authentication has its own rate limit. */
  | 'fix_keys'
  /** The integration or the account is at fault: read once, then stop. */
  | 'fix_integration'
  /** The confirm may have charged the buyer: poll. */
  | 'verify';

/** A code without a remedy doesn't compile. */
export const REMEDY: Record<ErrorCode, Remedy> = {
  payment_method_declined: 'other_card',
  payment_failed: 'other_card',
  invalid_billing_details: 'fix_details',
  payment_intent_updated: 'review_total',
  payment_intent_not_pending: 'check_status',
  payment_details_missing: 'complete_order',
  invalid_payment_details: 'complete_order',
  invalid_api_key: 'fix_keys',
  api_key_revoked: 'fix_keys',
  invalid_client_secret: 'fix_keys',
  validation_error: 'fix_integration',
  invalid_amount: 'fix_integration',
  amount_too_small: 'fix_integration',
  amount_too_large: 'fix_integration',
  unsupported_currency: 'fix_integration',
  non_physical_goods_not_allowed: 'fix_integration',
  merchant_suspended: 'fix_integration',
  merchant_not_approved: 'fix_integration',
  not_found: 'fix_integration',
  payment_intent_not_found: 'fix_integration',
  payment_not_refundable: 'fix_integration',
  refund_exceeds_remaining: 'fix_integration',
  refund_not_found: 'fix_integration',
  idempotency_key_reused: 'fix_integration',
  rate_limited: 'verify', // a real 429 is a `throttled` failure and never comes here
  internal_error: 'verify',
  fee_plan_not_configured: 'verify',
  provider_error: 'verify',
};

/** Returns true if the service itself wrote the error. Otherwise a proxy may have, and only the status is known. */
export const isServiceError = (code: string): boolean => !code.startsWith('http_');

/**
 * The remedy for a refused confirm. A code counts only with its own HTTP status. If the two disagree or the code is
 * unknown, status and type decide, and anything that is not certainly a refusal is verified.
 */
export const remedyFor = (refusal: Refusal): Remedy => {
  const remedy = remedyOfCode(refusal);
  const isFault = remedy === 'fix_integration' || remedy === 'complete_order';
  return isFault && namesCard(refusal.param) ? 'fix_details' : remedy;
};

const remedyOfCode = ({ code, status, type }: Refusal): Remedy => {
  if (isErrorCode(code) && HTTP_STATUS[code] === status) return REMEDY[code];
  if (!isServiceError(code)) return 'verify';
  if (status === 400 || status === 404 || status === 409) return 'fix_integration';
  // A card error is always a 402 and a 402 always a card error (contract S16.2), so an unknown code is a decline, too.
  return status === 402 && type === 'card_error' && !isErrorCode(code) ? 'other_card' : 'verify';
};

/**
 * Returns true if the service refused the card or one of its fields. The form can't check everything: a UnionPay number
 * may lack a check digit that the service requires.
 */
const namesCard = (param: string | null): boolean => /^card(?:\.|$)/.test(param ?? '');

/** Returns true if a read keeps failing until somebody fixes the cause, so that retrying is useless. */
export const isPermanent = ({ code, status }: Refusal): boolean =>
  code === 'fee_plan_not_configured' || (status < 500 && status !== 408 && status !== 425);
