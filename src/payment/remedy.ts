/** What an error code means for a payment that was just confirmed (research 2.6). */
import { type ErrorCode, HTTP_STATUS, isErrorCode, type Refusal } from '../api/errors.ts';

export type Remedy =
  /** The card failed: release, read, ask for another card. */
  | 'other_card'
  /** The buyer's details were refused: show the field. */
  | 'fix_details'
  /** The amount changed: read, show, ask again. */
  | 'review_total'
  /** Not pending any more, perhaps because this very press paid: look. */
  | 'look'
  /** The order lacks what only the merchant's server can add. */
  | 'complete_order'
  /** Wrong keys: nothing more is sent, since failed authentication is limited itself. */
  | 'fix_keys'
  /** The integration or the account is at fault: one look, then stop. */
  | 'fix_integration'
  /** Nobody knows whether it acted: look until it is known. */
  | 'verify';

/** A code without a remedy does not compile. */
export const REMEDY: Record<ErrorCode, Remedy> = {
  payment_method_declined: 'other_card',
  payment_failed: 'other_card',
  invalid_billing_details: 'fix_details',
  payment_intent_updated: 'review_total',
  payment_intent_not_pending: 'look',
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
  rate_limited: 'verify', // comes as `throttled`; as anything else it is not to be believed
  internal_error: 'verify',
  fee_plan_not_configured: 'verify',
  provider_error: 'verify',
};

/** Whether the service itself wrote the error; else it may be a proxy's, and only the status is known. */
export const isTheServicesWord = (code: string): boolean => !code.startsWith('http_');

/**
 * The remedy for a refused confirm. A code counts only with the status it belongs to: where the two disagree,
 * and for codes nobody knows, the status decides, and what is not certain is verified.
 */
export const remedyFor = ({ code, status }: Refusal): Remedy => {
  if (isErrorCode(code) && HTTP_STATUS[code] === status) return REMEDY[code];
  return isTheServicesWord(code) && (status === 400 || status === 404 || status === 409)
    ? 'fix_integration'
    : 'verify';
};

/** Whether reading fails again until somebody mends the cause, so that asking again is useless. */
export const isLasting = ({ code, status }: Refusal): boolean =>
  code === 'fee_plan_not_configured' || (status < 500 && status !== 408 && status !== 425);
