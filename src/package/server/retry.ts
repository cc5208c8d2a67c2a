/** When a request is sent again (service's description, Errors, "Retry rules for clients"; Limits). */
import type { ServiceFailure } from './service-error.ts';

/** How often and how long to wait. Times in milliseconds. */
export type RetryPolicy = {
  /** How many times a request is sent again. */
  retries: number;
  /** A longer `Retry-After` is not waited for: the call fails with `rate_limited`. */
  longestWait: number;
  /** A number from 0 to below 1. */
  random: () => number;
};

/** The ceiling of the first wait; each ceiling is twice the one before. */
const FIRST_CEILING = 500;
const LAST_CEILING = 8000;

/** One window of the service's rate limit, for a 429 whose `Retry-After` cannot be read. Seconds. */
export const RATE_WINDOW = 60;

/**
 * The milliseconds to wait before the request is sent again, or `null` if it must not be.
 *
 * After a 429 exactly `Retry-After`. After a failure of the service or of the network anything from nothing to a
 * ceiling that doubles ("full jitter"), so that callers that failed together do not come back together. A refusal is
 * final. `attempt` counts from 0.
 */
export const retryWait = (
  failure: ServiceFailure,
  attempt: number,
  { retries, longestWait, random }: RetryPolicy,
): number | null => {
  if (attempt >= retries) return null;
  switch (failure.kind) {
    case 'refused':
      return null;
    case 'rate_limited':
      return failure.retryAfter * 1000 > longestWait ? null : failure.retryAfter * 1000;
    case 'failed':
    case 'no_answer':
      return random() * Math.min(LAST_CEILING, FIRST_CEILING * 2 ** attempt);
    default:
      return failure satisfies never;
  }
};

/** The whole seconds of a `Retry-After`; one window of the limit if it is missing or something else. */
export const retryAfterOf = (header: string | null): number =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : RATE_WINDOW;
