import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../fuzz.ts';
import { FORM_MISTAKES } from '../mistakes/form-mistakes.ts';
import { type Plan, plans } from './plan.ts';
import { createReport } from './report.ts';
import { simulate } from './simulate.ts';

const RUNS = Number(process.env.SIMULATION_RUNS ?? runs(5000));
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

type Action = Plan['actions'][number];
const press = (tab: number, calm = true, everywhere = false): Action => ({
  do: 'press',
  tab,
  times: 1,
  calm,
  everywhere,
});
const swap = (cancels: boolean): Action => ({ do: 'swap', tab: 0, by: 100, cancels });
const wait = (ms: number): Action => ({ do: 'wait', ms });

/** A plan without faults, except those given. */
const plan = (
  actions: readonly Action[],
  { faults, ...more }: Omit<Partial<Plan>, 'faults'> & { faults?: Partial<Plan['faults']> },
): Plan => ({
  attempts: 1,
  holdFailedAttempts: false,
  attempt: { seconds: 0, told: 'status' },
  card: '4242424242424242',
  tabSupport: 'present',
  renewal: null,
  beforePay: null,
  actions: [...actions],
  faults: { retrieve: [], confirm: [], release: [], ...faults },
  ...more,
});

/** Plans in which large runs, or an exhaustive search, found a defect of the form or of these invariants; shrunk. */
const FOUND: Readonly<Record<string, Plan>> = {
  'a form is removed while a swap waits for the lock: it waited on, and then took the lock': plan(
    [swap(false), { do: 'reload', tab: 0 }, { do: 'hide', tab: 0, ms: 0 }, press(0, false)],
    { tabSupport: 'mute' },
  ),
  'a confirm answered with 429 and delivered once more, which paid; then a 404 to the read: "failed"': plan(
    [press(0), press(0), { do: 'hide', tab: 0, ms: 0 }, { do: 'reload', tab: 0 }, press(0, false)],
    {
      card: '4000000000010068',
      faults: { retrieve: [{ arrives_after: 0 }, { status: 404 }], confirm: [{ again_after: 0 }] },
    },
  ),
  'a confirm that arrives half a minute after the form gave it up, and an odd refusal of the next: "failed"':
    plan([press(0), wait(5000), press(0, false), press(0)], {
      card: '4000000000010076',
      faults: {
        confirm: [
          { deliveries: 2 },
          { again_after: 30, cut: 'before' },
          { status: 409, code: 'internal_error' },
        ],
      },
    }),
  'the last attempt still runs, the service calls that pending, and the next press is refused with 400: paid twice':
    plan([press(0), wait(500), { do: 'open' }, press(1), wait(60_000)], {
      attempt: { seconds: 120, told: 'nothing' },
      tabSupport: 'absent',
      renewal: { gives: 'another', afterMs: 0 },
      faults: { confirm: [{ never: true, act: true }] },
    }),
  'a confirm arrives while a read is on its way back, which says pending: "not charged"': plan(
    [press(0), wait(60_000)],
    {
      attempts: 5,
      faults: {
        retrieve: [{}, {}, {}, {}, { delay_seconds: 9 }],
        confirm: [{ again_after: 19, cut: 'before' }],
      },
    },
  ),
  'the page says yes to a press that was given up, while a later press that it allowed waits for the lock':
    plan([press(0), wait(600), press(0), press(0)], {
      tabSupport: 'mute',
      beforePay: [
        { does: 'allow', afterMs: 12_000 },
        { does: 'raise', afterMs: 0 },
      ],
    }),
  'all attempts are used, and the merchant cancels while the page is asked for another intent': plan(
    [
      ...[press(0), press(0), press(0), { do: 'open' } as const, press(0)],
      ...[press(0, false, true), press(1), { do: 'cancel' } as const],
    ],
    {
      attempts: 3,
      attempt: { seconds: 0, told: 'nothing' },
      card: '4000000000010035',
      renewal: { gives: 'the same', afterMs: 2000 },
      beforePay: [{ does: 'raise', afterMs: 0 }],
    },
  ),
  'more is queued up in a frozen page than the clock gave it turns for: the clock ran on while the page thawed':
    plan(
      [
        ...[
          { do: 'freeze', tab: 0, ms: 20_601 } as const,
          wait(600),
          press(0, false),
          { do: 'open' } as const,
        ],
        ...[wait(10_000), { do: 'restore', tab: 0 } as const, { do: 'close', tab: 1 } as const],
      ],
      { beforePay: [{ does: 'raise', afterMs: 0 }] },
    ),
};

it('outcomes 2.4: the simulation notices a form that forgets having said that nothing was charged', async () => {
  const wrong = FORM_MISTAKES.find(
    ({ name }) => name === 'forgets that the decline of the last attempt was shown',
  )?.wrong;
  // No random plan of a short run combines the last attempt with an outage until the form gives up.
  const outage = plan([press(0), wait(1000), { do: 'outage', ms: 900_000 }], {
    card: '4000000000000002',
    attempt: { seconds: 0, told: 'nothing' },
  });
  expect((await simulate(outage)).violations).toEqual([]);
  expect((await simulate(outage, wrong)).violations).toContain(
    'outcomes 2.4: said unknown after charged: no, and nothing was tried in between',
  );
});

describe('a defect found by a plan stays fixed', () => {
  it.each(Object.entries(FOUND))('%s', async (_, plan) => {
    expect((await simulate(plan)).violations).toEqual([]);
  });
});

it('promises 1.11: the simulation notices a form that takes another intent while a confirm is open', async () => {
  const wrong = FORM_MISTAKES.find(
    ({ name }) => name === 'lets another intent replace the current one while a confirm is open',
  )?.wrong;
  const swapped = plan([press(0), swap(false), wait(60_000)], {
    faults: { confirm: [{ arrives_after: 20 }] },
  });
  expect((await simulate(swapped)).violations).toEqual([]);
  expect((await simulate(swapped, wrong)).violations).toContain(
    'promises 1.11: the buyer knows how a press ended, and the page does not',
  );
});
