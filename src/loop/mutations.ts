/** Wrong forms, one mistake each, of the kind that careful people make. The loop must notice every one of them. */
import type { PaymentEvent, PaymentState, Step, World } from '../payment/state.ts';
import { totalOf, transition } from '../payment/transition.ts';
import type { Mutation } from './run.ts';

/** A machine that decides otherwise where `wrong` says so, and rightly everywhere else. */
const deciding = (
  wrong: (state: PaymentState, event: PaymentEvent, world: World) => Step | null,
): Mutation => ({
  decide: (state, event, world) => wrong(state, event, world) ?? transition(state, event, world),
});

const isSilence = (event: PaymentEvent) =>
  event.type === 'confirm_failed' && event.failure.kind === 'no_answer';

/** By what each does wrong. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  're-sends a confirm that got no answer': deciding((state, event) =>
    state.status === 'confirming' && isSilence(event)
      ? { state, effects: [{ type: 'confirm', shown: state.shown }] }
      : null,
  ),
  'takes 400 payment_intent_not_pending for a failure': deciding((state, event) =>
    state.status === 'confirming' &&
    event.type === 'confirm_failed' &&
    event.failure.kind === 'refused' &&
    event.failure.code === 'payment_intent_not_pending'
      ? { state: { status: 'exhausted', intent: state.intent, error: event.failure }, effects: [] }
      : null,
  ),
  'ignores Retry-After': {
    fetch: (answer) => {
      if (answer.status !== 429) return answer;
      const headers = new Headers(answer.headers);
      headers.set('Retry-After', '0');
      return new Response(answer.body, { status: 429, headers });
    },
  },
  'confirms by itself after a 409': deciding((state, event) =>
    state.status === 'reloading' &&
    event.type === 'retrieved' &&
    event.intent.status === 'pending' &&
    state.held.notice?.kind === 'check_again'
      ? {
          state: {
            status: 'confirming',
            intent: event.intent,
            shown: totalOf(event.intent),
            sentAt: 0,
            slow: true,
            reads: 0,
            readAt: 0,
            activity: 'asleep',
          },
          effects: [{ type: 'confirm', shown: totalOf(event.intent) }],
        }
      : null,
  ),
  'believes a 200 that it cannot read': deciding((state, event) =>
    state.status === 'confirming' &&
    event.type === 'confirm_failed' &&
    event.failure.kind === 'no_answer' &&
    event.failure.reason === 'malformed'
      ? {
          state: { status: 'succeeded', intent: { ...state.intent, status: 'succeeded' }, shown: null },
          effects: [],
        }
      : null,
  ),
  'gives up after silence and says it failed': deciding((state, event) =>
    state.status === 'confirming' && isSilence(event)
      ? { state: { status: 'canceled', intent: state.intent }, effects: [] }
      : null,
  ),
  'confirms another total than the button showed': {
    decide: (state, event, world) => {
      const step = transition(state, event, world);
      return {
        ...step,
        effects: step.effects.map((effect) =>
          effect.type === 'confirm'
            ? { ...effect, shown: { ...effect.shown, amountTotal: effect.shown.amountTotal + 1 } }
            : effect,
        ),
      };
    },
  },
  'forgets to look again while processing': deciding((state, event) =>
    state.status === 'processing' && event.type === 'retrieved'
      ? { state: { ...state, watch: { ...state.watch, activity: 'pausing' } }, effects: [] }
      : null,
  ),
  'goes on asking after the end': deciding((state, event) =>
    event.type === 'restored' && state.status === 'succeeded'
      ? { state, effects: [{ type: 'retrieve' }] }
      : null,
  ),
  'asks as fast as it can': deciding((state, event) =>
    state.status === 'resolving' && event.type === 'retrieved' && event.intent.status === 'pending'
      ? { state, effects: [{ type: 'wait', ms: 100, jitter: false }] }
      : null,
  ),
};
