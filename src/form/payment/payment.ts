/**
 * Runs the machine: holds the state in a signal and carries out the effects. This is the only place where the machine
 * meets time and network. It makes no decisions.
 */
import { batch, type ReadonlySignal, signal } from '@preact/signals-core';
import type { Clock } from '../../api/clock/clock.ts';
import type { ServiceAnswer } from '../../api/errors.ts';
import type { Money } from '../../api/money.ts';
import type { Effect, Intent, PageAnswer, PaymentEvent, PaymentState } from './payment-state.ts';
import { NOTHING_TOLD, type PageEvent, type Told, tell } from './told.ts';
import { initial, transition } from './transition.ts';

/** The requests, with the card already filled in (the machine never sees it), and the wait for another tab. */
export type Calls = {
  /** `replacement`: reads another intent, after asking the page for it. */
  retrieve(signal: AbortSignal, replacement: boolean): Promise<ServiceAnswer<Intent>>;
  /** Returns `other_tab_paying`, having sent nothing, if another tab holds the lock of this intent. */
  confirm(shown: Money, signal: AbortSignal): Promise<ServiceAnswer<Intent> | 'other_tab_paying'>;
  release(signal: AbortSignal): Promise<ServiceAnswer<Intent>>;
  /** Calls the page's `beforePay` for a press of this total. Absent if the page gave none. */
  askPage?: ((shown: Money, signal: AbortSignal) => Promise<PageAnswer>) | undefined;
  /** Fulfils when no other tab holds the lock of this intent. */
  waitForTab(signal: AbortSignal): Promise<void>;
};

export type PaymentOptions = {
  calls: Calls;
  clock: Clock;
  /** From 0 up to 1, for the jitter of polls. */
  random: () => number;
  /** False while the page is hidden or frozen. */
  isAwake: () => boolean;
  /** Returns true if the browser reports offline and no answer has shown otherwise. */
  isOffline?: (() => boolean) | undefined;
  /** The page can supply another intent when this one ends unpaid. */
  canReplace?: boolean;
  /** The two parts of the machine. Tests pass faulty ones to check that they are caught. */
  decide?: typeof transition | undefined;
  telling?: typeof tell | undefined;
  /** Called with each event that the machine emits for the page, and the state after it. */
  onTell?: (event: PageEvent, state: PaymentState) => void;
  /** Called with whatever a call threw; none should. The payment goes on as after no answer. */
  onDefect?: (defect: unknown) => void;
};

/** The decision function and the calls. A layer may replace both. */
export type Machine = { decide: typeof transition; calls: Calls };

export type Payment = {
  state: ReadonlySignal<PaymentState>;
  /** What the page already knows in this state. */
  told: ReadonlySignal<Told>;
  /** The state has changed when this returns. */
  send(event: PaymentEvent): void;
  /** Adds a layer to the machine, for features that most payments never need. */
  cover(layer: (machine: Machine) => Machine): void;
};

/** Effects in different lanes run in parallel; a new effect aborts the running one in its lane. */
type Lane = 'confirm' | 'request' | 'page' | 'wait' | 'tab';

const LANE: Record<Effect['type'], Lane> = {
  confirm: 'confirm',
  retrieve: 'request',
  release: 'request',
  ask_page: 'page',
  wait: 'wait',
  wait_for_tab: 'tab',
};

/** A wait with jitter takes 0.8 to 1.2 times its length (outcomes 2.3). */
const JITTER = 0.4;

/** Maximum reads per minute: a third of the rate limit, which a whole office may share (outcomes I7). */
const MOST_READS = 20;

