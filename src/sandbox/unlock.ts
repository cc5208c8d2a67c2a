import type { UnlockScheduleStep } from '../api/schemas.ts';

/** A share of what a payment brings, and how many days after success it becomes available. */
export type UnlockRule = { days: number; percent_bps: number };

/** 80 % after 7 days, 20 % after 30 (contract 6.5). */
export const DEFAULT_UNLOCK_RULES: readonly UnlockRule[] = [
  { days: 7, percent_bps: 8000 },
  { days: 30, percent_bps: 2000 },
];

const DAY = 86_400;
const HALF_HOUR = 1800;

/**
 * The steps in which a payment that succeeded at `succeededAt` (unix seconds) becomes available
 * (service-api.md, "UnlockScheduleStep").
 *
 * Times are the :00 or :30 mark at or after the full days. Each step is rounded down and the last takes the
 * rest, so the amounts add up to `net` exactly.
 */
export const unlockSchedule = (
  rules: readonly UnlockRule[],
  net: number,
  succeededAt: number,
): UnlockScheduleStep[] => {
  let left = net;
  return rules.map(({ days, percent_bps }, index) => {
    const isLast = index === rules.length - 1;
    const amount = isLast ? left : Math.floor((net * percent_bps) / 10_000);
    left -= amount;
    return {
      step: index + 1,
      days,
      percent_bps,
      available_at: Math.ceil((succeededAt + days * DAY) / HALF_HOUR) * HALF_HOUR,
      amount,
      deducted: 0,
      remaining: amount,
      rescheduled: false,
    };
  });
};
