/** Drives the machine through events at given times, for tests of its transitions. Times in ms from the press. */
import type { Failure, Refusal } from '../../api/errors.ts';
import type { Money } from '../../api/money.ts';
import { exampleIntent } from './payment.fixture.ts';
import type { Effect, Intent, PaymentEvent, PaymentState, Step } from './payment-state.ts';
import { initial, transition } from './transition.ts';

export type Moment = readonly [at: number, event: PaymentEvent, awake?: boolean, offline?: boolean];

/** Feeds events, each at its time, and returns the step that the last one causes. */
export const drive = (from: PaymentState | Step, ...moments: readonly Moment[]): Step =>
  moments.reduce<Step>(
    ({ state }, [now, event, awake = true, offline]) =>
      transition(state, event, { now, awake, offline, canReplace: false, asksPage: false }),
    'effects' in from ? from : { state: from, effects: [] },
  );

export type Story = { state: PaymentState; reads: number[]; releases: number[]; ended: number };

/**
 * Continues from a step until nothing is under way: every wait ends when it is due, every release is answered, and
 * `answer` answers every read at once. An open confirm stays open.
 */
export const play = (
  from: Step,
  start: number,
  answer: (now: number) => PaymentEvent,
  until = Infinity,
): Story => {
  const story: Story = { state: from.state, reads: [], releases: [], ended: start };
  let step = from;
  for (let now = start, steps = 0; now < until; steps += 1) {
    if (steps > 10_000) throw new Error(`never ends, in ${step.state.status}`);
    const effect = step.effects.find(({ type }) => type !== 'confirm');
    story.state = step.state;
    story.ended = now;
    if (!effect || effect.type === 'confirm') break;
    if (effect.type === 'wait') now += effect.ms;
    if (effect.type === 'retrieve') story.reads.push(now);
    if (effect.type === 'release') story.releases.push(now);
    const event: PaymentEvent =
      effect.type === 'wait'
        ? { type: 'waited' }
        : effect.type === 'release'
          ? { type: 'released' }
          : answer(now);
    step = transition(step.state, event, { now, awake: true, canReplace: false, asksPage: false });
  }
  return story;
};

export const refused = (status: number, code: string, different: Partial<Refusal> = {}): Refusal => ({
  kind: 'refused',
  status,
  code,
  type: 'api_error',
  message: '',
  param: null,
  declineCode: null,
  ...different,
});
export const throttled = (retryAfter: number, stated = true): Failure => ({
  kind: 'throttled',
  retryAfter,
  stated,
});
export const NETWORK: Failure = { kind: 'no_answer', reason: 'network' };
export const TIMEOUT: Failure = { kind: 'no_answer', reason: 'timeout' };
export const MALFORMED: Failure = { kind: 'no_answer', reason: 'malformed' };

export const retrieved = (different: Partial<Intent> = {}): PaymentEvent => ({
  type: 'retrieved',
  intent: exampleIntent(different),
});
export const confirmed = (different: Partial<Intent>): PaymentEvent => ({
  type: 'confirmed',
  intent: exampleIntent(different),
});
export const retrieveFailed = (failure: Failure): PaymentEvent => ({ type: 'retrieve_failed', failure });
export const confirmFailed = (failure: Failure): PaymentEvent => ({ type: 'confirm_failed', failure });
export const releaseFailed = (failure: Failure): PaymentEvent => ({ type: 'release_failed', failure });
export const WAITED: PaymentEvent = { type: 'waited' };
export const RETRY: PaymentEvent = { type: 'retry_requested' };
export const REFRESH: PaymentEvent = { type: 'refresh_requested' };
export const RESTORED: PaymentEvent = { type: 'restored' };
export const CLOSED: PaymentEvent = { type: 'closed' };
export const woke = (gap = 60_000): PaymentEvent => ({ type: 'woke', gap });
export const press = (amount = 1234, currency: Money['currency'] = 'usd'): PaymentEvent => ({
  type: 'submitted',
  shown: { amount, currency },
});

export const RETRIEVE: readonly Effect[] = [{ type: 'retrieve' }];
export const RELEASE: readonly Effect[] = [{ type: 'release' }];
export const wait = (ms: number, jitter = false): readonly Effect[] => [{ type: 'wait', ms, jitter }];
export const FIRST_POLL = wait(1000, true);

export const DECLINED = { type: 'card_error', code: 'payment_method_declined', message: 'Declined.' };
export const HELD_ATTEMPT = {
  status: 'processing',
  confirmation_attempts: 1,
  last_payment_error: DECLINED,
} as const;

// The form was ready before time 0; the button is pressed at 0.
export const LOADING = drive(initial, [-1000, { type: 'opened' }]);
/** The form's first read, answered at 0. */
export const initialReadOf = (different: Partial<Intent>): Step => drive(LOADING, [0, retrieved(different)]);
export const READY = drive(LOADING, [-1000, retrieved()]);
export const CONFIRMING = drive(READY, [0, press()]);
/** Resolving, after no answer at 0. */
export const SILENT = drive(CONFIRMING, [0, confirmFailed(NETWORK)]);
/** Processing, after a confirm answered with `processing` at 0. */
export const PROCESSING = drive(CONFIRMING, [
  0,
  confirmed({ status: 'processing', confirmation_attempts: 1 }),
]);
export const NOT_PENDING = refused(400, 'payment_intent_not_pending');
export const UNKNOWN = (() => {
  const { state, ended } = play(SILENT, 0, () => retrieveFailed(NETWORK));
  return { state, ended };
})();

export const ready = (step: Step | Story) => {
  if (step.state.status !== 'ready') throw new Error(`expected ready, got ${step.state.status}`);
  return step.state;
};

/** Like `drive`, on a page that can supply another intent. */
export const driveReplacing = (
  from: PaymentState,
  ...moments: readonly (readonly [number, PaymentEvent])[]
): Step =>
  moments.reduce<Step>(
    ({ state }, [now, event]) =>
      transition(state, event, { now, awake: true, canReplace: true, asksPage: false }),
    { state: from, effects: [] },
  );
