/**
 * Tracks what the page already knows about a payment and decides which events it gets next: charges, notices, and
 * whether it still awaits the outcome of a press. A part of the machine: pure, and total over its states.
 *
 * The page gets each notice once, at the moment the buyer sees it (promises 1.8).
 */
import { isSameMoney, type Money, totalOf } from '../../api/money.ts';
import { mayBeAttempting } from './attempts.ts';
import {
  type Feedback,
  type Intent,
  type Notice,
  type PaymentState,
  PHASE,
  type Phase,
  seenBefore,
} from './payment-state.ts';

/** Tells if money moved, as far as this page can know (outcomes 2.4). */
export type Charged = 'yes' | 'no' | 'unknown';

/**
 * A notice that the page gets. It already knows about the others: it got an event when they began, or it refused the
 * press itself.
 */
export type ToldNotice = Exclude<Notice, { kind: 'started_over' | 'throttle_over' | 'page_refused' }>;

/** An event that the machine emits for the page, about the new state. The texts are in frame/merchant/events.ts. */
export type PageEvent =
  /** The first read has ended, successfully or not: the buyer can type. */
  | { tell: 'ready' }
  | { tell: 'processing'; pressed: boolean }
  | { tell: 'notice'; notice: ToldNotice; charged: Charged }
  | { tell: 'total_changed'; previous: Money; current: Money }
  /**
   * The state itself is the problem: the intent could not be read, the service throttles, the integration is at fault,
   * the intent is over and the page must supply another, or the total charged differs from the one on the button.
   */
  | { tell: 'problem'; charged: Charged }
  /** `mayArrive`: a press may still charge, so `blocked` is not a failure. */
  | { tell: 'result'; charged: Charged; mayArrive: boolean };

/** What the page knows, and what the states alone don't say about charges. Plain data: equal values act alike. */
export type Told = {
  isReady: boolean;
  /** A confirm was sent, and the page doesn't know its outcome yet. */
  awaitsOutcome: boolean;
  /** For the feedback in the state: whether the page got its notice, and which previous total it got. */
  notice: boolean;
  previousTotal: Money | null;
  /** The page knows that the intent ended and is to be replaced. */
  over: boolean;
  /** No answer showed what became of a press of this page, so it may have charged this intent or still may. */
  mayArrive: boolean;
  /** The service refused a read. */
  wasReadRefused: boolean;
};

export const NOTHING_TOLD: Told = {
  isReady: false,
  awaitsOutcome: false,
  notice: false,
  previousTotal: null,
  over: false,
  mayArrive: false,
  wasReadRefused: false,
};

/** Returns the events that a change of state causes, in order, and what the page knows afterwards. */
export const tell = (
  told: Told,
  before: PaymentState,
  after: PaymentState,
): { told: Told; events: readonly PageEvent[] } => {
  const known = withCharges(told, before, after);
  const kept = feedbackKeptIn(after);
  const shown = feedbackShownIn(after);
  const next: Told = {
    ...known,
    isReady: told.isReady || (!hasEndedFirstRead(before) && hasEndedFirstRead(after)),
    awaitsOutcome: awaitsOutcome(told.awaitsOutcome, after),
    notice: kept.notice !== null && (told.notice || shown !== null),
    previousTotal: kept.previousTotal && (shown ? shown.previousTotal : told.previousTotal),
    over: 'replaces' in after && after.replaces !== null,
  };
  const events = eventsOf({ ...known, over: told.over }, before, after);
  return { told: next, events: next.isReady && !told.isReady ? [{ tell: 'ready' }, ...events] : events };
};

/** Says whether money moved, given a state and what the page knew before it. */
export const chargedIn = (state: PaymentState, told: Told): Charged => {
  if (told.wasReadRefused) return 'unknown';
  const phase = PHASE[state.status];
  switch (phase) {
    case 'opening':
    case 'confirming':
    case 'unresolved':
    case 'settling':
    case 'destroyed':
      return 'unknown';
    case 'rereading': // the buyer sees the result of the last attempt while the form confirms that none is left
      return feedbackShownIn(state) && !told.mayArrive ? 'no' : 'unknown';
    case 'ended':
      return state.status === 'succeeded' ? 'yes' : 'no';
    case 'idle': {
      // A failed or refused read says nothing about other tabs or an earlier page, and a 429 to a confirm says nothing
      // about an earlier delivery of it (outcomes 1.1).
      const wasRead =
        state.status !== 'unknown' && state.status !== 'load_failed' && state.status !== 'throttled';
      const intent = wasRead && 'intent' in state ? state.intent : null;
      if (!intent || mayBeAttempting(intent)) return 'unknown';
      return told.mayArrive && !saysNotCharged(state) ? 'unknown' : 'no';
    }
    default:
      return phase satisfies never;
  }
};

/** Returns true while a payment attempt is under way, so that an unrelated error would look like its end. */
export const isPaying = ({ status }: PaymentState, { awaitsOutcome }: Told): boolean =>
  status === 'asking_page' || (awaitsOutcome && status !== 'throttled');

