/**
 * The service's errors (contract S16) and the failures that the client makes of its answers.
 *
 * A payment depends on whether a failure is certain, not on its status number. After a certain failure this request has
 * charged nothing; after an uncertain one only a read can tell.
 */

/** Every error code of the API description, with its HTTP status. */
export const HTTP_STATUS = {
  validation_error: 400,
  invalid_amount: 400,
  amount_too_small: 400,
  amount_too_large: 400,
  unsupported_currency: 400,
  invalid_billing_details: 400,
  invalid_payment_details: 400,
  payment_details_missing: 400,
  non_physical_goods_not_allowed: 400,
  payment_intent_not_pending: 400,
  payment_not_refundable: 400,
  refund_exceeds_remaining: 400,
  merchant_suspended: 400,
  merchant_not_approved: 400,
  invalid_api_key: 401,
  api_key_revoked: 401,
  invalid_client_secret: 401,
  payment_method_declined: 402,
  payment_failed: 402,
  not_found: 404,
  payment_intent_not_found: 404,
  refund_not_found: 404,
  idempotency_key_reused: 409,
  payment_intent_updated: 409,
  rate_limited: 429,
  internal_error: 500,
  fee_plan_not_configured: 500,
  provider_error: 502,
} as const;

export type ErrorCode = keyof typeof HTTP_STATUS;

/** The category of an error. The service's status determines it (contract S16.2). */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'card_error'
  | 'rate_limit_error'
  | 'api_error';

const TYPE_OF_STATUS: Record<(typeof HTTP_STATUS)[ErrorCode], ErrorType> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'card_error',
  404: 'invalid_request_error',
  409: 'invalid_request_error',
  429: 'rate_limit_error',
  500: 'api_error',
  502: 'api_error',
};

/** Returns the `type` of a code. */
export const errorType = (code: ErrorCode): ErrorType => TYPE_OF_STATUS[HTTP_STATUS[code]];

/** Returns true if `type` is one of these types. */
export const isErrorType = (type: string): type is ErrorType =>
  Object.values<string>(TYPE_OF_STATUS).includes(type);

/** Returns true if the API description has this code. Own keys only: `constructor` is not a code. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(HTTP_STATUS, code);

/** The reason why a request returned no intent. A value, never an exception. */
export type Failure =
  | Refusal
  /**
   * 429. `retryAfter` is in seconds. `stated` is false if the header was missing or not a whole number; the wait is
   * then one window of the rate limit (60 s).
   */
  | { kind: 'throttled'; retryAfter: number; stated: boolean }
  /** No usable answer: the request may or may not have acted. */
  | { kind: 'no_answer'; reason: NoAnswer };

/**
 * An answer with an error status.
 *
 * Its words are from closed lists (`error-words.ts`). `code` is `http_<status>` if the body was not an error object of
 * the service. A proxy may have written such a body, so only the status is known.
 */
export type Refusal = {
  kind: 'refused';
  status: number;
  code: string;
  type: string;
  message: string;
  param: string | null;
  declineCode: string | null;
};

/**
 * `network`: no connection, reset or redirect; `timeout`: our own limit; `malformed`: an unreadable answer;
 * `no_secret`: the page gave no client secret, so no request was sent; `blocked_fetch`: the browser sent nothing,
 * probably because of an extension; `internal_csp`: the frame's own policy forbade the request.
 */
export type NoAnswer = 'network' | 'timeout' | 'malformed' | 'no_secret' | 'blocked_fetch' | 'internal_csp';

export type ServiceAnswer<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };
