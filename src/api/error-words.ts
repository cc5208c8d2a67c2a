/**
 * The words of an error as the form uses them and passes them on (threat-model C19). An answer may repeat what the buyer
 * typed, as it stands or encoded, and the merchant's page gets these words and may log them. So each is from a closed
 * list, and the message is the form's own. In a file without schemas, since the frame runs it.
 */
import { type ErrorCode, isErrorCode, isErrorType } from './errors.ts';
import type { ServiceErrorRecord } from './schemas.ts';

/** Stands for a code that is not in the description, such as one of a later service. */
export const UNKNOWN_CODE = 'unknown_code';

/** Stands for a decline code that is not in the list: the issuer gave a reason, whichever. */
const OTHER_DECLINE = 'generic_decline';

/** The description gives no list. These are the common ones of card processors. */
const DECLINE_CODES = [
  'authentication_not_handled',
  'authentication_required',
  'call_issuer',
  'card_not_supported',
  'card_velocity_exceeded',
  'currency_not_supported',
  'do_not_honor',
  'duplicate_transaction',
  'expired_card',
  'fraudulent',
  'incorrect_address',
  'incorrect_cvc',
  'incorrect_number',
  'incorrect_zip',
  'insufficient_funds',
  'invalid_amount',
  'invalid_cvc',
  'invalid_expiry_month',
  'invalid_expiry_year',
  'invalid_number',
  'issuer_not_available',
  'lost_card',
  'mobile_device_authentication_required',
  'pickup_card',
  'processing_error',
  'reenter_transaction',
  'restricted_card',
  'stolen_card',
  'transaction_not_allowed',
  'try_again_later',
  'withdrawal_count_limit_exceeded',
] as const;
export type DeclineCode = (typeof DECLINE_CODES)[number] | typeof OTHER_DECLINE;

/** The fields of a confirm's body, and those of the intent without which it is refused (contract 3.2, S8.4). */
const FIELD =
  /^(?:client_secret|amount_total|currency|card(?:\.(?:number|exp_month|exp_year|cvc))?|billing_details(?:\.(?:name|email|address(?:\.(?:line[12]|city|state|postal_code|country))?))?|buyer|order_reference|shipping_details|items)(?![^.[])/;

/** The field that a path names, or the one around it: `card.shoe_size` is told as `card`. */
const knownField = (path: string): string | null => FIELD.exec(path)?.[0] ?? null;

/** The names of details that an intent lacks, for a developer: each a known field, or "details". */
export const knownDetails = (paths: readonly string[]): string[] =>
  paths.map((path) => knownField(path) ?? 'details');

const knownDecline = (code: string): DeclineCode =>
  DECLINE_CODES.find((known) => known === code) ?? OTHER_DECLINE;

/** An error whose every word is the description's or the form's. */
export const knownError = ({ type, code: said, param, decline_code }: ServiceErrorRecord) => {
  const code: ErrorCode | typeof UNKNOWN_CODE = isErrorCode(said) ? said : UNKNOWN_CODE;
  return {
    type: isErrorType(type) ? type : 'api_error',
    code,
    message: `The service answered with ${code}.`,
    param: knownField(param ?? ''),
    decline_code: typeof decline_code === 'string' ? knownDecline(decline_code) : null,
  };
};
