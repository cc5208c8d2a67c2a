import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Plan, plans } from './plan.ts';
import { createReport } from './report.ts';
import { simulate } from './simulate.ts';

const RUNS = Number(process.env.SIMULATION_RUNS ?? 5000);
const SEED = process.env.SIMULATION_SEED;

describe('threat-model C48, promises 1.11: paid exactly once, whatever breaks', () => {
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

/** Plans in which large runs, or an exhaustive search, found a defect of the form or of these invariants; shrunk. */
const FOUND: readonly (readonly [string, Plan])[] = [
  [
    'a confirm answered with 429 and delivered once more, which paid; then a 404 to the read: "failed"',
    {
      attempts: 1,
      holdFailedAttempts: false,
      attempt: { seconds: 0, told: 'status' },
      card: '4000000000010068',
      tabSupport: 'present',
      renewal: null,
      beforePay: null,
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
      attempt: { seconds: 0, told: 'status' },
      card: '4000000000010076',
      tabSupport: 'present',
      renewal: null,
      beforePay: null,
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
  [
    'the last attempt still runs, the service calls that pending, and the next press is refused with 400: paid twice',
    {
      attempts: 1,
      holdFailedAttempts: false,
      attempt: { seconds: 120, told: 'nothing' },
      card: '4242424242424242',
      tabSupport: 'absent',
      renewal: { gives: 'another', afterMs: 0 },
      beforePay: null,
      actions: [
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'wait', ms: 500 },
        { do: 'open' },
        { do: 'press', tab: 1, times: 1, calm: true, everywhere: false },
        { do: 'wait', ms: 60_000 },
      ],
      faults: { retrieve: [], confirm: [{ never: true, act: true }], release: [] },
    },
  ],
  [
    'a confirm arrives while a read is on its way back, which says pending: "not charged"',
    {
      attempts: 5,
      holdFailedAttempts: false,
      attempt: { seconds: 0, told: 'status' },
      card: '4242424242424242',
      tabSupport: 'present',
      renewal: null,
      beforePay: null,
      actions: [
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'wait', ms: 60_000 },
      ],
      faults: {
        retrieve: [{}, {}, {}, {}, { delay_seconds: 9 }],
        confirm: [{ again_after: 19, cut: 'before' }],
        release: [],
      },
    },
  ],
  [
    'the page says yes to a press that was given up, while a later press that it allowed waits for the lock',
    {
      attempts: 1,
      holdFailedAttempts: false,
      attempt: { seconds: 0, told: 'status' },
      card: '4242424242424242',
      tabSupport: 'mute',
      renewal: null,
      beforePay: [
        { does: 'allow', afterMs: 12_000 },
        { does: 'raise', afterMs: 0 },
      ],
      actions: [
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'wait', ms: 600 },
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
      ],
      faults: { retrieve: [], confirm: [], release: [] },
    },
  ],
  [
    'all attempts are used, and the merchant cancels while the page is asked for another intent',
    {
      attempts: 3,
      holdFailedAttempts: false,
      attempt: { seconds: 0, told: 'nothing' },
      card: '4000000000010035',
      tabSupport: 'present',
      renewal: { gives: 'the same', afterMs: 2000 },
      beforePay: [{ does: 'raise', afterMs: 0 }],
      actions: [
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'open' },
        { do: 'press', tab: 0, times: 1, calm: true, everywhere: false },
        { do: 'press', tab: 0, times: 1, calm: false, everywhere: true },
        { do: 'press', tab: 1, times: 1, calm: true, everywhere: false },
        { do: 'cancel' },
      ],
      faults: { retrieve: [], confirm: [], release: [] },
    },
  ],
  [
    'more is queued up in a frozen page than the clock gave it turns for: the clock ran on while the page thawed',
    {
      attempts: 1,
      holdFailedAttempts: false,
      attempt: { seconds: 0, told: 'status' },
      card: '4242424242424242',
      tabSupport: 'present',
      renewal: null,
      beforePay: [{ does: 'raise', afterMs: 0 }],
      actions: [
        { do: 'freeze', tab: 0, ms: 20_601 },
        { do: 'wait', ms: 600 },
        { do: 'press', tab: 0, times: 1, calm: false, everywhere: false },
        { do: 'open' },
        { do: 'wait', ms: 10_000 },
        { do: 'restore', tab: 0 },
        { do: 'close', tab: 1 },
      ],
      faults: { retrieve: [], confirm: [], release: [] },
    },
  ],
];

describe('a defect that a plan found stays fixed', () => {
  it.each(FOUND)('%s', async (_, plan) => {
    expect((await simulate(plan)).violations).toEqual([]);
  });
});
