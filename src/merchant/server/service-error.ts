/** Reasons for a failed call: a closed union, so that a `switch` over `kind` can cover every case. */
import type { ErrorCode, ErrorType } from '../../api/errors.ts';

/**
 * - `refused`: the status was 300 to 499 other than 429. Nothing happened, and the same request is refused again until
 *   its cause is fixed. `code` is `unknown_code` if the answer isn't a service error, for example a proxy's, or if its
 *   code is newer than this package.
 * - `rate_limited`: 429. Nothing happened. `retryAfter` is in seconds.
 * - `failed`: 500 or above. The service may or may not have acted.
 * - `no_answer`: no usable answer arrived. The service may or may not have acted. `malformed` means the answer was cut
 *   off or isn't the object that the route returns.
 *
 * After `failed` and `no_answer`, the call may be repeated with the same `Idempotency-Key`; without one, retrieve the
 * object first (service's description, Errors, "Retry rules for clients").
 */
export type ServiceFailure =
  | {
      kind: 'refused';
      status: number;
      code: ErrorCode | 'unknown_code';
      type: ErrorType | null;
      /** The field at fault, such as `items[0].quantity`. */
      param: string | null;
      declineCode: string | null;
    }
  | { kind: 'rate_limited'; retryAfter: number }
  | { kind: 'failed'; status: number; code: ErrorCode | 'unknown_code' }
  | { kind: 'no_answer'; reason: 'network' | 'timeout' | 'malformed' };

/** A service call that failed after its last retry. Its `message` is for people and may change. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: ServiceFailure;
  /** Number of requests sent, at least 1. */
  readonly attempts: number;

  constructor(message: string, failure: ServiceFailure, attempts: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.attempts = attempts;
  }
}

/** Mistakes in the code that calls the client. Nothing was sent. */
export type ServiceMistakeCode =
  | 'base_url_invalid'
  | 'base_url_insecure'
  | 'secret_key_invalid'
  | 'idempotency_key_invalid'
  | 'id_invalid'
  | 'option_invalid';

/** Thrown immediately for a mistake in the calling code, identified by `code`. */
export class ServiceMistake extends Error {
  override readonly name = 'ServiceMistake';
  readonly code: ServiceMistakeCode;

  constructor(code: ServiceMistakeCode, message: string) {
    super(message);
    this.code = code;
  }
}
