import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MUTATIONS } from './mutations.ts';
import { type Plan, plans } from './plan.ts';
import { run } from './run.ts';
import { createTally } from './tally.ts';

const RUNS = Number(process.env.LOOP_RUNS ?? 5000);
const SEED = process.env.LOOP_SEED;

describe('paid exactly once, whatever breaks', () => {
  const title = `no fault makes the form charge twice, show another amount than charged, or lie: ${RUNS} plans`;
  it(title, { timeout: 3_600_000 }, async () => {
    const tally = createTally();
    const property = fc.asyncProperty(plans, async (plan) => {
      const report = await run(plan);
      tally.add(report);
      expect(report.violations).toEqual([]);
    });
    try {
      await fc.assert(property, { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
    } finally {
      // biome-ignore lint/suspicious/noConsole: the table is what the big run is run for
      if (process.env.LOOP_TABLE) console.log(`\nseed ${SEED}\n${tally.table()}\n`);
    }
  });
});

describe('the loop can fail', () => {
  it.each(Object.entries(MUTATIONS))(
    'it catches a form that %s',
    { timeout: 300_000 },
    async (_, { breaks, ...mutation }) => {
      const keeps = async (plan: Plan) =>
        !(await run(plan, mutation)).violations.some((promise) => promise.startsWith(breaks));
      const found = await fc.check(fc.asyncProperty(plans, keeps), {
        numRuns: 2000,
        endOnFailure: true,
        seed: 7,
      });
      expect(found.failed).toBe(true);
    },
  );
});
