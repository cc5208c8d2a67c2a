import { RefusedRequest } from '../core/errors.ts';

const MINUTE = 60_000;

/** Counts each key's requests in the last minute. */
export type Limiter = {
  /** Returns the whole seconds until one more is allowed, or 0 if it is allowed now. Does not count. */
  wait(key: string): number;
  /** Counts one request. */
  count(key: string): void;
};

/**
 * A sliding window that allows `perMinute` in any sixty seconds.
 *
 * After exactly the stated seconds one more is allowed: by then the oldest counted request is a minute old. Refused
 * requests are not counted, so that retrying too early does not prolong the wait.
 */
export const createLimiter = (perMinute: number, now: () => number): Limiter => {
  /** Times, oldest first; those before index `from` are more than a minute old. */
  const counted = new Map<string, { times: number[]; from: number }>();

  const recent = (key: string, until: number): { times: number[]; from: number } => {
    const known = counted.get(key) ?? { times: [], from: 0 };
    while ((known.times[known.from] ?? Infinity) <= until - MINUTE) known.from += 1;
    if (known.from === known.times.length) counted.delete(key);
    if (known.from * 2 > known.times.length) {
      known.times.splice(0, known.from);
      known.from = 0;
    }
    return known;
  };

  return {
    wait: (key) => {
      const at = now();
      const { times, from } = recent(key, at);
      const last = times.length - perMinute;
      const oldest = last < from ? undefined : times[last];
      return oldest === undefined ? 0 : Math.ceil((oldest + MINUTE - at) / 1000);
    },
    count: (key) => {
      const at = now();
      const known = recent(key, at);
      known.times.push(at);
      counted.set(key, known);
    },
  };
};

/** The error above a limit (contract S17.4). `subject` names what was counted. */
export const rateLimited = (seconds: number, subject: string): RefusedRequest =>
  new RefusedRequest(
    'rate_limited',
    `Too many ${subject} in a minute. Wait ${seconds} seconds, then repeat.`,
    {
      retryAfter: seconds,
    },
  );

/** Counts a request, or throws the error that states the wait. */
export const countOrRefuse = (limiter: Limiter, key: string, subject: string): void => {
  const seconds = limiter.wait(key);
  if (seconds > 0) throw rateLimited(seconds, subject);
  limiter.count(key);
};
