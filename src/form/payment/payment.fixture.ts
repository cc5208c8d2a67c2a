/** An intent, a polling and a state for tests. */
import { CLIENT_INTENT } from '../../api/client-intent.fixture.ts';
import type { Intent, PaymentState, Polling } from './payment-state.ts';

/** A pending payment of 12.34 USD of a service that tells whether an attempt runs, with the given fields changed. */
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
