/** Forms with one mistake each. The explorer must find every one of them, within the bounds that stand beside it. */
import { totalOf } from '../api/money.ts';
import type { Notice, PaymentEvent, PaymentState, Step, World } from '../payment/payment-state.ts';
import { transition } from '../payment/transition.ts';
import { MUTATIONS } from '../simulation/mutations.ts';
import { type Bounds, PLAIN } from './bounds.ts';
import type { TabMutation } from './live-tab.ts';

export type Mutant = {
  name: string;
  mutation: TabMutation;
  bounds: Bounds;
  /** How the invariant begins that it must break. */
  breaks: string;
};

/** A mistake of the simulation: its name in `simulation/mutations.ts`. */
const known = (name: string, breaks: string, bounds: Partial<Bounds> = {}): Mutant => {
  const found = MUTATIONS[name];
  if (!found) throw new Error(`The simulation has no mutation "${name}".`);
  const { breaks: _, ...mutation } = found;
  return { name, mutation, breaks, bounds: { ...PLAIN, ...bounds } };
};

const mutant = (
  name: string,
  mutation: TabMutation,
  breaks: string,
  bounds: Partial<Bounds> = {},
): Mutant => ({
  name,
  mutation,
  breaks,
  bounds: { ...PLAIN, ...bounds },
});

/** The machine with another state or event in place of some. */
const seeing = (
  wrong: (
    state: PaymentState,
    event: PaymentEvent,
    world: World,
  ) => { state?: PaymentState; event?: PaymentEvent },
): TabMutation => ({
  decide(state, event, world) {
    const instead = wrong(state, event, world);
    return transition(instead.state ?? state, instead.event ?? event, world);
  },
});

/** The machine with another step in place of some. */
const stepping = (wrong: (step: Step, before: PaymentState, event: PaymentEvent) => Step): TabMutation => ({
  decide: (state, event, world) => wrong(transition(state, event, world), state, event),
});

/** A lock that is released as soon as it is held. */
const requestBriefly =
  (locks: Pick<LockManager, 'request'>) =>
  (name: string, options: LockOptions, grant: (lock: Lock | null) => unknown) =>
    locks.request(name, options, (lock) => void grant(lock));

const SHARED: Notice = { kind: 'not_sent' };
const ONE = { presses: 1 };
const ASKED = { presses: 1, faults: 0, beforePay: true } as const;
const TWO_TABS = { tabs: 2, locks: true, faults: 0 } as const;

