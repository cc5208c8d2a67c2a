import type { UnlockScheduleStep } from '../../../api/schemas.ts';
import type { Deduction, UnlockRule } from '../store/records.ts';

/** 80 % after 7 days, 20 % after 30 (contract 6.5). */
export const DEFAULT_UNLOCK_RULES: readonly UnlockRule[] = [
  { days: 7, percent_bps: 8000 },
  { days: 30, percent_bps: 2000 },
];

/**
 * The schedule of payments made before unlock schedules existed. Ours: everything at once, at the first mark. The API
 * description shows only `days: null`.
 */
const BEFORE_SCHEDULES = [{ days: null, percent_bps: 10_000 }] as const;

const DAY = 86_400;
const HALF_HOUR = 1800;

/** Returns true for a :00 or :30 mark (unix seconds). */
export const isMark = (seconds: number): boolean => seconds % HALF_HOUR === 0;

/**
 * The steps in which a payment that succeeded at `succeededAt` (unix seconds) becomes available (contract S3.7).
 * `rules` is `null` for a payment made before unlock schedules existed.
 *
 * Each step unlocks at the :00 or :30 mark at or after its full days. Each amount is rounded down and the last step
 * takes the rest, so the amounts add up to `net` exactly.
 */
export const unlockSchedule = (
  rules: readonly UnlockRule[] | null,
  net: number,
  succeededAt: number,
): UnlockScheduleStep[] => {
  let left = net;
  const shares = rules ?? BEFORE_SCHEDULES;
  return shares.map(({ days, percent_bps }, index) => {
    const isLast = index === shares.length - 1;
    const amount = isLast ? left : Math.floor((net * percent_bps) / 10_000);
    left -= amount;
    return {
      step: index + 1,
      days,
      percent_bps,
      available_at: Math.ceil((succeededAt + (days ?? 0) * DAY) / HALF_HOUR) * HALF_HOUR,
      amount,
      deducted: 0,
      remaining: amount,
      rescheduled: false,
    };
  });
};

/** Returns true until the step becomes available. `now` is in milliseconds. */
export const isLocked = (step: Pick<UnlockScheduleStep, 'available_at'>, now: number): boolean =>
  now < step.available_at * 1000;

/** A payment's unlock steps, with the amounts that refunds have deducted. */
type Schedule = readonly Readonly<UnlockScheduleStep>[];

/** Deducts an amount from a step. */
const lessBy = (step: Readonly<UnlockScheduleStep>, amount: number): UnlockScheduleStep => ({
  ...step,
  deducted: step.deducted + amount,
  remaining: step.remaining - amount,
});

/**
 * Deducts `amount` from a payment's locked steps, the earliest unlock time first, and the rest from the available
 * balance (contract S6.5).
 */
export const deduct = (
  steps: Schedule,
  amount: number,
  now: number,
): { unlock_schedule: Schedule; deduction: Deduction } => {
  const locked = steps
    .filter((step) => isLocked(step, now))
    .sort((a, b) => a.available_at - b.available_at || a.step - b.step);
  let available = amount;
  const parts = locked.flatMap(({ step, remaining }) => {
    const part = Math.min(remaining, available);
    available -= part;
    return part === 0 ? [] : { step, amount: part };
  });
  const partOf = (number: number) => parts.find(({ step }) => step === number)?.amount ?? 0;
  return {
    unlock_schedule: steps.map((step) => lessBy(step, partOf(step.step))),
    deduction: { steps: parts, available },
  };
};

/** Reverses a deduction. Each part returns to its step, even if the step has unlocked in the meantime. */
export const giveBack = (steps: Schedule, deduction: Deduction): Schedule =>
  steps.map((step) => lessBy(step, -(deduction.steps.find((one) => one.step === step.step)?.amount ?? 0)));

/** Moves the unlock time of a step to `at` (unix seconds) and marks the step as `rescheduled`. */
export const moveStep = (steps: Schedule, number: number, at: number): Schedule =>
  steps.map((step) =>
    step.step === number && step.available_at !== at
      ? { ...step, available_at: at, rescheduled: true }
      : step,
  );
