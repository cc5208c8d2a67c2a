/**
 * The state that the first read of most payments leads to: a pending intent, of which nothing is to be told. The form reaches
 * it before the machine has arrived, which then goes on from here; a test holds it equal to what the machine says.
 */
import { hasFailedAttempt, isUsedUp, withKnownAttempts } from './attempts.ts';
import type { Feedback, Intent, PaymentState } from './payment-state.ts';
import { TIMING } from './timing.ts';

export type Ready = Extract<PaymentState, { status: 'ready' }>;

export const NO_FEEDBACK: Feedback = { notice: null, previousTotal: null };

/** Times in ms; a press counts from `notBefore` on, but not right away. */
export const readyState = (intent: Intent, feedback: Feedback, now: number, notBefore = 0): Ready => ({
  status: 'ready',
  intent,
  feedback,
  readAt: now,
  armedAt: Math.max(now + TIMING.pressGuard, notBefore),
});

/** The state after the first read, if the buyer can press Pay; null if the machine has to decide, or something is to be told. */
export const openedWith = (read: Intent, now: number): Ready | null => {
  const isPlain =
    read.status === 'pending' &&
    read.attempt_in_progress !== true &&
    !isUsedUp(read) &&
    !hasFailedAttempt(read) &&
    !read.missing_details?.length;
  return isPlain ? readyState(withKnownAttempts(null, read), NO_FEEDBACK, now) : null;
};
