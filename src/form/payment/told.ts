/**
 * What the page has been told of a payment, and what it is told next: whether the buyer was charged, which notices it
 * has heard, whether it still waits for the outcome of a press. A part of the machine: pure, and total over its states.
 *
 * The page hears of a notice at the moment at which the buyer sees it (promises 1.8), each of them once.
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

/** Whether money moved, as far as this page can know (outcomes 2.4). */
export type Charged = 'yes' | 'no' | 'unknown';

/** A notice that the page hears of. The others it knows: it heard of them when they began, or refused the press itself. */
export type ToldNotice = Exclude<Notice, { kind: 'started_over' | 'throttle_over' | 'page_refused' }>;

/** What the machine emits for the page, about the state after it. The words are those of frame/merchant/events.ts. */
export type PageEvent =
  /** The first read has ended, well or not: the buyer can type. */
  | { tell: 'ready' }
  | { tell: 'processing'; pressed: boolean }
  | { tell: 'notice'; notice: ToldNotice; charged: Charged }
  | { tell: 'total_changed'; previous: Money; current: Money }
  /**
   * The state itself is the problem: the intent could not be read, the service throttles, the integration is at fault, the
   * intent is over and another is asked for, or another total was charged than the button showed.
   */
  | { tell: 'problem'; charged: Charged }
  /** `mayArrive`: a press may still charge, so that `blocked` is no failure. */
  | { tell: 'result'; charged: Charged; mayArrive: boolean };

/** What was told, and what the machine's states alone do not say of charges. It is data: equal values act alike. */
export type Told = {
  isReady: boolean;
  /** A confirm was sent whose outcome the page has not been told. */
  awaitsOutcome: boolean;
  /** Of the feedback in the state: whether its notice was told, and which earlier total. */
  notice: boolean;
  previousTotal: Money | null;
  /** Whether the end of the intent was told that another is to replace. */
  over: boolean;
  /** A press of this page got no answer that tells what became of it, so that it may have charged this intent or still may. */
  mayArrive: boolean;
  /** The service refused to be read. */
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

/** What the page is told of a change of state, in order, and what it has been told then. */
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

/** Whether money moved, in a state and with what was told before it. */
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
    case 'rereading': // the buyer is told what became of the last attempt while the end of all is confirmed
      return feedbackShownIn(state) && !told.mayArrive ? 'no' : 'unknown';
    case 'ended':
      return state.status === 'succeeded' ? 'yes' : 'no';
    case 'idle': {
      // A read that failed or was refused says nothing about what another tab or an earlier page has done, and a 429
      // to a confirm nothing about an earlier delivery of it (outcomes 1.1).
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

/** Whether a payment attempt is under way, so that an error of any other kind would read as its end. */
export const isPaying = ({ status }: PaymentState, { awaitsOutcome }: Told): boolean =>
  status === 'asking_page' || (awaitsOutcome && status !== 'throttled');

/** What buyer and page are told in this state; null in the states that only keep it for later. */
const feedbackShownIn = (state: PaymentState): Feedback | null => {
  const isShown = state.status === 'ready' || (state.status === 'reloading' && state.usedUpAt !== null);
  return isShown ? state.feedback : null;
};

/** The feedback that a state has, shown or kept for the next one. */
const feedbackKeptIn = (state: PaymentState): Feedback => {
  if ('feedback' in state) return state.feedback;
  const reason = state.status === 'resolving' ? state.polling.reason : null;
  return { notice: reason?.kind === 'declined' ? reason : null, previousTotal: null };
};

const withCharges = (told: Told, before: PaymentState, after: PaymentState): Told => {
  // A 401 comes before the service looks at the intent: an earlier delivery of the confirm may have charged (1.1).
  const mayHaveArrived =
    (told.mayArrive && !wasRecorded(before, after)) ||
    (before.status === 'confirming' && after.status === 'blocked' && after.error.status === 401);
  const isUnanswered =
    after.status === 'resolving' && after.polling.reason.kind === 'no_answer' && !after.polling.answered;
  return {
    ...told,
    mayArrive: after.status !== 'loading' && (mayHaveArrived || isUnanswered), // `loading` is another payment
    wasReadRefused:
      before.status === after.status
        ? told.wasReadRefused
        : before.status === 'reloading' && after.status === 'blocked',
  };
};

/** Reads have shown a failed attempt, counted after the press: the press has arrived. */
const wasRecorded = (before: PaymentState, after: PaymentState): boolean =>
  PHASE[before.status] !== 'confirming' &&
  before.status !== after.status &&
  after.status === 'releasing' &&
  after.feedback.notice?.kind === 'declined';

/** The service has just told, twice and long after the press, that it has no record of it. */
const saysNotCharged = (state: PaymentState): boolean =>
  state.status === 'ready' && state.feedback.notice?.kind === 'not_charged';

/** A 429 says nothing about an earlier delivery of the press; the read after it does. Reading again changes nothing. */
const awaitsOutcome = (before: boolean, { status }: PaymentState): boolean =>
  PHASE[status] === 'rereading' ? before : status === 'throttled' || ATTEMPT.has(PHASE[status]);

const ATTEMPT: ReadonlySet<Phase> = new Set(['confirming', 'unresolved', 'settling']);

/**
 * Also true for a read that failed and is sent again after a pause: a page may hide the form until `ready`. The total of
 * an intent that the buyer has not seen is not told.
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

/** The decline of the last attempt, if no state has shown it before the end of all. */
const lastDecline = (told: Told, before: PaymentState): readonly PageEvent[] => {
  const { notice } = feedbackKeptIn(before);
  return notice?.kind === 'declined' && !told.notice ? [{ tell: 'notice', notice, charged: 'no' }] : [];
};
