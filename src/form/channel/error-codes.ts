/**
 * The words in an error of the form that are known today. A later service or release may add others, so that each type
 * takes any text: `string & {}` keeps the known ones as suggestions of the editor. They are part of the public interface.
 */
import type { DeclineCode } from '../../api/decline-codes.ts';
import type { ErrorCode, ErrorType, NoAnswer } from '../../api/errors.ts';
import type { CardFormPressReason } from './diagnostics.ts';

/** Codes that only a server with the secret key gets. */
export type ServerCode =
  | 'validation_error'
  | 'invalid_amount'
  | 'amount_too_small'
  | 'amount_too_large'
  | 'unsupported_currency'
  | 'non_physical_goods_not_allowed'
  | 'payment_not_refundable'
  | 'refund_exceeds_remaining'
  | 'refund_not_found'
  | 'not_found'
  | 'idempotency_key_reused';

/** Codes of the form's own errors. */
type FormCode =
  | NoAnswer
  | CardFormPressReason
  | 'payment_intent_canceled'
  | 'payment_in_progress'
  | 'payment_over'
  | 'before_pay_failed'
  | 'script_failed'
  | 'amount_mismatch'
  | 'invalid_option'
  | 'invalid_init'
  | 'protocol';

/** Every code that is documented. */
export type KnownCode = Exclude<ErrorCode, ServerCode> | FormCode | 'unknown_code';

/** The `code` of an error, such as `payment_method_declined`. `http_…`: the status of an answer that the service did not write. */
export type CardFormErrorCode = KnownCode | `http_${number}` | (string & {});

/** The `type` of an error: the service's, or `api_connection_error` if no usable answer came. */
export type CardFormErrorType = ErrorType | 'api_connection_error' | (string & {});

/** The `decline_code` of a declined card, such as `insufficient_funds`; `generic_decline` stands for every unknown one. */
export type CardFormDeclineCode = DeclineCode | (string & {});
