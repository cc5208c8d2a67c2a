/** Decides if and when to resend a request (service's description, Errors, "Retry rules for clients"; Limits). */
import type { ServiceFailure } from './service-error.ts';

/** Retry limits. Times in milliseconds. */
export type RetryPolicy = {
  /** Maximum number of retries. */
  retries: number;
  /** The call fails with `rate_limited` if `Retry-After` is longer. */
  longestWait: number;
  /** A number from 0 to below 1. */
  random: () => number;
};

/** Ceiling of the first delay; it doubles with each retry. */
const FIRST_CEILING = 500;
const LAST_CEILING = 8000;

/** One window of the service's rate limit, in seconds. Used for a 429 without a readable `Retry-After`. */
export const RATE_WINDOW = 60;

/**
 * Returns the delay before the next attempt in milliseconds, or `null` if the request must not be resent.
 *
 * After a 429, waits exactly `Retry-After`. After a failure of the service or the network, waits between zero and a
 * ceiling that doubles ("full jitter"), so that callers that failed together don't retry together. A refusal is final.
 * `attempt` counts from 0.
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

/** The seconds of a `Retry-After` header; one rate-limit window if it is missing or not an integer. */
export const retryAfterOf = (header: string | null): number =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : RATE_WINDOW;
