/** Forms with one mistake each, of the kind that careful people make. The simulation must notice every one of them. */
import type { Refusal } from '../api/errors.ts';
import { type Money, totalOf } from '../api/money.ts';
import type { Intent, PaymentEvent, PaymentState, Step, World } from '../payment/payment-state.ts';
import { transition } from '../payment/transition.ts';
import type { Mutation } from './simulated-tab.ts';

/** The state machine with `wrong` in place of its own step wherever that is not null. */
const deciding = (
  breaks: string,
  wrong: (state: PaymentState, event: PaymentEvent, world: World) => Step | null,
): Mutation & { breaks: string } => ({
  breaks,
  decide: (state, event, world) => wrong(state, event, world) ?? transition(state, event, world),
});

const isSilence = (event: PaymentEvent) =>
  event.type === 'confirm_failed' && event.failure.kind === 'no_answer';

/** Sends a confirm, whatever came before. */
const confirming = (intent: Intent, shown: Money): Step => ({
  state: {
    status: 'confirming',
    intent,
    shown,
    sentAt: 0,
    slow: true,
    reads: 0,
    readAt: 0,
    activity: 'asleep',
  },
  effects: [{ type: 'confirm', shown }],
});

/** Takes silence for the end of an intent. */
const startsOver = (state: PaymentState, event: PaymentEvent, { canReplace }: World): Step | null =>
  canReplace && state.status === 'confirming' && isSilence(event)
    ? {
        state: {
          status: 'loading',
          replaces: { status: 'canceled', intent: state.intent },
          failures: 0,
          activity: 'reading',
        },
        effects: [{ type: 'retrieve', replacement: true }],
      }
    : null;

/** By what each does wrong; `breaks` is how the invariant begins that it must break. */
export const MUTATIONS: Readonly<Record<string, Mutation & { breaks: string }>> = {
  're-sends a confirm that got no answer': deciding('I2', (state, event) =>
    state.status === 'confirming' && isSilence(event)
      ? { state, effects: [{ type: 'confirm', shown: state.shown }] }
      : null,
  ),
  'takes 400 payment_intent_not_pending for a failure': deciding(
    'said that all tries were used',
    (state, event) =>
      state.status === 'confirming' &&
      event.type === 'confirm_failed' &&
      event.failure.kind === 'refused' &&
      event.failure.code === 'payment_intent_not_pending'
        ? { state: { status: 'exhausted', intent: state.intent, error: event.failure }, effects: [] }
        : null,
  ),
  'ignores Retry-After': {
    breaks: 'I6',
    fetch: (answer) => {
      if (answer.status !== 429) return answer;
      const headers = new Headers(answer.headers);
      headers.set('Retry-After', '0');
      return new Response(answer.body, { status: 429, headers });
    },
  },
  'confirms by itself after a 409': deciding('I2', (state, event) =>
    state.status === 'reloading' &&
    event.type === 'retrieved' &&
    event.intent.status === 'pending' &&
    state.feedback.notice?.kind === 'check_again'
      ? confirming(event.intent, totalOf(event.intent))
      : null,
  ),
  'believes a 200 that it cannot read': deciding('I3', (state, event) =>
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
  'gives up after silence and says it failed': deciding('I4', (state, event) =>
    state.status === 'confirming' && isSilence(event)
      ? { state: { status: 'canceled', intent: state.intent }, effects: [] }
      : null,
  ),
  'confirms another total than the button showed': {
    breaks: 'I5',
    decide: (state, event, world) => {
      const step = transition(state, event, world);
      return {
        ...step,
        effects: step.effects.map((effect) =>
          effect.type === 'confirm'
            ? { ...effect, shown: { ...effect.shown, amount: effect.shown.amount + 1 } }
            : effect,
        ),
      };
    },
  },
  'forgets to look again while processing': deciding('a hang in processing', (state, event) =>
    state.status === 'processing' && event.type === 'retrieved'
      ? { state: { ...state, polling: { ...state.polling, activity: 'pausing' } }, effects: [] }
      : null,
  ),
  'goes on asking after the end': deciding('I8', (state, event) =>
    event.type === 'restored' && state.status === 'succeeded'
      ? { state, effects: [{ type: 'retrieve' }] }
      : null,
  ),
  'asks as fast as it can': deciding('a hang in resolving', (state, event) =>
    state.status === 'resolving' && event.type === 'retrieved' && event.intent.status === 'pending'
      ? { state, effects: [{ type: 'wait', ms: 100, jitter: false }] }
      : null,
  ),
  'sends once more when it takes long': deciding('I1', (state, event) =>
    state.status === 'confirming' && event.type === 'waited' && !state.slow
      ? { state: { ...state, slow: true }, effects: [{ type: 'confirm', shown: state.shown }] }
      : null,
  ),
  'blames the integration after silence': deciding('I4', (state, event) =>
    state.status === 'confirming' && isSilence(event)
      ? {
          state: { status: 'blocked', intent: state.intent, error: MADE_UP, recoverable: false },
          effects: [],
        }
      : null,
  ),
  'reads three times instead of once': {
    breaks: 'I7',
    calls: (calls) => ({
      ...calls,
      async retrieve(signal, anew) {
        await calls.retrieve(signal, anew);
        await calls.retrieve(signal, false);
        return calls.retrieve(signal, false);
      },
    }),
  },
  'leaves a timer behind when it is gone': deciding('I9', (state, event) =>
    event.type === 'closed' && state.status !== 'destroyed'
      ? { state: { status: 'destroyed' }, effects: [{ type: 'wait', ms: 60_000, jitter: false }] }
      : null,
  ),
  'asks for another intent after silence': deciding('asked for another intent', startsOver),
  'and so lets the order be paid twice': deciding('charged twice', startsOver),
  'takes pending for the end of every attempt': {
    breaks: 'said that all tries were used, and the last one was running',
    decide: (state, event, world) =>
      transition(
        state,
        event.type === 'retrieved' ? { ...event, intent: { ...event.intent, attemptsAreOver: true } } : event,
        world,
      ),
  },
  'confirms although the page said no': deciding('I2', (state, event) =>
    state.status === 'asking_page' && event.type === 'page_answered' && event.answer.kind === 'refused'
      ? confirming(state.intent, state.shown)
      : null,
  ),
  'takes the silence of the page for a yes': deciding('I2', (state, event) =>
    state.status === 'asking_page' && event.type === 'waited' ? confirming(state.intent, state.shown) : null,
  ),
  'forgets to ask the page': {
    breaks: 'I2',
    decide: (state, event, world) => transition(state, event, { ...world, asksPage: false }),
  },
  'waits for the page for ever': deciding('a hang in asking_page', (state, event) =>
    state.status === 'asking_page' && event.type === 'waited' ? { state, effects: [] } : null,
  ),
  'takes a yes to the old total for one to the new': deciding('I5', (state, event) =>
    state.status === 'asking_page' && event.type === 'retrieved' && event.intent.status === 'pending'
      ? {
          state: { ...state, intent: event.intent, shown: totalOf(event.intent), activity: 'waiting' },
          effects: state.allowed ? [{ type: 'confirm', shown: totalOf(event.intent) }] : [],
        }
      : null,
  ),
  'sends nothing after another tab and never looks': deciding('a hang in waiting_for_tab', (state, event) =>
    state.status === 'waiting_for_tab' && event.type !== 'closed' ? { state, effects: [] } : null,
  ),
};

const MADE_UP: Refusal = {
  kind: 'refused',
  status: 400,
  code: 'validation_error',
  type: 'invalid_request_error',
  message: 'Somebody was in a hurry.',
  param: null,
  declineCode: null,
};
