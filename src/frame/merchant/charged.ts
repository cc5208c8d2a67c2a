/**
 * Whether the buyer was charged, as far as this page can know. One rule for every event, so that the same situation is
 * always told in the same words (outcomes 2.4).
 *
 * Only an end that the service itself told is certain. Otherwise a charge is possible while a press of this page has got
 * no answer (it may still reach the service), and while the service has not told that every attempt is over.
 */
import type { CardFormError } from '../../channel/messages.ts';
import { mayBeAttempting } from '../../payment/attempts.ts';
import { type Intent, type PaymentState, PHASE } from '../../payment/payment-state.ts';

export type Charged = CardFormError['charged'];

export type ChargeKnowledge = {
  /** Call it with every state, in order. */
  note(state: PaymentState): void;
  /** What is known in the state noted last. */
  charged(): Charged;
  /** Whether a press of this page got no answer that tells what became of it, so that it may have charged this intent or still may. */
  mayArrive(): boolean;
};

/** For one form. */
export const createChargeKnowledge = (): ChargeKnowledge => {
  let mayArrive = false;
  let wasReadRefused = false;
  let latest: PaymentState = { status: 'booting' };
  return {
    note(state) {
      if (wasRecorded(latest, state)) mayArrive = false;
      // A 401 comes before the service looks at the intent: an earlier delivery of the confirm may have charged (1.1).
      mayArrive ||=
        latest.status === 'confirming' && state.status === 'blocked' && state.error.status === 401;
      if (latest.status !== state.status)
        wasReadRefused = latest.status === 'reloading' && state.status === 'blocked';
      latest = state;
      if (state.status === 'loading') mayArrive = false; // another payment
      if (state.status === 'resolving') {
        mayArrive ||= state.polling.reason.kind === 'no_answer' && !state.polling.answered;
      }
    },
    charged: () => (wasReadRefused ? 'unknown' : chargedIn(latest, mayArrive)),
    mayArrive: () => mayArrive,
  };
};

/** Reads have shown a failed attempt, counted after the press: the press has arrived. */
const wasRecorded = (before: PaymentState, state: PaymentState): boolean =>
  PHASE[before.status] !== 'confirming' &&
  before.status !== state.status &&
  state.status === 'releasing' &&
  state.feedback.notice?.kind === 'declined';

const chargedIn = (state: PaymentState, mayArrive: boolean): Charged => {
  const phase = PHASE[state.status];
  switch (phase) {
    case 'opening':
    case 'confirming':
    case 'unresolved':
    case 'settling':
    case 'rereading':
    case 'destroyed':
      return 'unknown';
    case 'ended':
      return state.status === 'succeeded' ? 'yes' : 'no';
    case 'idle': {
      // A read that failed or was refused says nothing about what another tab or an earlier page has done, and a 429
      // to a confirm nothing about an earlier delivery of it (outcomes 1.1).
      const wasRead =
        state.status !== 'unknown' && state.status !== 'load_failed' && state.status !== 'throttled';
      const intent = wasRead && 'intent' in state ? state.intent : null;
      if (!intent || isAttemptTold(intent)) return 'unknown';
      return mayArrive && !saysNotCharged(state) ? 'unknown' : 'no';
    }
    default:
      return phase satisfies never;
  }
};

/** The service has just told, twice and long after the press, that it has no record of it. */
const saysNotCharged = (state: PaymentState): boolean =>
  state.status === 'ready' && state.feedback.notice?.kind === 'not_charged';

/** Whether the service counted an attempt and has not told that it is over. */
const isAttemptTold = (intent: Intent): boolean =>
  intent.confirmation_attempts !== null && mayBeAttempting(intent);
