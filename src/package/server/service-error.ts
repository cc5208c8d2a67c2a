/** Why a call of the service failed: a closed union, so that a `switch` over `kind` can cover every case. */
import type { ErrorCode, ErrorType } from '../../api/errors.ts';

/**
 * - `refused`: an answer with a status of 300 to 499 other than 429. Nothing happened, and the same request is refused
 *   again until its cause is fixed. `code` is `unknown_code` if the answer was not one of the service's errors, for
 *   example that of a proxy, or has a code that is newer than this package.
 * - `rate_limited`: 429. Nothing happened. `retryAfter` is in seconds.
 * - `failed`: 500 or above. Whether something happened is not known.
 * - `no_answer`: no usable answer arrived. Whether something happened is not known. `malformed` is an answer that was
 *   cut off or is not the object that the route answers with.
 *
 * After `failed` and `no_answer` the call may be repeated with the same `Idempotency-Key`; without one, retrieve the
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

/** A call of the service that failed, after the last retry. Its `message` is for people and may change. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: ServiceFailure;
  /** How many requests were sent, at least 1. */
  readonly attempts: number;

  constructor(message: string, failure: ServiceFailure, attempts: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
    this.attempts = attempts;
  }
}

/** A mistake in the code that calls the client. Nothing was sent. */
export type ServiceMistakeCode =
  | 'base_url_invalid'
  | 'base_url_insecure'
  | 'secret_key_invalid'
  | 'idempotency_key_invalid'
  | 'id_invalid'
  | 'option_invalid';

/** Thrown at once for a mistake in the calling code. `code` says which. */
export class ServiceMistake extends Error {
  override readonly name = 'ServiceMistake';
  readonly code: ServiceMistakeCode;

  constructor(code: ServiceMistakeCode, message: string) {
    super(message);
    this.code = code;
  }
}
