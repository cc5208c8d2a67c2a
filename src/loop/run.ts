/**
 * The whole loop in one process: real client, real machine, real view, real sandbox, a network that fails as a
 * plan says and a clock that is moved. Every promise of the form is watched while it runs, and again when the
 * network has healed and everything has come to rest.
 */
import { createManualClock } from '../api/manual-clock.fixture.ts';
import { TIMING } from '../payment/timing.ts';
import type { Fault } from '../sandbox/faults/fault.ts';
import { settingsOf } from '../sandbox/options.ts';
import { sandboxOver } from '../sandbox/sandbox.ts';
import { createService, type Service } from '../sandbox/service.ts';
import { createMerchant } from './merchant.ts';
import { createNeighbours } from './neighbours.ts';
import type { Action, Plan } from './plan.ts';
import { createPromises, type Sight } from './promises.ts';
import { closeTab, type Mutation, openTab, type Press, press, screenOf, type Tab } from './tab.ts';

/** What a run was like, for the table that is printed. */
export type Report = {
  /** Promises that were broken; empty is what everybody wants. */
  violations: readonly string[];
  seen: ReadonlySet<Sight>;
  /** Presses of Pay that were believed, confirms that were sent for them, and how often one was delivered. */
  presses: number;
  confirms: number;
  deliveries: number;
  outcome: string;
};

/** A request to the sandbox in this process is read and answered within as many turns of the event loop. */
const TURNS = 3;
const NEW_YEAR = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
/** No state that waits may last longer once the network is well (polling goes on for ten minutes). */
const PATIENCE = 25 * MINUTE;
/** How long a calm buyer waits for the Pay button, and how often they look, in ms. */
const BUYERS_PATIENCE = MINUTE;
const GLANCE = 2000;
const MOST_TABS = 3;

