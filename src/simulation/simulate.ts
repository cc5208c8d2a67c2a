/**
 * Form and service in one process: the session that buyers use and the whole sandbox, with a network that fails as a
 * plan says and a clock that is moved. The form's invariants are checked while the plan runs, and again when the
 * network works and everything has settled.
 */
import { createManualClock } from '../api/manual-clock.ts';
import { TIMING } from '../payment/timing.ts';
import type { Fault } from '../sandbox/faults/fault.ts';
import type { Service } from '../sandbox/http/service.ts';
import { settingsOf } from '../sandbox/options.ts';
import { type Sandbox, sandboxOver } from '../sandbox/sandbox.ts';
import { createService } from '../sandbox/service.ts';
import { createInvariants, type Sight } from './invariants.ts';
import { type Action, type BeforePay, NEW_YEAR, type Plan } from './plan.ts';
import { createSharedTabs } from './shared-tabs.ts';
import { createMerchant } from './simulated-merchant.ts';
import {
  closeTab,
  type Mutation,
  openTab,
  type Press,
  press,
  type SimulatedBeforePay,
  type Tab,
} from './simulated-tab.ts';

/** What came of a run. */
export type Outcome = {
  /** Invariants that were broken. */
  violations: readonly string[];
  seen: ReadonlySet<Sight>;
  /** Presses of Pay that were accepted, confirms sent for them, and how often one reached the service. */
  presses: number;
  confirms: number;
  deliveries: number;
  outcome: string;
};

/** A request to the sandbox in this process is read and answered within as many turns of the event loop. */
const TURNS = 3;
const MINUTE = 60_000;
/** No state that waits may last longer once the network works: the form polls for ten minutes. */
const LONGEST_WAIT = 25 * MINUTE;
/** How long a calm buyer waits for the Pay button, and how often they look, in ms. */
const BUYER_WAITS = MINUTE;
const BUYER_LOOKS = 2000;
const MOST_TABS = 3;
const ALLOW: BeforePay = { does: 'allow', afterMs: 0 };

