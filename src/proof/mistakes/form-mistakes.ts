/**
 * Forms with one mistake each, of the kind careful people make. The simulation's random runs, the model's explorer, or
 * both must notice each mistake.
 */
import type { Refusal } from '../../api/errors.ts';
import { type Money, totalOf } from '../../api/money.ts';
import { createSwap } from '../../form/frame/session/swap.ts';
import {
  type Intent,
  NO_FEEDBACK,
  type PaymentEvent,
  type PaymentState,
  type Step,
  type World,
} from '../../form/payment/payment-state.ts';
import { tell } from '../../form/payment/told.ts';
import { transition } from '../../form/payment/transition.ts';
import { type ModelBounds, PLAIN } from '../model/bounds.ts';
import type { FormParts } from '../tab/form-session.ts';

/** Prefix of the invariant that the mistake must break, per tool that must notice it. */
type NoticedBy = {
  simulation?: string;
  /** A seed that finds it early: with another seed, some mistakes need a thousand plans. */
  seed?: number;
  model?: { breaks: string; bounds: ModelBounds };
};

export type FormMistake = { name: string; wrong: FormParts } & NoticedBy;

const mistake = (name: string, wrong: FormParts, noticedBy: NoticedBy): FormMistake => ({
  name,
  wrong,
  ...noticedBy,
});

/** The explorer finds it within these bounds. */
const within = (
  breaks: string,
  bounds: Partial<ModelBounds> = {},
): { breaks: string; bounds: ModelBounds } => ({
  breaks,
  bounds: { ...PLAIN, ...bounds },
});