/** Runs a plan. */
export const run = async (plan: Plan, mutation: Mutation = {}): Promise<Report> => {
  const clock = createManualClock(TURNS);
  const faults: Record<string, Fault[]> = {
    'client.retrieve': [...plan.faults.retrieve],
    'client.confirm': [...plan.faults.confirm],
    'client.release': [...plan.faults.release],
  };
  const service = createService(
    settingsOf({
      clock: { now: () => NEW_YEAR + clock.now(), wait: clock.wait },
      seed: 1,
      attempts: plan.attempts,
      holdFailedAttempts: plan.holdFailedAttempts,
      clientRateLimit: 1_000_000, // the form's own frugality is what is watched here
      faults: (route) => faults[route]?.shift(),
    }),
  );
  const sandbox = sandboxOver(service);
  const merchant = createMerchant(sandbox);
  await merchant.createIntent();
  const promises = createPromises(service, clock, plan);

  const tabs: Tab[] = [];
  const pressed: Press[] = [];
  let chance = 0.5;
  const random = () => {
    chance = (chance * 7.13 + 0.37) % 1;
    return chance;
  };

  let isWell = false;
  const neighbours = createNeighbours(plan.courtesy);
  const secretOf =
    ({ gives, afterMs }: NonNullable<Plan['renewal']>) =>
    async (over: string | null) => {
      await clock.wait(isWell ? 0 : afterMs);
      if (over !== null && gives === 'none') return null;
      return gives === 'another' ? merchant.secretAfter(over) : merchant.latest().secret;
    };
  const open = (card: string) => {
    const setting = { sandbox, clock, random, watcher: promises.watcher, neighbours, mutation };
    const source = plan.renewal ? secretOf(plan.renewal) : merchant.latest().secret;
    tabs.push(openTab(setting, { source, card }));
  };
  const close = async (tab: Tab) => {
    closeTab(tab);
    await clock.advance(0);
    promises.closed(tab);
  };

  /** Waits for the Pay button, as somebody does who wants to pay, and long enough for a press to be believed. */
  const untilPayable = async (tab: Tab) => {
    for (let waited = 0; waited < BUYERS_PATIENCE && tab.isOpen; waited += GLANCE) {
      const screen = screenOf(tab);
      if (screen.screen === 'outcome' && screen.action === null) return;
      if (screen.screen === 'form' && screen.action.kind === 'pay') break;
      const offersRetry = screen.screen === 'outcome' || screen.action.kind === 'retry';
      if (offersRetry) tab.payment.send({ type: 'retry_requested' });
      await clock.advance(GLANCE);
    }
    await clock.advance(TIMING.guard + 100);
  };

  const pay = (tab: Tab) => {
    const made = press(tab, pressed.length + 1);
    if (!made) return;
    if (pressed.some((other) => other.tab !== tab)) promises.note('two tabs pressed');
    pressed.push(made);
  };

  const act = async (action: Action) => {
    if (action.do === 'wait') return clock.advance(action.ms);
    if (action.do === 'open') {
      if (tabs.filter(({ isOpen }) => isOpen).length < MOST_TABS) open(plan.card);
      return;
    }
    if (action.do === 'change_amount') {
      const { id } = merchant.latest();
      const { amount = 0 } = service.store.intents.get(id) ?? {};
      return merchant.setAmount(id, amount + action.by);
    }
    if (action.do === 'cancel') return merchant.cancel(merchant.latest().id);
    const openTabs = tabs.filter(({ isOpen }) => isOpen);
    const tab = openTabs[action.tab % openTabs.length];
    if (!tab) return;
    const { payment, life } = tab;
    switch (action.do) {
      case 'press':
        if (action.calm) await untilPayable(tab);
        for (const one of action.everywhere ? openTabs : [tab]) {
          for (let time = 0; time < action.times; time += 1) pay(one);
        }
        return;
      case 'retry':
        return payment.send({ type: 'retry_requested' });
      case 'type_card':
        tab.card = action.number;
        return;
      case 'hide':
      case 'freeze':
      case 'offline':
        if (tab.openConfirms > 0) promises.note('the page slept while a press was under way');
        life.sleep(action.do, action.ms);
        return;
      case 'restore':
        return payment.send({ type: 'restored' });
      case 'refresh':
        return payment.send({ type: 'refresh_requested' });
      case 'close':
        return close(tab);
      case 'reload':
        await close(tab);
        return open(tab.card);
      default:
        action satisfies never;
    }
  };

  open(plan.card);
  await clock.advance(0);
  for (const action of plan.actions) {
    await act(action);
    await clock.advance(0);
  }

  // The network heals, somebody looks, and everything comes to rest.
  isWell = true;
  for (const left of Object.values(faults)) left.length = 0;
  const live = () => tabs.filter(({ isOpen }) => isOpen);
  if (live().length === 0) open(plan.card);
  await clock.advance(PATIENCE);
  for (const { payment } of live()) {
    payment.send({ type: 'retry_requested' });
    payment.send({ type: 'restored' });
  }
  await clock.advance(PATIENCE);
  promises.atRest(live(), pressed);

  const outcome = live().map(({ payment }) => payment.state.peek().status)[0] ?? 'closed';
  for (const tab of live()) await close(tab);
  sandbox.close();
  await clock.advance(0);

  const confirms = tabs.reduce((sum, tab) => sum + tab.confirms, 0);
  const deliveries = merchant.intents.reduce((sum, { id }) => sum + deliveriesOf(service, id), 0);
  if (deliveries > pressed.length) promises.note('more deliveries of a confirm than presses');
  return {
    violations: clock.waiting() > 0 ? [...promises.broken, 'I9: a timer after the end'] : promises.broken,
    seen: promises.seen,
    presses: pressed.length,
    confirms,
    deliveries,
    outcome: `${service.store.intents.get(merchant.latest().id)?.status}, form ${outcome}`,
  };
};

/** How often a confirm of an intent reached the service. */
const deliveriesOf = ({ journal }: Service, id: string): number =>
  journal.of(id).filter(({ route }) => route === 'client.confirm').length;
