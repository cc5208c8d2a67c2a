/** Every duration of the machine, in ms (outcomes 2.3 and 2.4). */

const SECOND = 1000;

export const TIMING = {
  /** A press does not count this soon after the form, the total or an error appeared. */
  pressGuard: 500,
  /** Time limit for the page's `beforePay`. */
  pageAnswer: 10 * SECOND,
  /** Minimum time between a confirm and the next after the service refused the billing details. */
  betweenConfirms: 3 * SECOND,
  /** "Still confirming" is shown this long after the press. */
  slow: 10 * SECOND,
  /** Reads begin beside an unanswered confirm after this long. */
  probe: 20 * SECOND,
  /** Minimum time between two reads that agree on `pending`. */
  agreement: 5 * SECOND,
  /** Minimum time before `pending` is believed after a confirm that the service didn't answer. */
  settleUnanswered: 20 * SECOND,
  /** Minimum time before `pending` is believed after a confirm that the service answered. */
  settleAnswered: 5 * SECOND,
  /** Minimum time between reads caused by page events (waking, `refresh()`). */
  betweenReads: 4 * SECOND,
  /** Delay of the next read after one got no answer while the browser reports offline. */
  offline: 30 * SECOND,
  /** Minimum time between the last read and "Check status". */
  betweenChecks: 5 * SECOND,
  /** Minimum time between a failed read and "Try again". */
  betweenRetries: 2 * SECOND,
  /** A page that slept longer than this reads the intent before a press counts. */
  staleAfter: 30 * SECOND,
  /** The longest wait for another tab: longer than a confirm can take. */
  longestTabWait: 90 * SECOND,
  /** After a longer `Retry-After` the form doesn't continue automatically. */
  longestWait: 3600 * SECOND,
  /** Added to `Retry-After`, so that no request is sent early. */
  waitMargin: 100,
} as const;

/** Waits before retrying a read on the way to `ready`: after no answer, and after a 5xx or unreadable answer. */
export const RETRY_NETWORK: readonly number[] = [1 * SECOND, 3 * SECOND, 8 * SECOND];
export const RETRY_SERVICE: readonly number[] = [1 * SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND];

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

/** Waits between polls: at most 9 reads in the first minute (outcomes I7), ten minutes in all. */
export const SCHEDULE: readonly number[] = [
  ...[1, 2, 3, 5, 8, 10, 15, 15].map((seconds) => seconds * SECOND),
  ...times(8, 15 * SECOND),
  ...times(14, 30 * SECOND),
];

/** Waits between the reads of "Check status". */
export const CHECK_SCHEDULE: readonly number[] = [2, 4, 6, 10].map((seconds) => seconds * SECOND);
