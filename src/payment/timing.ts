/** Every duration of the machine in one place, in ms (research 2.3 and 2.4). */

const SECOND = 1000;

export const TIMING = {
  /** A press is not believed this soon after the form, the total or an error appeared. */
  guard: 500,
  /** Refused details are not sent again sooner. */
  betweenConfirms: 3 * SECOND,
  /** "Still confirming" is said. */
  slow: 8 * SECOND,
  /** Reading begins beside a confirm that has not answered. */
  probe: 20 * SECOND,
  /** The two reads that settle `pending` are at least this far apart. */
  agreement: 5 * SECOND,
  /** `pending` is not believed sooner after a confirm that the service did not answer... */
  settleUnanswered: 20 * SECOND,
  /** ...or that it did. */
  settleAnswered: 5 * SECOND,
  /** Reads that page events cause (waking, `refresh()`) are at least this far apart. */
  betweenReads: 4 * SECOND,
  /** "Check status" is not listened to more often. */
  betweenChecks: 5 * SECOND,
  /** Nor is "Try again" after the intent could not be read. */
  betweenRetries: 2 * SECOND,
  /** A page that slept longer reads before it believes what it knew. */
  staleAfter: 30 * SECOND,
  /** A press that another tab came before waits no longer for it than a confirm may take, and then reads. */
  longestTurn: 90 * SECOND,
  /** Longer stated waits are not waited out by themselves. */
  longestWait: 3600 * SECOND,
  /** Added to a stated wait: never early, hardly late. */
  waitGuard: 100,
} as const;

/** Waits before reading again after failures on the way to `ready`: a network's, and a 5xx's. */
export const RETRY_NETWORK: readonly number[] = [1 * SECOND, 3 * SECOND, 8 * SECOND];
export const RETRY_SERVICE: readonly number[] = [1 * SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND];

const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

/** Waits between reads while polling: at most 9 reads in the first minute, ten minutes in all. */
export const SCHEDULE: readonly number[] = [
  ...[1, 2, 3, 5, 8, 10, 15, 15].map((seconds) => seconds * SECOND),
  ...times(8, 15 * SECOND),
  ...times(14, 30 * SECOND),
];

/** A check that a person asks for gets the last few reads of the schedule, close together. */
export const CHECK: readonly number[] = [2, 4, 6, 10].map((seconds) => seconds * SECOND);