/** Runs a plan. */
export const simulate = async (plan: Plan, mutation: Mutation = {}): Promise<Outcome> => {
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
      attemptSeconds: plan.attempt.seconds,
      runningAttempts: plan.attempt.told === 'status' ? 'processing' : 'pending',
      clientRateLimit: 1_000_000, // high, since the form's own limit is under test
      faults: (route) => faults[route]?.shift(),
    }),
  );
  const sandbox = sandboxOver(service);
  const merchant = createMerchant(sandbox);
  await merchant.createIntent();
  const invariants = createInvariants(service, clock, plan);

  const tabs: Tab[] = [];
  const pressed: Press[] = [];
  let chance = 0.5;
  const random = () => {
    chance = (chance * 7.13 + 0.37) % 1;
    return chance;
  };

  let isNetworkWorking = false;
  const sharedTabs = createSharedTabs(plan.tabSupport);
  const secretOf =
    ({ gives, afterMs }: NonNullable<Plan['renewal']>) =>
    async (over: string | null) => {
      await clock.wait(isNetworkWorking ? 0 : afterMs);
      if (over !== null && gives === 'none') return null;
      return gives === 'another' ? merchant.secretAfter(over) : merchant.latest().secret;
    };
  const beforePayAnswers = [...(plan.beforePay ?? [])];
  const beforePay: SimulatedBeforePay = async (refresh) => {
    const { does, afterMs } = (isNetworkWorking ? null : beforePayAnswers.shift()) ?? ALLOW;
    await clock.wait(afterMs);
    if (does === 'nothing') return new Promise(() => undefined);
    if (does === 'fail') return { kind: 'failed' };
    if (does === 'refuse') return { kind: 'refused', message: null };
    if (does === 'raise') {
      await changeAmount(100);
      refresh();
    }
    return { kind: 'allowed' };
  };
  const changeAmount = (by: number) => {
    const { id } = merchant.latest();
    const { amount = 0 } = service.store.intents.get(id) ?? {};
    return merchant.setAmount(id, amount + by);
  };
  const open = (card: string) => {
    const setting = {
      sandbox: plan.attempt.told === 'nothing' ? untold(sandbox) : sandbox,
      clock,
      random,
      observer: invariants.observer,
      sharedTabs,
      mutation,
    };
    const source = plan.renewal ? secretOf(plan.renewal) : merchant.latest().secret;
    tabs.push(openTab(setting, { source, card, beforePay: plan.beforePay ? beforePay : undefined }));
  };
  const close = async (tab: Tab) => {
    closeTab(tab);
    await clock.advance(0);
    invariants.closed(tab);
  };

  /** Waits for the Pay button, and then long enough for a press to be accepted. */
  const untilPayable = async (tab: Tab) => {
    for (let waited = 0; waited < BUYER_WAITS && tab.isOpen; waited += BUYER_LOOKS) {
      const screen = tab.session.view.peek();
      if (screen.screen === 'outcome' && screen.action === null) return;
      if (screen.screen === 'form' && screen.action.kind === 'pay') break;
      const offersRetry = screen.screen === 'outcome' || screen.action.kind === 'retry';
      if (offersRetry) tab.session.retry();
      await clock.advance(BUYER_LOOKS);
    }
    await clock.advance(TIMING.pressGuard + 100);
  };

  const pay = (tab: Tab) => {
    const made = press(tab, pressed.length + 1);
    if (!made) return;
    if (pressed.some((other) => other.tab !== tab)) invariants.note('two tabs pressed');
    pressed.push(made);
  };

  const act = async (action: Action) => {
    if (action.do === 'wait') return clock.advance(action.ms);
    if (action.do === 'open') {
      if (tabs.filter(({ isOpen }) => isOpen).length < MOST_TABS) open(plan.card);
      return;
    }
    if (action.do === 'change_amount') return changeAmount(action.by);
    if (action.do === 'cancel') return merchant.cancel(merchant.latest().id);
    const openTabs = tabs.filter(({ isOpen }) => isOpen);
    const tab = openTabs[action.tab % openTabs.length];
    if (!tab) return;
    const { session, life } = tab;
    switch (action.do) {
      case 'press':
        if (action.calm) await untilPayable(tab);
        for (const one of action.everywhere ? openTabs : [tab]) {
          for (let time = 0; time < action.times; time += 1) pay(one);
        }
        return;
      case 'retry':
        return session.retry();
      case 'type_card':
        tab.card = action.number;
        return;
      case 'hide':
      case 'freeze':
      case 'offline':
        if (tab.openConfirms > 0) invariants.note('the page slept while a press was under way');
        life.sleep(action.do, action.ms);
        return;
      case 'restore':
        return life.restore();
      case 'refresh':
        return session.refresh();
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

  // The network works again, someone looks at the form, and everything settles.
  isNetworkWorking = true;
  for (const left of Object.values(faults)) left.length = 0;
  const live = () => tabs.filter(({ isOpen }) => isOpen);
  if (live().length === 0) open(plan.card);
  await clock.advance(LONGEST_WAIT);
  invariants.untouched(live());
  for (const { session, life } of live()) {
    session.retry();
    life.restore();
  }
  await clock.advance(LONGEST_WAIT);
  invariants.atRest(live(), pressed);

  const outcome = live().map(({ session }) => session.state.peek().status)[0] ?? 'closed';
  for (const tab of live()) await close(tab);
  sandbox.close();
  await clock.advance(0);

  const confirms = tabs.reduce((sum, tab) => sum + tab.confirms, 0);
  const deliveries = merchant.intents.reduce((sum, { id }) => sum + deliveriesOf(service, id), 0);
  if (deliveries > pressed.length) invariants.note('more deliveries of a confirm than presses');
  return {
    violations: clock.waiting() > 0 ? [...invariants.broken, 'I9: a timer after the end'] : invariants.broken,
    seen: invariants.seen,
    presses: pressed.length,
    confirms,
    deliveries,
    outcome: `${service.store.intents.get(merchant.latest().id)?.status}, form ${outcome}`,
  };
};

/** A service that does not tell whether an attempt is running. */
const untold = (sandbox: Sandbox): Sandbox => ({
  ...sandbox,
  async fetch(request, caller) {
    const answer = await sandbox.fetch(request, caller);
    if (answer.status !== 200) return answer;
    const headers = new Headers(answer.headers);
    const text = await answer.text();
    return new Response(text.replace(/"attempt_in_progress":(true|false),/, ''), { headers });
  },
});

/** How often a confirm of an intent reached the service. */
const deliveriesOf = ({ requestLog }: Service, id: string): number =>
  requestLog.of(id).filter(({ route }) => route === 'client.confirm').length;
