/**
 * Form and service in one process: the session that buyers use and the whole sandbox, with a network that fails as
 * planned and a manually advanced clock. The form's invariants are checked while the plan runs, and again once the
 * network works and everything has settled.
 */

import { createManualClock } from '../../api/clock/manual-clock.ts';
import type { FormParts } from '../tab/form-session.ts';
import type { Sight } from './findings.ts';
import { createInvariants } from './invariants.ts';
import type { Plan, PlannedAction } from './plan.ts';
import { createSharedTabs } from './shared-tabs.ts';
import { createSimulatedBuyer } from './simulated-buyer.ts';
import { createMerchant } from './simulated-merchant.ts';
import { createSimulatedPage } from './simulated-page.ts';
import { createSimulatedService, deliveriesOf } from './simulated-service.ts';
import { openTab } from './simulated-tab.ts';

/** The result of a run. */
export type SimulationOutcome = {
  /** Broken invariants. */
  violations: readonly string[];
  seen: ReadonlySet<Sight>;
  /** Presses of Pay that were accepted, confirms sent for them, and the number of times one reached the service. */
  presses: number;
  confirms: number;
  deliveries: number;
  outcome: string;
};

/** Number of event loop turns in which a request to the in-process sandbox is read and answered. */
const TURNS = 3;
/** Limit for any waiting state once the network works: the form polls for ten minutes. In ms. */
const LONGEST_WAIT = 25 * 60_000;

/** Runs a plan. */
export const simulate = async (plan: Plan, wrong: FormParts = {}): Promise<SimulationOutcome> => {
  const clock = createManualClock(TURNS);
  const { service, sandbox, forBrowsers, cutReads, mend } = createSimulatedService(plan, clock);
  const merchant = createMerchant(sandbox);
  await merchant.createIntent();
  const invariants = createInvariants(service, clock, plan);
  const page = createSimulatedPage(plan, clock, merchant, service);
  const { observer } = invariants;
  const sharedTabs = createSharedTabs(plan.tabSupport);
  const random = createChance();
  const newTab = (card: string) =>
    openTab(
      { sandbox: forBrowsers, clock, random, observer, sharedTabs, wrong },
      { source: page.secretSource(), card, beforePay: page.beforePay },
    );
  const buyer = createSimulatedBuyer(plan.card, newTab, clock, invariants);

  const act = (action: PlannedAction) => {
    switch (action.do) {
      case 'wait':
        return clock.advance(action.ms);
      case 'open':
        return buyer.openTab();
      case 'outage':
        cutReads(true);
        return clock.advance(action.ms).then(() => cutReads(false));
      case 'change_amount':
        return page.changeAmount(action.by);
      case 'cancel':
        return merchant.cancel(merchant.latest().id);
      case 'swap': {
        const open = buyer.open();
        const tab = open[action.tab % open.length];
        return tab && page.swap(tab, action);
      }
      default:
        return buyer.act(action);
    }
  };

  buyer.openTab();
  await clock.advance(0);
  for (const action of plan.actions) {
    await act(action);
    await clock.advance(0);
  }

  // The network works again, someone looks at the form, and everything settles.
  mend();
  page.mend();
  if (buyer.open().length === 0) buyer.openTab();
  await clock.advance(LONGEST_WAIT);
  invariants.untouched(buyer.open());
  for (const { session, life } of buyer.open()) {
    session.retry();
    life.restore();
  }
  await clock.advance(LONGEST_WAIT);
  invariants.atRest(buyer.open(), buyer.pressed);

  const outcome = buyer.open().map(({ session }) => session.state.peek().status)[0] ?? 'closed';
  for (const tab of buyer.open()) await buyer.close(tab);
  sandbox.close();
  await clock.advance(0);

  const presses = buyer.pressed.length;
  const deliveries = merchant.intents.reduce((sum, { id }) => sum + deliveriesOf(service, id), 0);
  if (deliveries > presses) invariants.note('more deliveries of a confirm than presses');
  return {
    violations: clock.waiting() > 0 ? [...invariants.broken, 'I9: a timer after the end'] : invariants.broken,
    seen: invariants.seen,
    presses,
    confirms: buyer.tabs.reduce((sum, tab) => sum + tab.confirms, 0),
    deliveries,
    outcome: `${service.store.intents.get(merchant.latest().id)?.status}, form ${outcome}`,
  };
};

/** A random source that is the same in each run. */
const createChance = () => {
  let chance = 0.5;
  return () => {
    chance = (chance * 7.13 + 0.37) % 1;
    return chance;
  };
};
