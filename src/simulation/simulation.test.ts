import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MUTATIONS } from './mutations.ts';
import { type Plan, plans } from './plan.ts';
import { createReport } from './report.ts';
import { simulate } from './simulate.ts';

const RUNS = Number(process.env.SIMULATION_RUNS ?? 5000);
const SEED = process.env.SIMULATION_SEED;

describe('threat-model C48: paid exactly once, whatever breaks', () => {
  const title = `no fault makes the form charge twice, show another amount than charged, or lie: ${RUNS} plans`;
  it(title, { timeout: 3_600_000 }, async () => {
    const report = createReport();
    const property = fc.asyncProperty(plans, async (plan) => {
      const outcome = await simulate(plan);
      report.add(outcome);
      expect(outcome.violations).toEqual([]);
    });
    try {
      await fc.assert(property, { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) });
    } finally {
      // biome-ignore lint/suspicious/noConsole: the table is what the big run is run for
      if (process.env.SIMULATION_TABLE) console.log(`\nseed ${SEED}\n${report.table()}\n`);
    }
  });
});

/** Plans in which large runs found a defect, shrunk. */
const FOUND: readonly (readonly [string, Plan])[] = [
  [
    'a confirm answered with 429 and delivered once more, which paid; then a 404 to the read: "failed"',
    {
      attempts: 1,
      holdFailedAttempts: false,
      card: '4000000000010068',
      tabSupport: 'present',
      renewal: null,
      actions: [
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'hide', tab: 0, ms: 0 },
        { do: 'reload', tab: 0 },
        { do: 'press', tab: 0, times: 1, calm: false, everywhere: false },
      ],
      faults: {
        retrieve: [{ arrives_after: 0 }, { status: 404 }],
        confirm: [{ again_after: 0 }],
        release: [],
      },
    },
  ],
  [
    'a confirm that arrives half a minute after the form gave it up, and an odd refusal of the next: "failed"',
    {
      attempts: 1,
      holdFailedAttempts: false,
      card: '4000000000010076',
      tabSupport: 'present',
      renewal: null,
      actions: [
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'wait', ms: 5000 },
        { do: 'press', tab: 0, times: 1, calm: false, everywhere: false },
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
      ],
      faults: {
        retrieve: [],
        confirm: [
          { deliveries: 2 },
          { again_after: 30, cut: 'before' },
          { status: 409, code: 'internal_error' },
        ],
        release: [],
      },
    },
  ],
];

describe('a defect that a plan found stays fixed', () => {
  it.each(FOUND)('%s', async (_, plan) => {
    expect((await simulate(plan)).violations).toEqual([]);
  });
});

describe('the simulation can fail', () => {
  it.each(Object.entries(MUTATIONS))(
    'it catches a form that %s',
    { timeout: 300_000 },
    async (_, { breaks, ...mutation }) => {
      const keeps = async (plan: Plan) =>
        !(await simulate(plan, mutation)).violations.some((invariant) => invariant.startsWith(breaks));
      const found = await fc.check(fc.asyncProperty(plans, keeps), {
        numRuns: 2000,
        endOnFailure: true,
        seed: 7,
      });
      expect(found.failed).toBe(true);
    },
  );
});
