/**
 * What the service has told about the attempts of an intent (contract 4.6).
 *
 * While an attempt runs, a service says so: by the status `processing` or by `attempt_in_progress`. One that says
 * neither counts an attempt before it tries the card and still calls the intent `pending`. So `pending` alone does not
 * prove that no attempt is running; something must tell that the counted ones are over.
 */
import type { Intent } from './payment-state.ts';

/** Whether no attempt is left. */
export const isUsedUp = (intent: Intent): boolean =>
  intent.status === 'pending' && intent.attempts_left === 0;

/** Whether the latest attempt failed and has not been released. */
export const hasFailedAttempt = (intent: Intent): boolean =>
  intent.last_payment_error !== null && intent.status !== 'succeeded' && intent.status !== 'canceled';

/** An intent that was just read, with what is known from before. `known`: as it was read last, if it was. */
export const withKnownAttempts = (known: Intent | null, read: Intent): Intent =>
  tellsThatAttemptsAreOver(read) || (known !== null && wereOverBefore(known, read))
    ? { ...read, attemptsAreOver: true }
    : read;

const tellsThatAttemptsAreOver = (read: Intent): boolean =>
  read.attempt_in_progress === false || read.confirmation_attempts === 0 || read.last_payment_error !== null;

/** No attempt was counted since, and the known ones were over, or are now: `processing` ends with the attempt. */
const wereOverBefore = (known: Intent, read: Intent): boolean =>
  known.confirmation_attempts === read.confirmation_attempts &&
  (known.attemptsAreOver === true || known.status === 'processing');

/** The intent after the service has declined an attempt of this form: counted, and over. */
export const afterDecline = (intent: Intent): Intent => ({
  ...intent,
  confirmation_attempts: intent.confirmation_attempts === null ? null : intent.confirmation_attempts + 1,
  attemptsAreOver: true,
});

/** The intent while a confirm is open. Where the service does not count attempts, this one cannot be noticed later. */
export const whileConfirmIsOpen = (intent: Intent): Intent =>
  intent.confirmation_attempts === null ? { ...intent, attemptsAreOver: false } : intent;

/** Whether an attempt of any tab or browser may be running, as far as the service has told. */
export const mayBeAttempting = (intent: Intent): boolean =>
  intent.status !== 'succeeded' && intent.status !== 'canceled' && intent.attemptsAreOver !== true;