/** The state machine, except that `wrong` replaces its step wherever it isn't null. */
const deciding = (
  wrong: (state: PaymentState, event: PaymentEvent, world: World) => Step | null,
): FormParts => ({
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

/** Treats silence as the end of an intent. */
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

/** The machine with some states or events replaced. */
const seeing = (
  wrong: (
    state: PaymentState,
    event: PaymentEvent,
    world: World,
  ) => { state?: PaymentState; event?: PaymentEvent },
): FormParts => ({
  decide(state, event, world) {
    const instead = wrong(state, event, world);
    return transition(instead.state ?? state, instead.event ?? event, world);
  },
});

/** The machine with some steps replaced. */
const stepping = (wrong: (step: Step, before: PaymentState, event: PaymentEvent) => Step): FormParts => ({
  decide: (state, event, world) => wrong(transition(state, event, world), state, event),
});

/** Releases a lock as soon as it is held. */
const requestBriefly =
  (locks: Pick<LockManager, 'request'>) =>
  (name: string, options: LockOptions, grant: (lock: Lock | null) => unknown) =>
    locks.request(name, options, (lock) => void grant(lock));

const ONE = { presses: 1 };
const ASKED = { presses: 1, faults: 0, beforePay: true } as const;
const TWO_TABS = { tabs: 2, locks: true, faults: 0 } as const;

const MADE_UP: Refusal = {
  kind: 'refused',
  status: 400,
  code: 'validation_error',
  type: 'invalid_request_error',
  message: 'Somebody was in a hurry.',
  param: null,
  declineCode: null,
};

/** Replaces the intent through a script that gets a wrong session. */
const swapping = (
  wrong: (session: Parameters<typeof createSwap>[0]) => Parameters<typeof createSwap>[0],
): FormParts => ({ swap: { createSwap: (session) => createSwap(wrong(session)) } });

const SWAPPED = { presses: 1, disturbances: 1, swaps: 'both payable' } as const;

const PARKED = { presses: 1, faults: 0, disturbances: 1, parks: true } as const;

export const FORM_MISTAKES: readonly FormMistake[] = [
  // Replacing the intent.
  mistake(
    'keeps the secret of another intent that could not be read',
    swapping(({ parts, charged }) => {
      let given = 0;
      const give = (secret: string) => {
        given += 1;
        if (given % 2 === 1) parts.secret.give(secret);
      };
      return { charged, parts: { ...parts, secret: { ...parts.secret, give } } };
    }),
    { model: within('a dead end', SWAPPED) },
  ),
  mistake(
    'keeps the secret of another intent, and treats a failed read as a read of the current intent',
    {
      ...swapping(({ parts, charged }) => {
        let other = '';
        const give = (secret: string) => {
          other ||= secret;
          parts.secret.give(other);
        };
        return { charged, parts: { ...parts, secret: { ...parts.secret, give } } };
      }),
      ...seeing((state, event) =>
        state.status === 'reloading' && event.type === 'retrieve_failed'
          ? { event: { type: 'retrieved', intent: state.intent } }
          : {},
      ),
    },
    { model: within('promises 1.6: a press made for one intent pays another', SWAPPED) },
  ),
  mistake(
    'lets another intent replace the current one while a confirm is open',
    deciding((state, event, world) =>
      state.status === 'confirming' && event.type === 'swap_requested'
        ? transition(
            { status: 'ready', intent: state.intent, feedback: NO_FEEDBACK, readAt: 0, armedAt: 0 },
            event,
            world,
          )
        : null,
    ),
    {
      model: within('promises 1.6: another intent in the form', {
        ...SWAPPED,
        confirms: 'running',
        faults: 0,
      }),
    },
  ),
  // Parking.
  mistake(
    'takes a press while it is parked',
    {
      park(session, isParked) {
        if (!isParked) session.refresh();
      },
    },
    { model: within('threat-model C85: parked, and it does: send', PARKED) },
  ),
  mistake(
    'stays at the total that it was parked with',
    deciding((state, event) =>
      state.status === 'ready' && event.type === 'restored' ? { state, effects: [] } : null,
    ),
    { model: within('promises 1.15: back from parking, Pay is offered without a read', PARKED) },
  ),
  mistake(
    'reads when it is parked, and not when it comes back',
    {
      park(session, isParked) {
        if (isParked) session.refresh();
      },
    },
    { model: within('threat-model C85: parked, and it does: send', PARKED) },
  ),
  // Time.
  mistake(
    'counts the age of a read from its response, not from its request',
    seeing((state, event, { now }) =>
      state.status === 'resolving' && event.type === 'retrieved'
        ? { state: { ...state, polling: { ...state.polling, askedAt: now } } }
        : {},
    ),
    { model: within('outcomes I4', { ...ONE, faults: 2, confirms: 'atomic', intents: 1 }) },
  ),
  mistake(
    'trusts silence after 10 s instead of 20',
    stepping((step, before) =>
      before.status === 'confirming' && step.state.status === 'resolving'
        ? {
            ...step,
            state: {
              ...step.state,
              polling: { ...step.state.polling, startedAt: step.state.polling.startedAt - 10_000 },
            },
          }
        : step,
    ),
    { model: within('outcomes I4', ONE) },
  ),
  mistake(
    'takes a dead connection for an answer, so that it trusts silence after 5 s',
    stepping((step, before) =>
      before.status === 'confirming' && step.state.status === 'resolving'
        ? { ...step, state: { ...step.state, polling: { ...step.state.polling, answered: true } } }
        : step,
    ),
    { model: within('outcomes I4', ONE) },
  ),
  mistake(
    'stops polling when the page was hidden',
    seeing((state, event) => (event.type === 'woke' ? { event: { type: 'opened' }, state } : {})),
    { model: within('a dead end', { ...ONE, disturbances: 1 }) },
  ),
  mistake(
    'forgets to look again while processing',
    deciding((state, event) =>
      state.status === 'processing' && event.type === 'retrieved'
        ? { state: { ...state, polling: { ...state.polling, activity: 'pausing' } }, effects: [] }
        : null,
    ),
    { simulation: 'a hang in processing', model: within('a dead end', ONE) },
  ),
  mistake(
    'asks as fast as it can',
    deciding((state, event) =>
      state.status === 'resolving' && event.type === 'retrieved' && event.intent.status === 'pending'
        ? { state, effects: [{ type: 'wait', ms: 100, jitter: false }] }
        : null,
    ),
    { simulation: 'a hang in resolving', model: within('a dead end', ONE) },
  ),
  // The outcome of a press.
  mistake(
    'says that nothing was charged without a read',
    seeing((state, event) =>
      state.status === 'confirming' && event.type === 'confirm_failed' && event.failure.kind === 'no_answer'
        ? {
            state: {
              status: 'reloading',
              intent: state.intent,
              feedback: { notice: { kind: 'not_charged' }, previousTotal: null },
              failures: 0,
              again: false,
              usedUpAt: null,
              reads: 0,
              activity: 'reading',
            },
            event: { type: 'retrieved', intent: state.intent },
          }
        : {},
    ),
    { model: within('outcomes I4', ONE) },
  ),
  mistake(
    'gives up after silence and says it failed',
    deciding((state, event) =>
      state.status === 'confirming' && isSilence(event)
        ? { state: { status: 'canceled', intent: state.intent }, effects: [] }
        : null,
    ),
    { simulation: 'I4', model: within('said canceled', ONE) },
  ),
  mistake(
    'blames the integration after silence',
    deciding((state, event) =>
      state.status === 'confirming' && isSilence(event)
        ? {
            state: { status: 'blocked', intent: state.intent, error: MADE_UP, recoverable: false },
            effects: [],
          }
        : null,
    ),
    { simulation: 'I4', model: within('outcomes I4', ONE) },
  ),
  mistake(
    'believes a 200 that it cannot read',
    deciding((state, event) =>
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
    { seed: 3, simulation: 'I3', model: within('outcomes I3', ONE) },
  ),
  mistake(
    'takes the end of processing for a charge',
    seeing((state, event) =>
      state.status === 'processing' && event.type === 'retrieved' && event.intent.status === 'pending'
        ? { event: { ...event, intent: { ...event.intent, status: 'succeeded' } } }
        : {},
    ),
    { model: within('outcomes I3', { ...ONE, faults: 0 }) },
  ),
  mistake(
    'forgets after a reload that an attempt is running',
    seeing((state, event) =>
      state.status === 'loading' && event.type === 'retrieved' && event.intent.status === 'processing'
        ? { event: { ...event, intent: { ...event.intent, status: 'pending' } } }
        : {},
    ),
    {
      model: within('tab A offers Pay although the service reported a running attempt', {
        ...ONE,
        faults: 0,
        disturbances: 1,
      }),
    },
  ),
  // Confirms and amounts.
  mistake(
    're-sends a confirm that got no answer',
    deciding((state, event) =>
      state.status === 'confirming' && isSilence(event)
        ? { state, effects: [{ type: 'confirm', shown: state.shown }] }
        : null,
    ),
    { simulation: 'I2', model: within('outcomes I2', ONE) },
  ),
  mistake(
    'sends again if the answer takes long',
    deciding((state, event) =>
      state.status === 'confirming' && event.type === 'waited' && !state.slow
        ? { state: { ...state, slow: true }, effects: [{ type: 'confirm', shown: state.shown }] }
        : null,
    ),
    { simulation: 'I1', model: within('outcomes I2', ONE) },
  ),
  mistake(
    'confirms automatically after a 409',
    deciding((state, event) =>
      state.status === 'reloading' &&
      event.type === 'retrieved' &&
      event.intent.status === 'pending' &&
      state.feedback.notice?.kind === 'check_again'
        ? confirming(event.intent, totalOf(event.intent))
        : null,
    ),
    { seed: 2, simulation: 'I2', model: within('outcomes I2', { ...ONE, faults: 0, disturbances: 1 }) },
  ),
  mistake(
    'confirms a different total than the button showed',
    {
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
    { simulation: 'I5', model: within('outcomes I5', { ...ONE, faults: 0 }) },
  ),
  mistake(
    'confirms the total of a read after the press',
    {
      calls: (calls) => ({
        ...calls,
        async confirm(shown, signal) {
          const read = await calls.retrieve(signal, false);
          return calls.confirm(read.ok ? totalOf(read.value) : shown, signal);
        },
      }),
    },
    { model: within('outcomes I5', { ...ONE, faults: 0, disturbances: 1 }) },
  ),
  // Attempts and intents.
  mistake(
    'takes pending for the end of every attempt',
    {
      decide: (state, event, world) =>
        transition(
          state,
          event.type === 'retrieved'
            ? { ...event, intent: { ...event.intent, attemptsAreOver: true } }
            : event,
          world,
        ),
    },
    {
      seed: 7,
      simulation: 'said that all tries were used, and the last one was running',
      model: within('outcomes I4', {
        told: 'nothing',
        attempts: 1,
        presses: 2,
      }),
    },
  ),
  mistake(
    'takes 400 payment_intent_not_pending for a failure',
    deciding((state, event) =>
      state.status === 'confirming' &&
      event.type === 'confirm_failed' &&
      event.failure.kind === 'refused' &&
      event.failure.code === 'payment_intent_not_pending'
        ? { state: { status: 'exhausted', intent: state.intent, error: event.failure }, effects: [] }
        : null,
    ),
    { simulation: 'said that all tries were used', model: within('outcomes G4', ONE) },
  ),
  mistake('asks for another intent after silence', deciding(startsOver), {
    simulation: 'requested another intent',
    model: within('outcomes G4', ONE),
  }),
  // The page's answers.
  mistake(
    'confirms although the page said no',
    deciding((state, event) =>
      state.status === 'asking_page' && event.type === 'page_answered' && event.answer.kind === 'refused'
        ? confirming(state.intent, state.shown)
        : null,
    ),
    { seed: 2, simulation: 'I2', model: within('promises 1.10', ASKED) },
  ),
  mistake(
    'takes the silence of the page for a yes',
    deciding((state, event) =>
      state.status === 'asking_page' && event.type === 'waited'
        ? confirming(state.intent, state.shown)
        : null,
    ),
    { simulation: 'I2', model: within('promises 1.10', ASKED) },
  ),
  mistake(
    'forgets to ask the page',
    {
      decide: (state, event, world) => transition(state, event, { ...world, asksPage: false }),
    },
    { simulation: 'I2', model: within('promises 1.10', ASKED) },
  ),
  mistake(
    'waits for the page forever',
    deciding((state, event) =>
      state.status === 'asking_page' && event.type === 'waited' ? { state, effects: [] } : null,
    ),
    { simulation: 'a hang in asking_page', model: within('a dead end', ASKED) },
  ),
  mistake(
    'takes a yes to the old total for a yes to the new one',
    seeing((state, event) =>
      state.status === 'asking_page' && event.type === 'retrieved'
        ? { state: { ...state, shown: totalOf(event.intent) } }
        : {},
    ),
    { model: within('outcomes I5', { ...ASKED, disturbances: 2 }) },
  ),
  // Two tabs.
  mistake(
    'releases the lock as soon as it has it',
    {
      tabs: ({ locks, openChannel }) => ({
        openChannel,
        locks: locks && Object.setPrototypeOf({ request: requestBriefly(locks) }, null),
      }),
    },
    { model: within('outcomes 2.7', TWO_TABS) },
  ),
  mistake(
    'sends nothing after another tab and never looks',
    deciding((state, event) =>
      state.status === 'waiting_for_tab' && event.type !== 'closed' ? { state, effects: [] } : null,
    ),
    { seed: 8, simulation: 'a hang in waiting_for_tab', model: within('a dead end', TWO_TABS) },
  ),
  // Events.
  mistake(
    'takes the outcome of a second press for the first one, which it has reported',
    {
      telling(told, before, after) {
        const next = tell(told, before, after);
        return { ...next, told: { ...next.told, notice: told.notice || next.told.notice } };
      },
    },
    { model: within('promises 1.11', { faults: 0, attempts: 3 }) },
  ),
  mistake(
    'does not report a decline to the page',
    stepping((step) =>
      step.state.status === 'releasing' && step.state.feedback.notice?.kind === 'declined'
        ? { ...step, state: { ...step.state, feedback: { notice: null, previousTotal: null } } }
        : step,
    ),
    { model: within('promises 1.11', { ...ONE, faults: 0 }) },
  ),
  mistake(
    'forgets that the decline of the last attempt was shown',
    stepping((step) => {
      if (step.state.status !== 'reloading' || step.state.usedUpAt === null) return step;
      const { isShown: _, ...feedback } = step.state.feedback;
      return { ...step, state: { ...step.state, feedback } };
    }),
    { model: within('outcomes 2.4', { ...ONE, attempts: 1, intents: 1, faults: 0, outages: 1 }) },
  ),
  mistake(
    'reports a decline again with each read',
    { telling: (told, before, after) => tell({ ...told, notice: false }, before, after) },
    {
      simulation: 'promises 1.8',
      model: within('reported more declines than failed attempts', { ...ONE, faults: 0, disturbances: 1 }),
    },
  ),
  mistake(
    'reports a decline only when a card can be typed again',
    {
      telling: (told, before, after) =>
        after.status === 'reloading' ? { told, events: [] } : tell(told, before, after),
    },
    { model: within('promises 1.11', { ...ONE, faults: 0, told: 'nothing', attempts: 1 }) },
  ),
  // The end.
  mistake(
    'continues to read after the end',
    deciding((state, event) =>
      event.type === 'restored' && state.status === 'succeeded'
        ? { state, effects: [{ type: 'retrieve' }] }
        : null,
    ),
    { simulation: 'I8', model: within('outcomes I8', { ...ONE, faults: 0, disturbances: 1 }) },
  ),
  mistake(
    'leaves a timer behind when it is removed',
    deciding((state, event) =>
      event.type === 'closed' && state.status !== 'destroyed'
        ? { state: { status: 'destroyed' }, effects: [{ type: 'wait', ms: 60_000, jitter: false }] }
        : null,
    ),
    { simulation: 'I9', model: within('outcomes I8', { ...ONE, faults: 0, disturbances: 1 }) },
  ),
  // Only in the simulation, whose network has more ways to fail.
  mistake(
    'answers refresh() with pending although the card may have been charged',
    {
      answer: (message) =>
        message.type === 'refresh' && message.refresh.outcome === 'unknown' && message.refresh.paymentIntent
          ? {
              type: 'refresh',
              refresh: { outcome: 'pending', paymentIntent: message.refresh.paymentIntent },
            }
          : message,
    },
    { seed: 18, simulation: 'promises 1.13' },
  ),
  mistake(
    'trusts the input events instead of the value of the field',
    { hearsEventsAlone: true },
    { simulation: 'promises 2.11' },
  ),
  mistake(
    'ignores Retry-After',
    {
      fetch: (answer) => {
        if (answer.status !== 429) return answer;
        const headers = new Headers(answer.headers);
        headers.set('Retry-After', '0');
        return new Response(answer.body, { status: 429, headers });
      },
    },
    { seed: 2, simulation: 'I6' },
  ),
  mistake(
    'reads three times instead of once',
    {
      calls: (calls) => ({
        ...calls,
        async retrieve(signal, anew) {
          await calls.retrieve(signal, anew);
          await calls.retrieve(signal, false);
          return calls.retrieve(signal, false);
        },
      }),
    },
    { simulation: 'I7' },
  ),
  mistake('asks for another intent after silence, so that the order is paid twice', deciding(startsOver), {
    seed: 15,
    simulation: 'charged twice',
  }),
  mistake(
    'takes a yes to the old total for a yes to the new one, which it shows',
    deciding((state, event) =>
      state.status === 'asking_page' && event.type === 'retrieved' && event.intent.status === 'pending'
        ? {
            state: { ...state, intent: event.intent, shown: totalOf(event.intent), activity: 'waiting' },
            effects: state.allowed ? [{ type: 'confirm', shown: totalOf(event.intent) }] : [],
          }
        : null,
    ),
    { seed: 2, simulation: 'I5' },
  ),
];