/** The feedback that buyer and page get in this state; null in states that only keep it for later. */
const feedbackShownIn = (state: PaymentState): Feedback | null => {
  const isShown = state.status === 'ready' || (state.status === 'reloading' && state.usedUpAt !== null);
  return isShown ? state.feedback : null;
};

/** The feedback in a state, shown or kept for the next one. */
const feedbackKeptIn = (state: PaymentState): Feedback => {
  if ('feedback' in state) return state.feedback;
  const reason = state.status === 'resolving' ? state.polling.reason : null;
  return { notice: reason?.kind === 'declined' ? reason : null, previousTotal: null };
};

const withCharges = (told: Told, before: PaymentState, after: PaymentState): Told => {
  // A 401 is sent before the service looks at the intent: an earlier delivery of the confirm may have charged (1.1).
  const mayHaveArrived =
    (told.mayArrive && !wasRecorded(before, after)) ||
    (before.status === 'confirming' && after.status === 'blocked' && after.error.status === 401);
  const isUnanswered =
    after.status === 'resolving' && after.polling.reason.kind === 'no_answer' && !after.polling.answered;
  return {
    ...told,
    mayArrive: after.status !== 'loading' && (mayHaveArrived || isUnanswered), // `loading` begins another payment
    wasReadRefused:
      before.status === after.status
        ? told.wasReadRefused
        : before.status === 'reloading' && after.status === 'blocked',
  };
};

/** Returns true once reads show a failed attempt counted after the press: the press arrived. */
const wasRecorded = (before: PaymentState, after: PaymentState): boolean =>
  PHASE[before.status] !== 'confirming' &&
  before.status !== after.status &&
  after.status === 'releasing' &&
  after.feedback.notice?.kind === 'declined';

/** The service has just said, twice and long after the press, that it has no record of it. */
const saysNotCharged = (state: PaymentState): boolean =>
  state.status === 'ready' && state.feedback.notice?.kind === 'not_charged';

/** A 429 says nothing about an earlier delivery of the press; the read after it does. Rereading changes nothing. */
const awaitsOutcome = (before: boolean, { status }: PaymentState): boolean =>
  PHASE[status] === 'rereading' ? before : status === 'throttled' || ATTEMPT.has(PHASE[status]);

const ATTEMPT: ReadonlySet<Phase> = new Set(['confirming', 'unresolved', 'settling']);

/**
 * Also true for a read that failed and is retried after a pause, since a page may hide the form until `ready`. The page
 * doesn't get the total of an intent that the buyer has not seen.
 */
const hasEndedFirstRead = (state: PaymentState): boolean =>
  state.status === 'loading'
    ? state.activity === 'pausing' || state.failures > 0 || seenBefore(state) !== null
    : state.status !== 'booting' && state.status !== 'destroyed';

const isKnownToPage = (notice: Notice): notice is Exclude<Notice, ToldNotice> =>
  notice.kind === 'started_over' || notice.kind === 'throttle_over' || notice.kind === 'page_refused';

const eventsOf = (told: Told, before: PaymentState, after: PaymentState): readonly PageEvent[] => {
  const charged = chargedIn(after, told);
  const feedback = feedbackShownIn(after);
  if (feedback && 'intent' in after && after.intent)
    return feedbackEvents(told, feedback, after.intent, charged);
  const problem: PageEvent = { tell: 'problem', charged };
  const result: PageEvent = { tell: 'result', charged, mayArrive: told.mayArrive };
  if (after.status === 'loading')
    return after.replaces && !told.over ? [...lastDecline(told, before), problem] : [];
  if (before.status === after.status) return [];
  switch (after.status) {
    case 'confirming':
      return [{ tell: 'processing', pressed: true }];
    case 'processing':
      return before.status === 'loading' ? [{ tell: 'processing', pressed: false }] : [];
    case 'load_failed':
    case 'throttled':
      return [problem];
    case 'blocked':
      return after.recoverable ? [problem] : [problem, result];
    case 'exhausted':
      return [...lastDecline(told, before), result];
    case 'succeeded':
      return after.shown ? [problem, result] : [result];
    case 'canceled':
    case 'unknown':
      return [result];
    default:
      return [];
  }
};

const feedbackEvents = (
  told: Told,
  { notice, previousTotal }: Feedback,
  intent: Intent,
  charged: Charged,
): readonly PageEvent[] => {
  const events: PageEvent[] = [];
  if (notice && !told.notice && !isKnownToPage(notice)) events.push({ tell: 'notice', notice, charged });
  if (previousTotal && !(told.previousTotal && isSameMoney(previousTotal, told.previousTotal)))
    events.push({ tell: 'total_changed', previous: previousTotal, current: totalOf(intent) });
  return events;
};

/** The decline of the last attempt, if no state showed it before the intent ended. */
const lastDecline = (told: Told, before: PaymentState): readonly PageEvent[] => {
  const { notice } = feedbackKeptIn(before);
  return notice?.kind === 'declined' && !told.notice ? [{ tell: 'notice', notice, charged: 'no' }] : [];
};
