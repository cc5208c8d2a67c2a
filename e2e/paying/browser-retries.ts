/**
 * Payments over connections that are cut, in a real browser: the buyer presses once, the browser retries the request on
 * its own initiative, and the card is still charged once (outcomes 1.1, threat-model C49). A seed determines the cuts.
 */
import { expect, type Locator, type Page, type Request } from 'playwright/test';
import { CARD, checkoutPage, KNOWN_BUYER } from '../support/checkout-page.ts';
import type { Cut, Fate, FaultyProxy } from '../support/faulty-proxy.ts';
import type { Merchant } from '../support/merchant.ts';
import type { Intent, Service } from '../support/service.ts';

/** One buyer's actions, and the connections that are cut meanwhile. */
export type Plan = Fate & {
  /** Connections open before the press: the browser repeats a request only on a reused connection. */
  connections: number;
  /** The first card is declined, and the buyer uses another. */
  declinedFirst: boolean;
};

/** The result of one run. */
export type Run = {
  plan: Plan;
  presses: number;
  /** Confirms that the form sent, as its page sees it. */
  sent: number;
  /** Confirms that arrived, and how many of these the service got. */
  deliveries: number;
  acted: number;
  /** Confirms in the service's request log. */
  noted: number;
  /** Confirms that arrived on a reused connection. */
  warm: number;
  /** Reads that arrived after the first press. */
  reads: number;
  charges: number;
  /** The status at the service, the text on the screen, and the outcomes that the page received. */
  status: string;
  screen: string;
  outcomes: readonly string[];
};

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
const chances = (seed: number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const aCut = (chance: () => number, mustAct = false): Cut => {
  const draw = chance();
  return {
    acts: draw < 0.35 && !mustAct ? 'no' : draw < 0.7 ? 'first' : 'meanwhile',
    by: chance() < 0.5 ? 'fin' : 'reset',
  };
};

/**
 * Consecutive cuts, starting at the first delivery. One of the first two lets the service act, since a browser may give
 * up after the second: a payment that never arrived is settled only after twenty seconds, which failures.spec.ts tests.
 */
const cuts = (chance: () => number): readonly Cut[] => {
  const first = aCut(chance);
  const draw = chance();
  if (draw < 0.5) return [first];
  const second = aCut(chance, first.acts === 'no');
  return draw < 0.8 ? [first, second] : [first, second, aCut(chance)];
};

/** One plan for each run, drawn from the seed. */
export const createPlans = (seed: number, runs: number): readonly Plan[] => {
  const chance = chances(seed);
  return Array.from({ length: runs }, () => {
    const declinedFirst = chance() < 0.15;
    return {
      declinedFirst,
      // Without its answer, a decline takes longer to become certain than a run may last.
      confirm: [...(declinedFirst ? [aCut(chance), null] : []), ...cuts(chance)],
      retrieve: chance() < 0.2 ? [aCut(chance)] : [],
      connections: 1 + Math.floor(chance() * 3),
    };
  });
};

/** Sends several requests at the same time from the frame, which leaves their connections open. */
const useConnections = async (frame: Locator, path: string, count: number) => {
  await frame.evaluate(
    async (_, [address, times]) => {
      const ask = () => fetch(address, { method: 'POST', credentials: 'omit', body: '{}' });
      await Promise.all(Array.from({ length: times }, ask));
    },
    [path, count] as const,
  );
};

const RETRIEVE = '/partner/v1/client/payment_intents/retrieve';
/** In ms. A run takes two seconds; a busy machine must not fail it. */
const PATIENCE = 60_000;

const PAID = 'Payment received';

/** Carries out the plan on this page, and collects the result. */
export const payOnDyingConnections = async (
  page: Page,
  plan: Plan,
  { service, merchant, proxy }: { service: Service; merchant: Merchant; proxy: FaultyProxy },
): Promise<Run> => {
  const intent: Intent = await service.createIntent();
  await page.goto(
    merchant.serve({
      options: {
        publishableKey: service.keys.publishable,
        clientSecret: intent.client_secret,
        locale: 'en',
        defaultValues: KNOWN_BUYER,
      },
    }),
  );
  const checkout = checkoutPage(page);
  await checkout.ready();
  await useConnections(checkout.frame.locator(':root'), RETRIEVE, plan.connections);
  const seen = proxy.watch(intent.client_secret, plan);
  let sent = 0;
  const count = (request: Request) => {
    if (request.url().endsWith('/confirm')) sent += 1;
  };
  page.on('request', count);
  let presses = 0;
  const press = async (card: string) => {
    await checkout.fillCard(card);
    await checkout.pay();
    presses += 1;
  };
  if (plan.declinedFirst) {
    await press(CARD.declined);
    await expect(checkout.notice).toContainText('declined');
  }
  await press(CARD.visa);
  await checkout.outcome.waitFor({ timeout: PATIENCE });
  const screen = await checkout.outcome.innerText();
  await checkout.hears('result');
  page.off('request', count);
  await proxy.settled();
  const results = await checkout.events('result');
  const record = await service.record(intent.id);

  const confirms = seen.filter(({ route }) => route === 'confirm');
  return {
    plan,
    presses,
    sent,
    deliveries: confirms.length,
    acted: confirms.filter(({ cut }) => cut?.acts !== 'no').length,
    noted: record.confirms,
    warm: confirms.filter(({ warm }) => warm).length,
    reads: seen.length - confirms.length,
    charges: record.charges,
    status: record.payment_intent.status,
    screen,
    outcomes: results.map((result) =>
      typeof result === 'object' && result !== null && 'outcome' in result ? String(result.outcome) : '?',
    ),
  };
};

/** The problems of a run; empty if there are none. */
export const problemsOf = (run: Run): readonly string[] => [
  ...(run.charges === 1 ? [] : [`${run.charges} charges`]),
  ...(run.status === 'succeeded' ? [] : [`the service says ${run.status}`]),
  ...(run.screen === PAID ? [] : [`the buyer reads "${run.screen}"`]),
  ...(run.outcomes.join() === 'succeeded' ? [] : [`the page received ${run.outcomes.join() || 'nothing'}`]),
  ...(run.sent === run.presses
    ? []
    : [`${run.presses} presses, of which the form made ${run.sent} requests`]),
  ...(run.noted === run.acted
    ? []
    : [`${run.acted} deliveries reached the service, which noted ${run.noted}`]),
];

/** The figures of all runs as a table. */
export const formatTable = (
  engine: string,
  seed: number,
  seconds: number,
  runs: readonly Run[],
  wrong: number,
): string => {
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
  const counts = (of: (run: Run) => string) =>
    Object.entries(
      runs.reduce<Record<string, number>>((found, run) => {
        found[of(run)] = (found[of(run)] ?? 0) + 1;
        return found;
      }, {}),
    )
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const rows: readonly (readonly [string, string | number])[] = [
    ['engine', engine],
    ['runs', runs.length],
    ['presses', sum((run) => run.presses)],
    ['confirms the form sent', sum((run) => run.sent)],
    ['deliveries of a confirm', sum((run) => run.deliveries)],
    ['  most for one press', Math.max(...runs.map(({ deliveries, presses }) => deliveries - presses + 1))],
    ['  on a used connection', sum((run) => run.warm)],
    ['  that the service got', sum((run) => run.acted)],
    ['runs with more deliveries than presses', sum((run) => Number(run.deliveries > run.presses))],
    ['runs in which the service got one twice', sum((run) => Number(run.acted > run.presses))],
    ['charges', sum((run) => run.charges)],
    ['double charges', sum((run) => Number(run.charges > 1))],
    ['outcomes', counts((run) => run.outcomes.join('+') || 'none')],
    ['anything else wrong', wrong],
    ['seconds a run', (seconds / runs.length).toFixed(2)],
    ['seed', seed],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
};
