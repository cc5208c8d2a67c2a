/**
 * The decline codes that the form knows, each with its reason. The buyer reads the text `decline.<reason>`. Codes for
 * lost or stolen cards and fraud are `generic`: the person at the keyboard may be the thief, or may be wrongly
 * suspected. The API description lists no codes; these are the common ones of card processors.
 */
const REASON = {
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  card_velocity_exceeded: 'insufficient_funds',
  invalid_amount: 'insufficient_funds',
  expired_card: 'expired_card',
  invalid_expiry_month: 'incorrect_expiry',
  invalid_expiry_year: 'incorrect_expiry',
  incorrect_cvc: 'incorrect_cvc',
  invalid_cvc: 'incorrect_cvc',
  incorrect_number: 'incorrect_number',
  invalid_number: 'incorrect_number',
  incorrect_address: 'incorrect_address',
  incorrect_zip: 'incorrect_address',
  card_not_supported: 'not_supported',
  currency_not_supported: 'not_supported',
  duplicate_transaction: 'duplicate',
  processing_error: 'processing',
  issuer_not_available: 'processing',
  reenter_transaction: 'processing',
  try_again_later: 'processing',
  authentication_required: 'authentication',
  authentication_not_handled: 'authentication',
  mobile_device_authentication_required: 'authentication',
  call_issuer: 'generic',
  do_not_honor: 'generic',
  fraudulent: 'generic',
  lost_card: 'generic',
  pickup_card: 'generic',
  restricted_card: 'generic',
  stolen_card: 'generic',
  transaction_not_allowed: 'generic',
  generic_decline: 'generic',
} as const;

export type DeclineCode = keyof typeof REASON;
export type DeclineReason = (typeof REASON)[DeclineCode];

/** Own keys only: `constructor` is not a decline code. */
const isDeclineCode = (code: string): code is DeclineCode => Object.hasOwn(REASON, code);

/** Returns the code if it is known, otherwise `generic_decline`: the issuer gave some reason. */
export const knownDecline = (code: string): DeclineCode => (isDeclineCode(code) ? code : 'generic_decline');

export const declineReason = (code: string): DeclineReason => REASON[knownDecline(code)];
