/**
 * The known words in an error of the form. A later service or release may add others, so each type accepts any string:
 * `string & {}` keeps the known ones as editor suggestions. Part of the public interface.
 */
import type { DeclineCode } from '../../api/decline-codes.ts';
import type { ErrorCode, ErrorType, NoAnswer } from '../../api/errors.ts';
import type { CardFormPressReason } from './diagnostics.ts';

/** Codes that only a server with the secret key receives. */
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

/** Every documented code. */
export type KnownCode = Exclude<ErrorCode, ServerCode> | FormCode | 'unknown_code';

/**
 * The `code` of an error, such as `payment_method_declined`. `http_…`: the status of an answer not written by the
 * service.
 */
export type CardFormErrorCode = KnownCode | `http_${number}` | (string & {});

/** The `type` of an error: the service's own, or `api_connection_error` if no usable answer came. */
export type CardFormErrorType = ErrorType | 'api_connection_error' | (string & {});

/** The `decline_code` of a declined card, such as `insufficient_funds`; `generic_decline` stands for unknown ones. */
export type CardFormDeclineCode = DeclineCode | (string & {});
