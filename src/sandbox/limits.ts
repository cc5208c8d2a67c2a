import { ServiceError } from './errors.ts';

const MINUTE = 60_000;

/** Counts what each key did in the last minute. */
export type Limiter = {
  /** Whole seconds until one more is allowed, 0 when it is allowed now. Counts nothing. */
  wait(key: string): number;
  /** Counts one. */
  count(key: string): void;
};

/**
 * Allows `perMinute` in any sixty seconds, not only in those of a calendar minute.
 *
 * Whoever waits exactly the seconds it names is let through: the wait runs until the oldest counted one is a
 * minute old. What is refused is not counted, so that knocking does not prolong the wait.
 */
export const createLimiter = (perMinute: number, now: () => number): Limiter => {
  const times = new Map<string, number[]>();

  const recent = (key: string): number[] => {
    const kept = (times.get(key) ?? []).filter((time) => time > now() - MINUTE);
    if (kept.length === 0) times.delete(key);
    else times.set(key, kept);
    return kept;
  };

  return {
    wait: (key) => {
      const counted = recent(key);
      const oldest = counted[counted.length - perMinute];
      return oldest === undefined ? 0 : Math.ceil((oldest + MINUTE - now()) / 1000);
    },
    count: (key) => {
      times.set(key, [...recent(key), now()]);
    },
  };
};

/** The answer over a limit (service-api.md, "Limits"); `subject` says what was counted. */
export const rateLimited = (seconds: number, subject: string): ServiceError =>
  new ServiceError('rate_limited', `Too many ${subject} in a minute. Wait ${seconds} seconds, then repeat.`, {
    retryAfter: seconds,
  });

/** Counts a request, or refuses it with the time to wait. */
export const takeOne = (limiter: Limiter, key: string, subject: string): void => {
  const seconds = limiter.wait(key);
  if (seconds > 0) throw rateLimited(seconds, subject);
  limiter.count(key);
};
