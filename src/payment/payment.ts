/**
 * The machine set to work: a signal that holds the state, and the hands that carry out its effects.
 *
 * This is the only place where the machine meets time and the network. It decides nothing.
 */
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import type { Clock } from '../api/clock.ts';
import type { Result } from '../api/errors.ts';
import type { Money } from '../api/money.ts';
import type { Effect, Intent, PaymentEvent, PaymentState } from './payment-state.ts';
import { initial, transition } from './transition.ts';

/** The three calls, with the card already in hand: the machine never sees it. And the place in the queue of tabs. */
export type Calls = {
  /** `replacement`: reads another intent, for which the page has to be asked first. */
  retrieve(signal: AbortSignal, replacement: boolean): Promise<Result<Intent>>;
  /** `other_tab_paying` where another tab of this payment is at it: nothing was sent. */
  confirm(shown: Money, signal: AbortSignal): Promise<Result<Intent> | 'other_tab_paying'>;
  release(signal: AbortSignal): Promise<Result<Intent>>;
  /** Fulfils when no other tab is confirming this payment. */
  waitForTab(signal: AbortSignal): Promise<void>;
};

export type PaymentOptions = {
  calls: Calls;
  clock: Clock;
  /** From 0 up to 1; spreads polls of many forms. */
  random: () => number;
  /** False while the page is hidden, frozen or offline. */
  isAwake: () => boolean;
  /** Whether the page gives another intent when this one is over. */
  canReplace?: boolean;
  /** The machine; another one only where a test wants to see a wrong one caught. */
  decide?: typeof transition;
  /** Told of a call that threw, which none should. The payment goes on as if it had got no answer. */
  onDefect?: (defect: unknown) => void;
};

export type Payment = {
  state: ReadonlySignal<PaymentState>;
  /** Takes a fact; the state has changed when it returns. */
  send(event: PaymentEvent): void;
};

/** What may be under way at a time: one confirm, one reading or releasing request, one wait, one place in the queue. */
type Lane = 'confirm' | 'request' | 'wait' | 'tab';

const LANE: Record<Effect['type'], Lane> = {
  confirm: 'confirm',
  retrieve: 'request',
  release: 'request',
  wait: 'wait',
  wait_for_tab: 'tab',
};

/** Spread of a jittered wait: 0.8 to 1.2 of its length (research 2.3). */
const SPREAD = 0.4;

/** Reads in any minute, a third of the limit that a whole office shares (research I7). */
const MOST_READS = 20;

/** A payment at its beginning; `opened` sets it off. */
export const createPayment = ({
  calls,
  clock,
  random,
  isAwake,
  canReplace = false,
  decide = transition,
  onDefect = () => undefined,
}: PaymentOptions): Payment => {
  const state = signal<PaymentState>(initial);
  const underWay = new Map<Lane, AbortController>();
  const asked: number[] = [];

  const send = (event: PaymentEvent) => {
    const before = state.peek();
    const next = decide(before, event, { now: clock.now(), awake: isAwake(), canReplace });
    if (next.state.status !== before.status) {
      for (const lane of underWay.keys()) stop(lane);
    }
    batch(() => {
      state.value = next.state;
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
      return brokenOff(effect);
    });
    if (underWay.get(lane) !== controller) return; // replaced or ended: its answer is not heard
    underWay.delete(lane);
    send(event);
  };

  const perform = async (effect: Effect, ending: AbortSignal): Promise<PaymentEvent> => {
    switch (effect.type) {
      case 'retrieve': {
        const early = (asked.at(-MOST_READS) ?? -Infinity) + 60_000 - clock.now();
        if (early > 0) await clock.wait(early, ending);
        if (ending.aborted)
          return { type: 'retrieve_failed', failure: { kind: 'no_answer', reason: 'network' } };
        asked.push(clock.now());
        if (asked.length > MOST_READS) asked.shift();
        const result = await calls.retrieve(ending, effect.replacement ?? false);
        // The page may have been asked for a secret first: what counts is no earlier than this.
        if (!ending.aborted) asked.splice(-1, 1, clock.now());
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
      case 'wait_for_tab':
        await calls.waitForTab(ending);
        return { type: 'other_tab_done' };
      case 'wait': {
        const spread = effect.jitter ? 1 + SPREAD * (random() - 0.5) : 1;
        await clock.wait(effect.ms * spread, ending);
        return { type: 'waited' };
      }
    }
  };

  return { state, send };
};

/** What a call that threw amounts to: it may have acted. A defect of ours must not leave a buyer waiting. */
const brokenOff = (effect: Effect): PaymentEvent => {
  const failure = { kind: 'no_answer', reason: 'network' } as const;
  switch (effect.type) {
    case 'confirm':
      return { type: 'confirm_failed', failure };
    case 'retrieve':
      return { type: 'retrieve_failed', failure };
    case 'release':
      return { type: 'release_failed', failure };
    case 'wait_for_tab':
      return { type: 'other_tab_done' };
    case 'wait':
      return { type: 'waited' };
  }
};

/** An answer to a release that cannot be read is as good as any: the read that follows decides (research 2.6). */
const isUnreadable = (result: Result<Intent>): boolean =>
  !result.ok && result.failure.kind === 'no_answer' && result.failure.reason === 'malformed';
