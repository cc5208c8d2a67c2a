/** An example intent, polling and state for tests. */

import { CLIENT_INTENT } from '../../api/client-intent.fixture.ts';
import type { Refusal } from '../../api/errors.ts';
import { keysOf } from '../channel/own-property.ts';
import type { Intent, PaymentState, Polling } from './payment-state.ts';
import { NO_FEEDBACK } from './payment-state.ts';

/** A pending payment of 12.34 USD, of a service that reports running attempts, with the given fields changed. */
export const exampleIntent = (different: Partial<Intent> = {}): Intent => ({
  ...CLIENT_INTENT,
  attempts_left: null,
  attemptsAreOver: true,
  missing_details: null,
  description: null,
  items: [],
  ...different,
});

/** The first moment of polling after a confirm that got no answer. */
export const examplePolling: Polling = {
  reason: { kind: 'no_answer' },
  shown: null,
  attemptsBefore: 0,
  startedAt: 0,
  answered: false,
  reads: 0,
  plan: 'full',
  readAt: 0,
  askedAt: 0,
  earlierRead: null,
  activity: 'pausing',
};

/** The state right after a press on 12.34 USD. */
export const exampleConfirming: Extract<PaymentState, { status: 'confirming' }> = {
  status: 'confirming',
  intent: exampleIntent(),
  shown: { amount: 1234, currency: 'usd' },
  sentAt: 0,
  slow: false,
  reads: 0,
  readAt: 0,
  activity: 'pausing',
};

/** A refusal of a card with the given fields changed. */
export const exampleRefusal = (different: Partial<Refusal> = {}): Refusal => ({
  kind: 'refused',
  status: 402,
  code: 'payment_method_declined',
  type: 'card_error',
  message: 'In English, not for the buyer.',
  param: null,
  declineCode: null,
  ...different,
});

const intent = exampleIntent();
const WAITING = { intent, feedback: NO_FEEDBACK, failures: 0, reads: 0, activity: 'reading' } as const;

/** The member of the union that has this status, possibly among others. */
type In<Status, State = PaymentState> = State extends { status: infer All }
  ? Status extends All
    ? State & { status: Status }
    : never
  : never;

/** Each state of the payment of 12.34 USD. */
const STATES: { [Status in PaymentState['status']]: In<Status> } = {
  booting: { status: 'booting' },
  loading: { status: 'loading', replaces: null, failures: 0, activity: 'reading' },
  load_failed: {
    status: 'load_failed',
    intent: null,
    replaces: null,
    feedback: NO_FEEDBACK,
    failure: { kind: 'no_answer', reason: 'network' },
    notBefore: 0,
  },
  ready: { status: 'ready', intent, feedback: NO_FEEDBACK, readAt: 0, armedAt: 0 },
  asking_page: {
    status: 'asking_page',
    intent,
    shown: { amount: 1234, currency: 'usd' },
    allowed: false,
    activity: 'waiting',
  },
  confirming: exampleConfirming,
  waiting_for_tab: { status: 'waiting_for_tab', intent },
  resolving: { status: 'resolving', intent, polling: examplePolling },
  processing: { status: 'processing', intent, polling: examplePolling },
  releasing: { status: 'releasing', ...WAITING },
  reloading: { status: 'reloading', ...WAITING, again: false, usedUpAt: null },
  throttled: {
    status: 'throttled',
    intent,
    error: { retryAfter: 7, stated: true },
    until: 0,
    secondsLeft: 7,
  },
  succeeded: { status: 'succeeded', intent, shown: null },
  canceled: { status: 'canceled', intent },
  exhausted: { status: 'exhausted', intent, error: exampleRefusal() },
  blocked: { status: 'blocked', intent, error: exampleRefusal(), recoverable: false },
  unknown: { status: 'unknown', intent, polling: examplePolling, notBefore: 0 },
  destroyed: { status: 'destroyed' },
};

export const STATUSES = keysOf(STATES);

/** The state with this status, with the given fields changed. */
export const exampleState = <Status extends PaymentState['status']>(
  status: Status,
  different: Partial<In<Status>> = {},
) => ({ ...STATES[status], ...different });
