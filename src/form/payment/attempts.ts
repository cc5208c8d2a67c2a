/**
 * Decides from what the service says whether an attempt of an intent may still be running (contract 4.6).
 *
 * Some services mark a running attempt with the status `processing` or with `attempt_in_progress`. Others do neither:
 * they count the attempt before they try the card and still report `pending`. So `pending` alone doesn't prove that no
 * attempt is running; the form needs evidence that the counted attempts are over.
 */
import type { Intent } from './payment-state.ts';

/** Returns true if no attempt is left. */
export const isUsedUp = (intent: Intent): boolean =>
  intent.status === 'pending' && intent.attempts_left === 0;

/** Returns true if the latest attempt failed and has not been released. */
export const hasFailedAttempt = (intent: Intent): boolean =>
  intent.last_payment_error !== null && intent.status !== 'succeeded' && intent.status !== 'canceled';

/** Adds what is already known to an intent that was just read. `known` is the previous read, or null. */
export const withKnownAttempts = (known: Intent | null, read: Intent): Intent =>
  tellsThatAttemptsAreOver(read) || (known !== null && wereOverBefore(known, read))
    ? { ...read, attemptsAreOver: true }
    : read;

const tellsThatAttemptsAreOver = (read: Intent): boolean =>
  read.attempt_in_progress === false || read.confirmation_attempts === 0 || read.last_payment_error !== null;

/** No attempt was counted since, and the known ones were over or are over now: `processing` ends with the attempt. */
const wereOverBefore = (known: Intent, read: Intent): boolean =>
  known.confirmation_attempts === read.confirmation_attempts &&
  (known.attemptsAreOver === true || known.status === 'processing');

/** The intent after the service declined an attempt of this form: the attempt is counted and over. */
export const afterDecline = (intent: Intent): Intent => ({
  ...intent,
  confirmation_attempts: intent.confirmation_attempts === null ? null : intent.confirmation_attempts + 1,
  attemptsAreOver: true,
});

/** The intent while a confirm is open. If the service doesn't count attempts, later reads can't reveal this one. */
export const whileConfirmIsOpen = (intent: Intent): Intent =>
  intent.confirmation_attempts === null ? { ...intent, attemptsAreOver: false } : intent;

/** Returns true unless the service has shown that no attempt, in any tab or browser, is running. */
export const mayBeAttempting = (intent: Intent): boolean =>
  intent.status !== 'succeeded' && intent.status !== 'canceled' && intent.attemptsAreOver !== true;
