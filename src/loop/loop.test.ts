import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MUTATIONS } from './mutations.ts';
import { plans } from './plan.ts';
import { run } from './run.ts';

const RUNS = Number(process.env.LOOP_RUNS ?? 5000);

describe('paid exactly once, whatever breaks', () => {
  it(`no fault makes the form charge twice, show another amount than charged, or lie: ${RUNS} plans`, {
    timeout: 3_600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        expect((await run(plan)).violations).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the loop can fail', () => {
  it.each(Object.entries(MUTATIONS))(
    'it catches a form that %s',
    { timeout: 300_000 },
    async (_, mutation) => {
      const found = await fc.check(
        fc.asyncProperty(plans, async (plan) => (await run(plan, mutation)).violations.length === 0),
        { numRuns: 2000, endOnFailure: true, seed: 7 },
      );
      expect(found.failed).toBe(true);
    },
  );
});
