/** Every duration of the machine, in ms (outcomes 2.3 and 2.4). */

const SECOND = 1000;

export const TIMING = {
  /** A press does not count this soon after the form, the total or an error appeared. */
  pressGuard: 500,
  /** The page's `beforePay` has this long to answer. */
  pageAnswer: 10 * SECOND,
  /** Refused billing details are not sent again sooner after a confirm. */
  betweenConfirms: 3 * SECOND,
  /** "Still confirming" is shown this long after the press. */
  slow: 10 * SECOND,
  /** Reads begin beside a confirm that has not been answered. */
  probe: 20 * SECOND,
  /** Two reads that agree on `pending` are at least this far apart. */
  agreement: 5 * SECOND,
  /** `pending` is not believed sooner after a confirm that the service did not answer. */
  settleUnanswered: 20 * SECOND,
  /** `pending` is not believed sooner after a confirm that the service answered. */
  settleAnswered: 5 * SECOND,
  /** Reads caused by page events (waking, `refresh()`) are at least this far apart. */
  betweenReads: 4 * SECOND,
  /** After a read that got no answer while the browser says that it is offline, the next comes this much later. */
  offline: 30 * SECOND,
  /** "Check status" does not read sooner after the last read. */
  betweenChecks: 5 * SECOND,
  /** "Try again" does not read sooner after a read that failed. */
  betweenRetries: 2 * SECOND,
  /** A page that slept longer reads the intent before a press counts. */
  staleAfter: 30 * SECOND,
  /** The longest wait for another tab: longer than a confirm can take. */
  longestTabWait: 90 * SECOND,
  /** After a longer `Retry-After` the form does not go on by itself. */
  longestWait: 3600 * SECOND,
  /** Added to `Retry-After`, so that no request is early. */
  waitMargin: 100,
} as const;

/** Waits before each retry of a read on the way to `ready`: after no answer, and after a 5xx or an unreadable one. */
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
