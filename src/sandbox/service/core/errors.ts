import { type ErrorCode, errorType } from '../../../api/errors.ts';
import type { ServiceErrorRecord } from '../../../api/schemas.ts';

/**
 * Thrown by a handler to refuse a request. `response.ts` turns it into `{error: {…}}`.
 *
 * The message is in English for the merchant's developer: what was expected, what was received, what to do. It
 * never contains card data, a key or a secret.
 */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  readonly declineCode: string | undefined;
  /** Whole seconds. Only for `rate_limited`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { param?: string; declineCode?: string; retryAfter?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.param = more.param;
    this.declineCode = more.declineCode;
    this.retryAfter = more.retryAfter;
  }
}

/** The `error` object of a response: three fields always, the other two where they apply (contract S16.1). */
export const errorRecord = (error: RefusedRequest): ServiceErrorRecord => ({
  type: errorType(error.code),
  code: error.code,
  message: error.message,
  ...(error.param === undefined ? {} : { param: error.param }),
  ...(error.declineCode === undefined ? {} : { decline_code: error.declineCode }),
});

/**
 * Thrown to end the connection without a response. The server destroys the socket. For a caller in the same process,
 * the fetch rejects as it would over a network.
 */
export class ConnectionCut extends Error {
  override readonly name = 'ConnectionCut';
  /** True if the connection ended before the request was read. The server then resets it instead of closing it. */
  readonly refused: boolean;

  constructor(message: string, more: { refused?: boolean } = {}) {
    super(message);
    this.refused = more.refused ?? false;
  }
}
