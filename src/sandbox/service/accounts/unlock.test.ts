import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFAULT_UNLOCK_RULES, unlockSchedule } from './unlock.ts';

const DAY = 86_400;

it('contract 6.5: 80 % after 7 days and 20 % after 30', () => {
  const at = Date.UTC(2026, 0, 1, 10, 30) / 1000;
  expect(unlockSchedule(DEFAULT_UNLOCK_RULES, 936, at)).toEqual([
    {
      step: 1,
      days: 7,
      percent_bps: 8000,
      available_at: at + 7 * DAY,
      amount: 748,
      deducted: 0,
      remaining: 748,
      rescheduled: false,
    },
    {
      step: 2,
      days: 30,
      percent_bps: 2000,
      available_at: at + 30 * DAY,
      amount: 188,
      deducted: 0,
      remaining: 188,
      rescheduled: false,
    },
  ]);
});

it('contract S3.7: available at a :00 or :30 mark, never early; amounts add up', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.integer({ min: 0, max: 4_000_000_000 }),
      (net, at) => {
        const steps = unlockSchedule(DEFAULT_UNLOCK_RULES, net, at);
        expect(steps.reduce((sum, step) => sum + step.amount, 0)).toBe(net);
        for (const step of steps) {
          const full = at + (step.days ?? 0) * DAY;
          expect(step.available_at % 1800).toBe(0);
          expect(step.available_at - full).toBeGreaterThanOrEqual(0);
          expect(step.available_at - full).toBeLessThan(1800);
          expect(step.amount).toBeGreaterThanOrEqual(0);
          expect(step.remaining).toBe(step.amount);
        }
      },
    ),
  );
});
