/** The visible state of a tab between two inputs, and everything its later behaviour depends on. */
import type { ReadonlySignal } from '@preact/signals';
import { statusIn } from '../../form/frame/session/payment-status.ts';
import type { Session } from '../../form/frame/session/session.ts';
import type { View } from '../../form/frame/view/form-view.ts';
import { type PaymentState, PHASE } from '../../form/payment/payment-state.ts';
import { TIMING } from '../../form/payment/timing.ts';
import type { createTabBrowser } from './tab-browser.ts';
import type { TabFacts } from './tab-exchange.ts';
import type { createTabNetwork } from './tab-network.ts';
import type { createTabPage } from './tab-page.ts';
import type { createTabTimers } from './tab-timers.ts';

export type TabMemory = {
  /** The intent whose secret the form has, as far as the page knows. */
  secret: number;
  /** Number of other secrets it has given since, not yet answered. */
  swaps: number;
  presses: number;
  /** A confirm was sent since the form was last at rest. */
  hasSent: boolean;
  /** Time since when the page has been hidden or offline. */
  asleepSince: number | null;
  isParked: boolean;
};

/** The observed parts of a tab. */
export type SeenTab = {
  session: Session;
  timers: ReturnType<typeof createTabTimers>;
  network: ReturnType<typeof createTabNetwork>;
  browser: ReturnType<typeof createTabBrowser>;
  page: ReturnType<typeof createTabPage>;
  online: ReadonlySignal<boolean>;
  memory: Readonly<TabMemory>;
};

const UNDER_WAY: ReadonlySet<string> = new Set(['confirming', 'unresolved', 'settling']);
/** A page hidden for longer than this reads again; how much longer makes no difference. */
const LONGEST_GAP = TIMING.staleAfter + 1;

export const factsOf = (tab: SeenTab): TabFacts => {
  const { session, timers, online, browser, memory } = tab;
  const now = timers.clock.now();
  const state = session.state.peek();
  const seen = session.view.peek();
  const moments = [...timers.dues(), ...thresholdsOf(state)]
    .map((at) => Math.max(at - now, 0))
    .filter((ms, index) => ms > 0 || index < timers.count());
  return {
    status: state.status,
    pays: seen.screen === 'form' && seen.action.kind === 'pay' ? seen.action.total : null,
    payableIn: state.status === 'ready' ? Math.max(state.armedAt - now, 0) : 0,
    offersRetry: seen.screen === 'form' ? seen.action.kind === 'retry' : seen.action === 'check_status',
    nextIn: moments.length === 0 ? null : Math.min(...moments),
    isHidden: memory.asleepSince !== null && online.peek(),
    isOffline: !online.peek(),
    canPark: session.canPark.peek(),
    isParked: memory.isParked,
    holdsLock: browser.holdsLock(),
    isWaitingForLock: browser.isWaiting(),
    polls: 'polling' in state ? state.polling.reads : 'reads' in state ? state.reads : 0,
    isPaying: UNDER_WAY.has(PHASE[state.status]) && memory.hasSent,
    asked:
      statusIn(state, { charged: session.charged(), mayArrive: session.told.peek().mayArrive })?.outcome ??
      null,
    broken: brokenRulesOf(tab, state, seen),
  };
};

/** Rules of the form that the tab breaks, whatever the service did. */
const brokenRulesOf = (
  { timers, network, browser, page, memory }: SeenTab,
  state: PaymentState,
  seen: View,
): readonly string[] => {
  const broken = [...page.broken()];
  const underWay = timers.count() + network.count();
  if (underWay === 0 && !browser.isBusy() && state.status !== 'destroyed' && memory.asleepSince === null) {
    const isStuck =
      seen.screen === 'form'
        ? seen.action.kind === 'busy' || (seen.action.kind === 'idle' && seen.notices.length === 0)
        : seen.tone === 'busy';
    if (isStuck) broken.push(`a dead end: ${state.status}, and nothing is under way`);
  }
  if (page.isBehind(seen))
    broken.push('promises 1.11: the buyer knows how a press ended, and the page does not');
  const isEnd = PHASE[state.status] === 'ended' || state.status === 'destroyed';
  if (isEnd && underWay > 0) broken.push('outcomes I8: something runs after the end');
  if (network.readsTooOften()) broken.push('outcomes I7: too many reads');
  return broken;
};

/** Equal for tabs that will behave the same from now on, as far as anyone can see. */
export const fingerprintOf = ({
  session,
  timers,
  network,
  browser,
  page,
  online,
  memory,
}: SeenTab): string => {
  const now = timers.clock.now();
  const { secret, swaps, asleepSince, presses, hasSent, isParked } = memory;
  return JSON.stringify([
    stateFrom(session.state.peek(), now),
    timers.fingerprint(),
    network.fingerprint(),
    [secret, swaps], // decides which one the next request uses
    browser.fingerprint(),
    asleepSince === null ? null : [online.peek(), Math.max(asleepSince - now, -LONGEST_GAP)],
    [presses, hasSent, isParked],
    page.fingerprint(),
    session.told.peek(),
  ]);
};

/**
 * Times at which the machine decides differently although none of its timers runs: a press counts, a retry reads
 * immediately, silence is believed.
 */
const thresholdsOf = (state: PaymentState): readonly number[] => {
  switch (state.status) {
    case 'ready':
      return [state.armedAt];
    case 'load_failed':
      return [state.notBefore];
    case 'unknown':
      return state.notBefore === null ? [] : [state.notBefore];
    case 'confirming':
      return [state.sentAt + TIMING.settleUnanswered];
    case 'resolving':
      return [state.polling.startedAt + TIMING.settleUnanswered];
    default:
      return [];
  }
};

/**
 * Maximum age that matters, in ms. A read is answered at most 10 s after it was sent, or after a sleep, and is judged
 * by when it was sent: while one is under way, earlier times matter too.
 */
const READING = 60_000;
const stateFrom = (state: PaymentState, now: number): string => {
  const isReading = 'polling' in state && state.polling.activity === 'reading';
  const least = isReading ? -READING : -TIMING.settleUnanswered;
  return JSON.stringify(state, (key, value) => {
    if (typeof value !== 'number') return value;
    switch (key) {
      case 'sentAt':
      case 'startedAt':
      case 'at':
        return Math.max(value - now, least);
      case 'askedAt':
        return isReading ? Math.max(value - now, least) : null;
      case 'readAt':
      case 'usedUpAt':
        return Math.max(value - now, -TIMING.agreement);
      case 'armedAt':
      case 'notBefore':
      case 'until':
        return Math.max(value - now, 0);
      default:
        return value;
    }
  });
};