export const MUTANTS: readonly Mutant[] = [
  // Time.
  mutant(
    'counts the age of a read from its answer, not from its question',
    seeing((state, event, { now }) =>
      state.status === 'resolving' && event.type === 'retrieved'
        ? { state: { ...state, polling: { ...state.polling, askedAt: now } } }
        : {},
    ),
    'outcomes I4',
    { ...ONE, faults: 2, confirms: 'atomic', intents: 1 },
  ),
  mutant(
    'believes silence after 10 s in place of 20',
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
    'outcomes I4',
    ONE,
  ),
  mutant(
    'takes a dead connection for an answer, so that silence is believed after 5 s',
    stepping((step, before) =>
      before.status === 'confirming' && step.state.status === 'resolving'
        ? { ...step, state: { ...step.state, polling: { ...step.state.polling, answered: true } } }
        : step,
    ),
    'outcomes I4',
    ONE,
  ),
  mutant(
    'stops polling when the page was hidden',
    seeing((state, event) => (event.type === 'woke' ? { event: { type: 'opened' }, state } : {})),
    'a dead end',
    { ...ONE, disturbances: 1 },
  ),
  known('forgets to look again while processing', 'a dead end', ONE),
  known('asks as fast as it can', 'a dead end', ONE),
  // The outcome of a press.
  mutant(
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
    'outcomes I4',
    ONE,
  ),
  known('gives up after silence and says it failed', 'said canceled', ONE),
  known('blames the integration after silence', 'outcomes I4', ONE),
  known('believes a 200 that it cannot read', 'outcomes I3', ONE),
  mutant(
    'takes the end of processing for a charge',
    seeing((state, event) =>
      state.status === 'processing' && event.type === 'retrieved' && event.intent.status === 'pending'
        ? { event: { ...event, intent: { ...event.intent, status: 'succeeded' } } }
        : {},
    ),
    'outcomes I3',
    { ...ONE, faults: 0 },
  ),
  mutant(
    'forgets after a reload that an attempt runs',
    seeing((state, event) =>
      state.status === 'loading' && event.type === 'retrieved' && event.intent.status === 'processing'
        ? { event: { ...event, intent: { ...event.intent, status: 'pending' } } }
        : {},
    ),
    'tab A offers Pay, though the service has told that an attempt runs',
    { ...ONE, faults: 0, disturbances: 1 },
  ),
  // Confirms and amounts.
  known('re-sends a confirm that got no answer', 'outcomes I2', ONE),
  known('sends once more when it takes long', 'outcomes I2', ONE),
  known('confirms by itself after a 409', 'outcomes I2', { ...ONE, faults: 0, disturbances: 1 }),
  known('confirms another total than the button showed', 'outcomes I5', { ...ONE, faults: 0 }),
  mutant(
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
    'outcomes I5',
    { ...ONE, faults: 0, disturbances: 1 },
  ),
  // Attempts and intents.
  known('takes pending for the end of every attempt', 'outcomes G4', {
    told: 'nothing',
    attempts: 1,
    presses: 2,
  }),
  known('takes 400 payment_intent_not_pending for a failure', 'outcomes G4', ONE),
  known('asks for another intent after silence', 'outcomes G4', ONE),
  // The page's word.
  known('confirms although the page said no', 'promises 1.10', ASKED),
  known('takes the silence of the page for a yes', 'promises 1.10', ASKED),
  known('forgets to ask the page', 'promises 1.10', ASKED),
  known('waits for the page for ever', 'a dead end', ASKED),
  mutant(
    'takes a yes to the old total for one to the new',
    seeing((state, event) =>
      state.status === 'asking_page' && event.type === 'retrieved'
        ? { state: { ...state, shown: totalOf(event.intent) } }
        : {},
    ),
    'outcomes I5',
    { ...ASKED, disturbances: 2 },
  ),
  // Two tabs.
  mutant(
    'releases the lock as soon as it has it',
    {
      tabs: ({ locks, openChannel }) => ({
        openChannel,
        locks: locks && Object.setPrototypeOf({ request: requestBriefly(locks) }, null),
      }),
    },
    'outcomes 2.7',
    TWO_TABS,
  ),
  known('sends nothing after another tab and never looks', 'a dead end', TWO_TABS),
  mutant(
    'has one object for all presses that another tab overtook',
    stepping((step) =>
      step.state.status === 'reloading' && step.state.feedback.notice?.kind === 'not_sent'
        ? { ...step, state: { ...step.state, feedback: { ...step.state.feedback, notice: SHARED } } }
        : step,
    ),
    'a press ended without an event',
    { ...TWO_TABS, confirms: 'atomic', attempts: 3, presses: 4 },
  ),
  // Events.
  mutant(
    'does not tell the page of a decline',
    stepping((step) =>
      step.state.status === 'releasing' && step.state.feedback.notice?.kind === 'declined'
        ? { ...step, state: { ...step.state, feedback: { notice: null, previousTotal: null } } }
        : step,
    ),
    'a press ended without an event',
    { ...ONE, faults: 0 },
  ),
  mutant(
    'tells a decline again with each read',
    stepping((step, _, event) =>
      event.type === 'retrieved' &&
      step.state.status === 'ready' &&
      step.state.feedback.notice?.kind === 'declined'
        ? {
            ...step,
            state: {
              ...step.state,
              feedback: { ...step.state.feedback, notice: { ...step.state.feedback.notice } },
            },
          }
        : step,
    ),
    'told more declines than attempts failed',
    { ...ONE, faults: 0, disturbances: 1 },
  ),
  // The end.
  known('goes on asking after the end', 'outcomes I8', { ...ONE, faults: 0, disturbances: 1 }),
  known('leaves a timer behind when it is gone', 'outcomes I8', { ...ONE, faults: 0, disturbances: 1 }),
];