/** Creates a payment in `booting`; the event `opened` starts it. */
export const createPayment = ({
  calls,
  clock,
  random,
  isAwake,
  isOffline,
  canReplace = false,
  decide = transition,
  telling = tell,
  onTell = () => undefined,
  onDefect = () => undefined,
}: PaymentOptions): Payment => {
  const state = signal<PaymentState>(initial);
  const told = signal<Told>(NOTHING_TOLD);
  const underWay = new Map<Lane, AbortController>();
  /** When the last reads were sent, in ms. */
  const readTimes: number[] = [];

  const send = (event: PaymentEvent) => {
    const before = state.peek();
    const next = decide(before, event, {
      now: clock.now(),
      awake: isAwake(),
      offline: isOffline?.(),
      canReplace,
      asksPage: Boolean(calls.askPage),
    });
    if (next.state.status !== before.status) {
      for (const lane of underWay.keys()) stop(lane);
    }
    const page = telling(told.peek(), before, next.state);
    batch(() => {
      state.value = next.state;
      told.value = page.told;
      for (const event of page.events) onTell(event, next.state);
      for (const effect of next.effects) void run(effect);
    });
  };

  const stop = (lane: Lane) => {
    underWay.get(lane)?.abort();
    underWay.delete(lane);
  };

  const run = async (effect: Effect) => {
    const lane = LANE[effect.type];
    stop(lane);
    const controller = new AbortController();
    underWay.set(lane, controller);
    const event = await perform(effect, controller.signal).catch((defect: unknown): PaymentEvent => {
      onDefect(defect);
      return eventAfterDefect(effect);
    });
    if (underWay.get(lane) !== controller) return; // replaced or aborted: drop its answer
    underWay.delete(lane);
    send(event);
  };

  const perform = async (effect: Effect, ending: AbortSignal): Promise<PaymentEvent> => {
    switch (effect.type) {
      case 'retrieve': {
        const delay = (readTimes.at(-MOST_READS) ?? -Infinity) + 60_000 - clock.now();
        if (delay > 0) await clock.wait(delay, ending);
        if (ending.aborted)
          return { type: 'retrieve_failed', failure: { kind: 'no_answer', reason: 'network' } };
        readTimes.push(clock.now());
        if (readTimes.length > MOST_READS) readTimes.shift();
        const result = await calls.retrieve(ending, effect.replacement ?? false);
        // The page may have been asked for a client secret first, so the request was sent later than recorded above.
        if (!ending.aborted) readTimes.splice(-1, 1, clock.now());
        return result.ok
          ? { type: 'retrieved', intent: result.value }
          : { type: 'retrieve_failed', failure: result.failure };
      }
      case 'confirm': {
        const result = await calls.confirm(effect.shown, ending);
        if (result === 'other_tab_paying') return { type: 'other_tab_paying' };
        return result.ok
          ? { type: 'confirmed', intent: result.value }
          : { type: 'confirm_failed', failure: result.failure };
      }
      case 'release': {
        const result = await calls.release(ending);
        const answered = result.ok || isUnreadable(result);
        return answered ? { type: 'released' } : { type: 'release_failed', failure: result.failure };
      }
      case 'ask_page':
        return { type: 'page_answered', answer: (await calls.askPage?.(effect.shown, ending)) ?? FAILED };
      case 'wait_for_tab':
        await calls.waitForTab(ending);
        return { type: 'other_tab_done' };
      case 'wait': {
        const spread = effect.jitter ? 1 + JITTER * (random() - 0.5) : 1;
        await clock.wait(effect.ms * spread, ending);
        return { type: 'waited' };
      }
    }
  };

  return {
    state,
    told,
    send,
    cover(layer) {
      ({ decide, calls } = layer({ decide, calls }));
    },
  };
};

const FAILED: PageAnswer = { kind: 'failed' };

/** A call that threw counts as unanswered: it may have had an effect, and the buyer must not wait forever. */
const eventAfterDefect = (effect: Effect): PaymentEvent => {
  const failure = { kind: 'no_answer', reason: 'network' } as const;
  switch (effect.type) {
    case 'confirm':
      return { type: 'confirm_failed', failure };
    case 'retrieve':
      return { type: 'retrieve_failed', failure };
    case 'release':
      return { type: 'release_failed', failure };
    case 'ask_page':
      return { type: 'page_answered', answer: FAILED };
    case 'wait_for_tab':
      return { type: 'other_tab_done' };
    case 'wait':
      return { type: 'waited' };
  }
};

/** An unreadable answer to a release counts like any other; the next read decides (outcomes 2.6). */
const isUnreadable = (result: ServiceAnswer<Intent>): boolean =>
  !result.ok && result.failure.kind === 'no_answer' && result.failure.reason === 'malformed';
