/**
 * The machine: the next state and the effects for a state and an event. Pure and total, with time as an argument.
 *
 * Checked for every reachable state and event (transition.walk.test.ts, outcomes 2.2): a confirm is sent only on a
 * press in `ready`, once, with the total on the button; after no answer the form reads and never sends again;
 * `succeeded` needs an intent that was read as succeeded; no state waits forever; nothing happens after the end.
 *
 * An event that a state doesn't expect returns the same state object and no effects.
 */

import { errorType, type Failure, HTTP_STATUS, isErrorCode, type Refusal } from '../../api/errors.ts';
import { isSameMoney, type Money, totalOf } from '../../api/money.ts';
import {
  afterDecline,
  hasFailedAttempt,
  isUsedUp,
  mayBeAttempting,
  whileConfirmIsOpen,
  withKnownAttempts,
} from './attempts.ts';
import {
  type Effect,
  type Feedback,
  type Intent,
  NO_FEEDBACK,
  type Notice,
  type PaymentEvent,
  type PaymentState,
  type Polling,
  type PollReason,
  type Step,
  type UnpaidEnd,
  type World,
} from './payment-state.ts';
import { isPermanent, isServiceError, remedyFor } from './remedy.ts';
import { CHECK_SCHEDULE, RETRY_NETWORK, RETRY_SERVICE, SCHEDULE, TIMING } from './timing.ts';

type In<Status extends PaymentState['status']> = Extract<PaymentState, { status: Status }>;

export const initial: PaymentState = { status: 'booting' };

const RETRIEVE: readonly Effect[] = [{ type: 'retrieve' }];
const STARTED_OVER = { kind: 'started_over' } as const;
const WAITED: Notice = { kind: 'throttle_over' };
const NOT_SENT: Notice = { kind: 'not_sent' };
const PAGE_FAILED: Notice = { kind: 'page_failed' };

const step = (state: PaymentState, ...effects: readonly Effect[]): Step => ({ state, effects });
const stay = (state: PaymentState): Step => ({ state, effects: [] });
const wait = (ms: number, jitter = false): Effect => ({ type: 'wait', ms, jitter });

export const transition = (state: PaymentState, event: PaymentEvent, world: World): Step => {
  if (event.type === 'closed')
    return state.status === 'destroyed' ? stay(state) : step({ status: 'destroyed' });
  if (event.type === 'swap_requested') return awaitSwap(state);
  const checked = checkIntent(state, event);
  switch (state.status) {
    case 'booting':
      return checked.type === 'opened' ? step(loading(null), ...RETRIEVE) : stay(state);
    case 'loading':
      return whileLoading(state, checked, world);
    case 'load_failed':
      return whileLoadFailed(state, checked, world);
    case 'ready':
      return whileReady(state, checked, world);
    case 'asking_page':
      return whileAskingPage(state, checked, world);
    case 'confirming':
      return whileConfirming(state, checked, world);
    case 'waiting_for_tab':
      return whileWaitingForTab(state, checked);
    case 'resolving':
    case 'processing':
      return whilePolling(state, checked, world);
    case 'releasing':
      return whileReleasing(state, checked, world);
    case 'reloading':
      return whileReloading(state, checked, world);
    case 'throttled':
      return whileThrottled(state, checked, world);
    case 'blocked':
      return checked.type === 'refresh_requested' && state.recoverable && state.intent
        ? reload(state.intent, NO_FEEDBACK)
        : stay(state);
    case 'unknown':
      return whileUnknown(state, checked, world);
    case 'succeeded':
    case 'canceled':
    case 'exhausted':
    case 'destroyed':
      return stay(state);
    default:
      return state satisfies never;
  }
};

/** An intent with another id is not an answer about this payment, whatever its status. */
const checkIntent = (state: PaymentState, event: PaymentEvent): PaymentEvent => {
  if (event.type !== 'retrieved' && event.type !== 'confirmed') return event;
  const known = 'intent' in state ? state.intent : null;
  if (known === null || known.id === event.intent.id) {
    return { ...event, intent: withKnownAttempts(known, event.intent) };
  }
  return {
    type: event.type === 'retrieved' ? 'retrieve_failed' : 'confirm_failed',
    failure: { kind: 'no_answer', reason: 'malformed' },
  };
};

// ————— on the way to `ready` —————

export const loading = (replaces: UnpaidEnd | null): In<'loading'> => ({
  status: 'loading',
  replaces,
  failures: 0,
  activity: 'reading',
});

/** Ends an unpaid intent, or reads another one if the page can supply it. */
const endUnpaid = (unpaid: UnpaidEnd, { canReplace }: World): Step =>
  canReplace ? step(loading(unpaid), { type: 'retrieve', replacement: true }) : step(unpaid);

const reloading = (intent: Intent, feedback: Feedback, reads: number): In<'reloading'> => ({
  status: 'reloading',
  intent,
  feedback,
  failures: 0,
  again: false,
  usedUpAt: null,
  reads,
  activity: 'reading',
});

const reload = (intent: Intent, feedback: Feedback, reads = 0): Step => ({
  state: reloading(intent, feedback, reads),
  effects: RETRIEVE,
});

const whileLoading = (state: In<'loading'>, event: PaymentEvent, world: World): Step => {
  const { replaces } = state;
  if (state.activity === 'reading' && event.type === 'retrieved') {
    const { intent } = event;
    // The same intent or another canceled one means that the page has none to pay; the form doesn't ask twice.
    if (replaces && intent.id === replaces.intent.id) return sameAgain(replaces, intent, world);
    if (replaces && intent.status === 'canceled') return step(replaces);
    if (hasFailedAttempt(intent))
      return releaseFirst(intent, { notice: declinedBy(intent), previousTotal: null });
    if (!replaces) {
      return intent.status === 'canceled' && intent.confirmation_attempts === 0
        ? endUnpaid({ status: 'canceled', intent, untried: true }, world)
        : enterStateOf(intent, NO_FEEDBACK, 0, world);
    }
    return enterStateOf(intent, feedbackAfter(replaces, intent), 0, world);
  }
  if (state.activity === 'reading' && event.type === 'retrieve_failed') {
    const { failure } = event;
    if (replaces && failure.kind === 'no_answer' && failure.reason === 'no_secret') return step(replaces);
    return retryRead(state, failure, null, NO_FEEDBACK, world);
  }
  if (state.activity === 'pausing' && event.type === 'waited') {
    return { state: { ...state, activity: 'reading' }, effects: RETRIEVE };
  }
  return stay(state);
};

/** The feedback about the intent before this one. */
const feedbackAfter = (replaced: UnpaidEnd, intent: Intent): Feedback =>
  replaced.untried
    ? { ...NO_FEEDBACK, notice: { ...STARTED_OVER, untried: true } }
    : withPreviousTotal(totalOf(replaced.intent), intent, { ...NO_FEEDBACK, notice: STARTED_OVER });

/** "No attempt left" is concluded from two reads, and this one may know more. `canceled` is final. */
const sameAgain = (unpaid: UnpaidEnd, intent: Intent, world: World): Step =>
  unpaid.status === 'canceled' || intent.status === 'pending'
    ? step(unpaid)
    : enterStateOf(intent, NO_FEEDBACK, 0, { ...world, canReplace: false });

/**
 * The page supplies another intent (`swap.ts`): from here on no press counts, and a press awaiting `beforePay` is
 * dropped. If the swap doesn't begin in time, for example because its script doesn't load, the known intent is reread.
 */
const awaitSwap = (state: PaymentState): Step => {
  const isOpen =
    state.status === 'ready' ||
    state.status === 'asking_page' ||
    (state.status === 'blocked' && state.recoverable);
  if (!isOpen || !state.intent) return stay(state);
  const feedback = 'feedback' in state ? { ...state.feedback, isShown: true as const } : NO_FEEDBACK;
  return step(
    { ...reloading(state.intent, feedback, 0), swap: 'asked', activity: 'pausing' },
    wait(TIMING.betweenReads),
  );
};

const whileReloading = (state: In<'reloading'>, event: PaymentEvent, world: World): Step => {
  const { intent: known, feedback } = state;
  if (event.type === 'refresh_requested') return stay({ ...state, again: true });
  if (state.activity === 'reading' && event.type === 'retrieved') {
    const { intent } = event;
    const news = withPreviousTotal(totalOf(known), intent, feedback);
    if (isUsedUp(intent)) {
      return isLastDecline(feedback.notice, known, intent)
        ? endUsedUp(intent, news, world)
        : whenUsedUp(intent, news, state.usedUpAt, state.reads, world);
    }
    if (!state.again || intent.status !== 'pending') return enterStateOf(intent, news, state.reads, world);
    return step(
      { ...state, intent, feedback: news, again: false, activity: 'pausing' },
      wait(TIMING.betweenReads),
    );
  }
  if (state.activity === 'reading' && event.type === 'retrieve_failed') {
    return retryRead(state, event.failure, known, feedback, world);
  }
  if (state.activity === 'pausing' && event.type === 'waited') {
    return { state: { ...state, swap: undefined, again: false, activity: 'reading' }, effects: RETRIEVE };
  }
  return stay(state);
};

/**
 * Delay in ms before a failed read is retried; undefined if it is not. `failures` counts the failed reads before it.
 */
export const msToRetry = (failure: Failure, failures: number): number | undefined => {
  if (failure.kind === 'throttled' || (failure.kind === 'refused' && isPermanent(failure))) return undefined;
  if (failure.kind === 'no_answer' && failure.reason === 'no_secret') return undefined; // the page's server is asked once per press
  const answered = failure.kind === 'refused' || failure.reason === 'malformed';
  return (answered ? RETRY_SERVICE : RETRY_NETWORK)[failures];
};

/** A read on the way to `ready` failed: retries it later or reports it. It says nothing about the payment. */
const retryRead = (
  state: In<'loading' | 'reloading'>,
  failure: Failure,
  intent: Intent | null,
  feedback: Feedback,
  world: World,
): Step => {
  if (failure.kind === 'refused' && isPermanent(failure)) {
    // Until buyer and page know how a press ended, an earlier delivery of its confirm may have paid.
    if (intent && feedback.notice && !feedback.isShown) return readsRefused(intent, world);
    return step({ status: 'blocked', intent, error: failure, recoverable: false });
  }
  const replaces = state.status === 'loading' ? state.replaces : null;
  if (failure.kind === 'throttled') {
    const ms = failure.retryAfter * 1000 + TIMING.waitMargin;
    if (failure.retryAfter * 1000 <= TIMING.longestWait)
      return step({ ...state, activity: 'pausing' }, wait(ms));
    return step({ status: 'load_failed', intent, replaces, feedback, failure, notBefore: world.now + ms });
  }
  const delay = msToRetry(failure, state.failures);
  if (delay !== undefined) {
    return step({ ...state, failures: state.failures + 1, activity: 'pausing' }, wait(delay));
  }
  if (intent && feedback.notice?.kind === 'declined' && !feedback.isShown) {
    // The attempt failed, but the release may or may not have worked.
    const reason: PollReason = { kind: 'declined', error: feedback.notice.error };
    return poll(
      reason,
      intent,
      foreignAttempt(world),
      world,
      Math.min(readsOf(state) + state.failures, SCHEDULE.length - 1),
    );
  }
  const notBefore = world.now + TIMING.betweenRetries;
  return step({ status: 'load_failed', intent, replaces, feedback, failure, notBefore });
};

const readsOf = (state: In<'loading' | 'reloading'>) => (state.status === 'reloading' ? state.reads : 0);

/** "Try again" or "Check status" was pressed, or the page called `refresh()`. */
const isAsked = ({ type }: PaymentEvent): boolean =>
  type === 'retry_requested' || type === 'refresh_requested';

/**
 * A request made too early changes the state at once; only the read waits. If it is more than an hour too early, the
 * buyer sees the remaining time instead.
 */
const whileLoadFailed = (state: In<'load_failed'>, event: PaymentEvent, world: World): Step => {
  const early = state.notBefore - world.now;
  const asked = isAsked(event) || event.type === 'restored' || event.type === 'woke';
  if (!asked) return stay(state);
  if (early > TIMING.longestWait) return stay({ ...state, secondsLeft: secondsIn(early) });
  const next = state.intent ? reloading(state.intent, state.feedback, 0) : loading(state.replaces);
  return early > 0 ? step({ ...next, activity: 'pausing' }, wait(early)) : { state: next, effects: RETRIEVE };
};

/** The state for an intent that was just read. */
const enterStateOf = (intent: Intent, feedback: Feedback, reads: number, world: World): Step => {
  switch (intent.status) {
    case 'succeeded':
      return succeed(intent, null);
    case 'canceled':
      return endUnpaid({ status: 'canceled', intent }, world);
    case 'pending':
      return isUsedUp(intent)
        ? whenUsedUp(intent, feedback, null, reads, world)
        : ready(intent, feedback, world);
    default: // `processing`, or a status added later by the service: polled, never a Pay button
      return poll({ kind: 'processing' }, intent, foreignAttempt(world), world, reads);
  }
};

const USED_UP: Refusal = {
  kind: 'refused',
  status: HTTP_STATUS.payment_intent_not_pending,
  code: 'payment_intent_not_pending',
  type: errorType('payment_intent_not_pending'),
  message: 'All payment attempts of this intent are used (attempts_left is 0).',
  param: null,
  declineCode: null,
};

/** Returns true if the confirm's own decline was the last attempt: a read agrees on the count and that it is over. */
const isLastDecline = (notice: Notice | null, known: Intent, read: Intent): boolean =>
  notice?.kind === 'declined' &&
  notice.isAnswer === true &&
  read.attempt_in_progress === false &&
  read.confirmation_attempts !== null &&
  read.confirmation_attempts === known.confirmation_attempts;

/**
 * No attempt is left. The last one may still be running, here or elsewhere: until the service shows that it is over,
 * the intent counts as being paid. A read may be stale, so two must agree (contract 4.6, outcomes 2.4). `since`: when
 * the first one said so, in monotonic ms.
 */
const whenUsedUp = (
  intent: Intent,
  feedback: Feedback,
  since: number | null,
  reads: number,
  world: World,
): Step => {
  if (mayBeAttempting(intent)) {
    return poll({ kind: 'processing' }, intent, foreignAttempt(world), world, reads);
  }
  if (since !== null && world.now - since >= TIMING.agreement) return endUsedUp(intent, feedback, world);
  const usedUpAt = since ?? world.now;
  return step(
    { ...reloading(intent, { ...feedback, isShown: true }, reads), usedUpAt, activity: 'pausing' },
    wait(usedUpAt + TIMING.agreement - world.now),
  );
};

const endUsedUp = (intent: Intent, feedback: Feedback, world: World): Step => {
  // This intent already replaced another one; the form doesn't ask the page twice.
  const canReplace = world.canReplace && feedback.notice?.kind !== 'started_over';
  const declined = feedback.notice?.kind === 'declined' ? ({ declined: true } as const) : {};
  return endUnpaid({ status: 'exhausted', intent, error: USED_UP, ...declined }, { ...world, canReplace });
};

/** Enters `ready`. A press counts from `notBefore` on, but never right away. */
const ready = (intent: Intent, feedback: Feedback, { now }: World, notBefore = 0): Step =>
  step({
    status: 'ready',
    intent,
    feedback,
    readAt: now,
    armedAt: Math.max(now + TIMING.pressGuard, notBefore),
  });

const isOtherTotal = (shown: Money, intent: Intent): boolean => !isSameMoney(shown, totalOf(intent));

/** Adds the previous total if a read shows a different total from the one on the screen. */
export const withPreviousTotal = (shown: Money | null, intent: Intent, feedback: Feedback): Feedback =>
  shown && isOtherTotal(shown, intent) ? { ...feedback, previousTotal: shown } : feedback;

// ————— pressing Pay —————

const whileReady = (state: In<'ready'>, event: PaymentEvent, world: World): Step => {
  const { intent } = state;
  const feedback: Feedback = { ...state.feedback, isShown: true };
  switch (event.type) {
    case 'submitted': {
      if (isOtherTotal(event.shown, intent) || world.now < state.armedAt) return stay(state);
      // A read finds out without losing anything typed. If it is answered, the next press counts.
      if (world.offline) return reload(intent, feedback);
      return world.asksPage ? askPage(intent, event.shown) : confirm(intent, event.shown, world);
    }
    case 'restored':
      return reload(intent, feedback);
    case 'woke':
      return event.gap > TIMING.staleAfter ? reload(intent, feedback) : stay(state);
    case 'refresh_requested': {
      const early = state.readAt + TIMING.betweenReads - world.now;
      if (early <= 0) return reload(intent, feedback);
      return step({ ...reloading(intent, feedback, 0), activity: 'pausing' }, wait(early));
    }
    default:
      return stay(state);
  }
};

const askPage = (intent: Intent, shown: Money): Step =>
  step(
    { status: 'asking_page', intent, shown, allowed: false, activity: 'waiting' },
    { type: 'ask_page', shown },
    wait(TIMING.pageAnswer),
  );

/** Sends the confirm of a press. */
const confirm = (intent: Intent, shown: Money, world: World): Step =>
  step(
    {
      status: 'confirming',
      intent: whileConfirmIsOpen(intent),
      shown,
      sentAt: world.now,
      slow: false,
      reads: 0,
      readAt: world.now,
      activity: 'pausing',
    },
    { type: 'confirm', shown },
    wait(TIMING.slow),
  );

/**
 * The page decides about the press. Only its approval leads to a confirm, with the total that was pressed. If the page
 * changed the intent meanwhile and said so with `refresh()`, the intent is read first.
 */
const whileAskingPage = (state: In<'asking_page'>, event: PaymentEvent, world: World): Step => {
  const { intent, shown, allowed } = state;
  const goOn = (latest = intent): Step =>
    allowed ? confirm(latest, shown, world) : step({ ...state, intent: latest, activity: 'waiting' });
  const back = (notice: Notice): Step => ready(intent, { notice, previousTotal: null }, world);
  switch (event.type) {
    case 'page_answered': {
      const { answer } = event;
      if (allowed) return stay(state);
      if (answer.kind === 'failed') return back(PAGE_FAILED);
      if (answer.kind === 'refused') return back({ kind: 'page_refused', message: answer.message });
      return state.activity === 'reading' ? stay({ ...state, allowed: true }) : confirm(intent, shown, world);
    }
    case 'waited':
      return allowed ? confirm(intent, shown, world) : back(PAGE_FAILED);
    case 'refresh_requested':
      return state.activity === 'reading'
        ? stay(state)
        : step({ ...state, activity: 'reading' }, { type: 'retrieve' });
    case 'retrieved': {
      if (state.activity !== 'reading') return stay(state);
      const read = event.intent;
      if (read.status === 'pending' && !isUsedUp(read) && !isOtherTotal(shown, read)) return goOn(read);
      return enterStateOf(read, withPreviousTotal(shown, read, NO_FEEDBACK), 0, world);
    }
    case 'retrieve_failed': // the confirm will show what is wrong
      return state.activity === 'reading' ? goOn() : stay(state);
    case 'restored':
      return reload(intent, NO_FEEDBACK);
    default:
      return stay(state);
  }
};

const whileConfirming = (state: In<'confirming'>, event: PaymentEvent, world: World): Step => {
  const { shown, sentAt } = state;
  switch (event.type) {
    case 'confirmed':
      switch (event.intent.status) {
        case 'succeeded':
          return succeed(event.intent, shown);
        case 'canceled':
          return endUnpaid({ status: 'canceled', intent: event.intent }, world);
        case 'pending': // neither paid nor refused: inconclusive
          return resolveConfirm(state, { kind: 'no_answer' }, true, world, event.intent);
        default:
          return resolveConfirm(state, { kind: 'processing' }, true, world, event.intent);
      }
    case 'confirm_failed':
      return afterFailedConfirm(state, event.failure, world);
    case 'other_tab_paying':
      return step(
        { status: 'waiting_for_tab', intent: state.intent },
        { type: 'wait_for_tab' },
        wait(TIMING.longestTabWait),
      );
    case 'restored': // the request did not survive the cache, but may have charged
      return resolveConfirm(state, { kind: 'no_answer' }, false, world);
    case 'waited': {
      if (state.activity !== 'pausing') return stay(state);
      const age = world.now - sentAt;
      if (age < TIMING.probe) {
        const slow = state.slow || age >= TIMING.slow;
        return step({ ...state, slow }, wait((slow ? TIMING.probe : TIMING.slow) - age));
      }
      const next = { ...state, slow: true, activity: world.awake ? 'reading' : 'asleep' } as const;
      return world.awake ? step(next, { type: 'retrieve' }) : stay(next);
    }
    case 'woke': {
      const recent = world.now - state.readAt < TIMING.betweenReads;
      if (state.activity === 'reading' || (recent && state.activity !== 'asleep')) return stay(state);
      return step({ ...state, activity: 'reading' }, { type: 'retrieve' });
    }
    case 'retrieved':
      if (state.activity !== 'reading') return stay(state);
      if (event.intent.status === 'succeeded') return succeed(event.intent, shown);
      if (event.intent.status === 'canceled')
        return endUnpaid({ status: 'canceled', intent: event.intent }, world);
      return readBesideConfirm(withToldAttempt(state, event.intent), 0, world);
    case 'retrieve_failed':
      if (state.activity !== 'reading') return stay(state);
      return readBesideConfirm(state, statedWait(event.failure), world);
    default:
      return stay(state);
  }
};

/** Reads the intent once the other tab is done or took longer than a confirm can. Paying needs a new press. */
const whileWaitingForTab = (state: In<'waiting_for_tab'>, event: PaymentEvent): Step => {
  const { intent } = state;
  switch (event.type) {
    case 'other_tab_done':
    case 'waited':
    case 'restored':
    case 'refresh_requested':
      return reload(intent, { notice: NOT_SENT, previousTotal: null });
    default:
      return stay(state);
  }
};

/** Polls for the outcome of a press. The schedule continues where the reads beside the open confirm left off. */
const resolveConfirm = (
  { intent, shown, sentAt, reads }: In<'confirming'>,
  reason: PollReason,
  answered: boolean,
  world: World,
  latest = intent,
): Step => {
  const sent = { shown, attemptsBefore: intent.confirmation_attempts, startedAt: sentAt, answered };
  return poll(reason, latest, sent, world, Math.min(reads, SCHEDULE.length - 1));
};

/** Keeps the count from before the press, but takes over whether an attempt may be running from the latest read. */
const withToldAttempt = (state: In<'confirming'>, { attemptsAreOver = false }: Intent): In<'confirming'> => ({
  ...state,
  intent: { ...state.intent, attemptsAreOver },
});

/** Schedules the next read beside a confirm that is still open. */
const readBesideConfirm = (state: In<'confirming'>, atLeast: number, world: World): Step => {
  const delay = Math.max(SCHEDULE[state.reads] ?? TIMING.probe, atLeast);
  const reads = Math.min(state.reads + 1, SCHEDULE.length);
  return step({ ...state, reads, readAt: world.now, activity: 'pausing' }, wait(delay));
};

const succeed = (intent: Intent, shown: Money | null): Step =>
  step({ status: 'succeeded', intent, shown: shown && isOtherTotal(shown, intent) ? shown : null });

/** Handles a confirm that was not answered with an intent: every row of outcomes 2.6, column "Confirm". */
const afterFailedConfirm = (state: In<'confirming'>, failure: Failure, world: World): Step => {
  const { intent, sentAt } = state;
  if (failure.kind === 'no_answer') return resolveConfirm(state, { kind: 'no_answer' }, false, world);
  if (failure.kind === 'throttled') {
    const until = world.now + failure.retryAfter * 1000 + TIMING.waitMargin;
    return countDown({ status: 'throttled', intent, error: failure, until, secondsLeft: 0 }, world);
  }
  const answered = isErrorCode(failure.code);
  switch (remedyFor(failure)) {
    case 'other_card':
      return releaseFirst(afterDecline(intent), {
        notice: { kind: 'declined', error: failure, isAnswer: true },
        previousTotal: null,
      });
    case 'review_total':
      return reload(intent, { notice: { kind: 'check_again', error: failure }, previousTotal: null });
    case 'fix_details':
      return ready(
        intent,
        { notice: { kind: 'details_refused', error: failure }, previousTotal: null },
        world,
        sentAt + TIMING.betweenConfirms,
      );
    case 'complete_order':
      return step({ status: 'blocked', intent, error: failure, recoverable: true });
    case 'fix_keys':
      return step({ status: 'blocked', intent, error: failure, recoverable: false });
    case 'check_status':
      return resolveConfirm(state, { kind: 'not_pending', error: failure }, answered, world);
    case 'fix_integration':
      return resolveConfirm(state, { kind: 'refused', error: failure }, answered, world);
    case 'verify':
      return resolveConfirm(state, { kind: 'no_answer' }, answered, world);
  }
};

// ————— after a declined attempt —————

const declinedBy = (intent: Intent): Notice => {
  const error = intent.last_payment_error;
  return {
    kind: 'declined',
    error: error && {
      kind: 'refused',
      status: 402,
      code: error.code,
      type: error.type,
      message: error.message,
      param: error.param ?? null,
      declineCode: error.decline_code ?? null,
    },
  };
};

/** Releases a failed attempt before the next one; the read that follows decides. */
const releaseFirst = (intent: Intent, feedback: Feedback, reads = 0): Step =>
  step(
    { status: 'releasing', intent, feedback, failures: 0, reads, activity: 'reading' },
    { type: 'release' },
  );

const whileReleasing = (state: In<'releasing'>, event: PaymentEvent, world: World): Step => {
  const goOn = () => reload(state.intent, state.feedback, state.reads);
  if (state.activity === 'pausing') {
    return event.type === 'waited'
      ? step({ ...state, activity: 'reading' }, { type: 'release' })
      : stay(state);
  }
  if (event.type === 'released') return goOn(); // the read decides, whatever the answer was
  if (event.type !== 'release_failed') return stay(state);
  const { failure } = event;
  if (failure.kind === 'refused' && remedyFor(failure) === 'fix_keys') {
    return readsRefused(state.intent, world);
  }
  if (failure.kind === 'refused' && isPermanent(failure)) return goOn();
  const delay = failure.kind === 'throttled' ? statedWait(failure) : RETRY_NETWORK[state.failures];
  // Release is advised, not required (contract 3.3), so a failing one never locks the form.
  if (delay === undefined || delay - TIMING.waitMargin > TIMING.longestWait || state.failures >= 2)
    return goOn();
  return step({ ...state, failures: state.failures + 1, activity: 'pausing' }, wait(delay));
};

const whileThrottled = (state: In<'throttled'>, event: PaymentEvent, world: World): Step => {
  const asked = isAsked(event);
  if (!asked && event.type !== 'waited') return stay(state);
  if (world.now < state.until) return asked ? stay(state) : countDown(state, world);
  // After more than an hour nobody may be at the screen, so the next read waits for the button or `refresh()`.
  const long = state.error.retryAfter * 1000 > TIMING.longestWait;
  if (!long || asked) return reload(state.intent, { ...NO_FEEDBACK, notice: WAITED });
  return stay(state.secondsLeft === 0 ? state : { ...state, secondsLeft: 0 });
};

/** Waits exactly as long as the service asked, and updates the remaining seconds. */
const countDown = (state: In<'throttled'>, world: World): Step => {
  const left = state.until - world.now;
  return step({ ...state, secondsLeft: secondsIn(left) }, wait(Math.min(left, left % 1000 || 1000)));
};

/** Converts a wait in ms to the seconds that the service asked for. */
const secondsIn = (ms: number): number => Math.max(Math.ceil((ms - TIMING.waitMargin) / 1000), 0);

// ————— polling for the outcome —————

type PollingState = In<'resolving' | 'processing'>;

/** The known facts about the attempt that the form polls for. */
type Attempt = Pick<Polling, 'shown' | 'attemptsBefore' | 'startedAt' | 'answered'>;

/** An attempt of another tab or of an earlier page. */
const foreignAttempt = (world: World): Attempt => ({
  shown: null,
  attemptsBefore: null,
  startedAt: world.now,
  answered: true,
});

const pollingState = (
  reason: PollReason,
  intent: Intent,
  sent: Attempt,
  world: World,
  reads = 0,
): PollingState => ({
  status: reason.kind === 'processing' ? 'processing' : 'resolving',
  intent,
  polling: {
    reason,
    ...sent,
    reads,
    plan: 'full',
    readAt: world.now,
    askedAt: world.now,
    earlierRead: null,
    activity: 'pausing',
  },
});

const poll = (reason: PollReason, intent: Intent, sent: Attempt, world: World, reads = 0): Step =>
  scheduleRead(pollingState(reason, intent, sent, world, reads), world);

/** The service refuses reads after a press. */
const readsRefused = (intent: Intent, world: World): Step =>
  giveUp(pollingState({ kind: 'no_answer' }, intent, foreignAttempt(world), world), null);

/** Schedules the next read, sooner if it could settle the outcome. At the end of the schedule: `unknown`. */
const scheduleRead = (state: PollingState, world: World, atLeast = 0, hurry = true): Step => {
  const { polling } = state;
  const slot = (polling.plan === 'full' ? SCHEDULE : CHECK_SCHEDULE)[polling.reads];
  if (slot === undefined || atLeast - TIMING.waitMargin > TIMING.longestWait) {
    const notBefore = world.now + Math.max(TIMING.betweenChecks, atLeast);
    return giveUp(state, notBefore);
  }
  const untilSettled = polling.earlierRead ? settlesAt(polling, polling.earlierRead.at) - world.now : slot;
  const sooner = hurry && untilSettled > 0 && untilSettled < slot;
  const ms = Math.max(sooner ? untilSettled : slot, atLeast);
  return step(
    { ...state, polling: { ...polling, reads: polling.reads + 1, activity: 'pausing' } },
    wait(ms, ms === slot && atLeast === 0),
  );
};

/** No read showed how it ended. "Check status" reads again on a short schedule. */
const giveUp = (state: PollingState, notBefore: number | null): Step =>
  step({
    status: 'unknown',
    intent: state.intent,
    polling: { ...state.polling, reads: 0, plan: 'check', earlierRead: null, activity: 'pausing' },
    notBefore,
  });

const readNow = (state: PollingState, { now }: World): Step => ({
  state: { ...state, polling: { ...state.polling, askedAt: now, activity: 'reading' } },
  effects: RETRIEVE,
});

const whilePolling = (state: PollingState, event: PaymentEvent, world: World): Step => {
  const { polling } = state;
  switch (event.type) {
    case 'waited':
      if (polling.activity !== 'pausing') return stay(state);
      return world.awake
        ? readNow(state, world)
        : stay({ ...state, polling: { ...polling, activity: 'asleep' } });
    case 'woke':
    case 'restored':
    case 'refresh_requested':
    case 'retry_requested': {
      const recent = world.now - polling.readAt < TIMING.betweenReads;
      return polling.activity === 'reading' || (recent && polling.activity !== 'asleep')
        ? stay(state)
        : readNow(state, world);
    }
    case 'retrieved':
      return polling.activity === 'reading' ? afterPoll(state, event.intent, world) : stay(state);
    case 'retrieve_failed': {
      if (polling.activity !== 'reading') return stay(state);
      const { failure } = event;
      // Such a read says nothing, so it uses up none of the schedule, and the next one on waking is not too soon.
      if (world.offline && failure.kind === 'no_answer' && polling.plan === 'full')
        return step({ ...state, polling: { ...polling, activity: 'pausing' } }, wait(TIMING.offline));
      const read = { ...state, polling: { ...polling, readAt: world.now } };
      // The service itself refuses reads, so nothing is known: unknown, not failed. A refusal by a proxy may pass.
      if (failure.kind === 'refused' && failure.status < 500 && isServiceError(failure.code)) {
        return giveUp(state, null);
      }
      return scheduleRead(read, world, statedWait(failure));
    }
    default:
      return stay(state);
  }
};

const afterPoll = (before: PollingState, intent: Intent, world: World): Step => {
  const polling = { ...before.polling, readAt: world.now };
  if (intent.status === 'succeeded') return succeed(intent, polling.shown);
  if (intent.status === 'canceled') return endUnpaid({ status: 'canceled', intent }, world);
  const known = polling.attemptsBefore;
  // Fewer attempts than before the press: a lagging replica. The read is discarded.
  if (known !== null && intent.confirmation_attempts !== null && intent.confirmation_attempts < known) {
    return scheduleRead({ ...before, polling: { ...polling, earlierRead: null } }, world);
  }
  const heldAttempt = intent.status === 'processing' && hasFailedAttempt(intent);
  if ((intent.status !== 'pending' && !heldAttempt) || isStillTrying(polling, intent)) {
    const reason: PollReason = { kind: 'processing' };
    return scheduleRead(
      { status: 'processing', intent, polling: { ...polling, reason, earlierRead: null } },
      world,
    );
  }
  if (polling.reason.kind === 'refused' && intent.status === 'pending') {
    return step({ status: 'blocked', intent, error: polling.reason.error, recoverable: false });
  }
  const attempts = intent.confirmation_attempts;
  const first = polling.earlierRead;
  const agrees = first !== null && first.status === intent.status && first.attempts === attempts;
  if (agrees && polling.askedAt >= settlesAt(polling, first.at) && tellsOfPress(polling, intent))
    return settle({ ...before, polling }, intent, world);
  const earlierRead = agrees ? first : { at: world.now, status: intent.status, attempts };
  // After contradictory reads nothing can settle soon, so the normal schedule applies.
  return scheduleRead(
    { ...before, intent, polling: { ...polling, earlierRead } },
    world,
    0,
    agrees || first === null,
  );
};

/** Returns true if `pending` hides a counted attempt that the service has not shown to be over. */
const isStillTrying = ({ reason, attemptsBefore }: Polling, intent: Intent): boolean => {
  if (!mayBeAttempting(intent)) return false;
  if (isUsedUp(intent) || reason.kind === 'not_pending' || reason.kind === 'processing') return true;
  const { confirmation_attempts: attempts } = intent;
  return attempts !== null && attemptsBefore !== null && attempts > attemptsBefore;
};

/**
 * Returns the earliest time at which a read may be sent for its `pending` to be believed, given an earlier one at
 * `firstAt`: replicas lag, and a confirm may still arrive.
 */
const settlesAt = (polling: Polling, firstAt: number): number =>
  Math.max(
    firstAt + TIMING.agreement,
    polling.startedAt + (polling.answered ? TIMING.settleAnswered : TIMING.settleUnanswered),
  );

/** Returns true if a service that need not count attempts (contract 3.5) has shown what became of the press. */
const tellsOfPress = ({ reason, attemptsBefore }: Polling, intent: Intent): boolean => {
  const isCounted = intent.confirmation_attempts !== null && attemptsBefore !== null;
  if (isCounted || hasFailedAttempt(intent)) return true;
  return reason.kind === 'not_pending' ? intent.attempts_left !== null : !mayBeAttempting(intent);
};

/** Two reads agree that nothing was paid. The consequence depends on the reason for polling (outcomes 2.4). */
const settle = (state: PollingState, intent: Intent, world: World): Step => {
  const { reason, attemptsBefore, shown, reads } = state.polling;
  const attempts = intent.confirmation_attempts;
  const feedback = withPreviousTotal(shown, intent, NO_FEEDBACK);
  const counted = attempts !== null && attemptsBefore !== null ? attempts > attemptsBefore : null;
  const failed =
    (counted ?? hasFailedAttempt(intent)) || reason.kind === 'processing' || intent.status === 'processing';
  if (failed && reason.kind !== 'declined') {
    return releaseFirst(intent, { ...feedback, notice: declinedBy(intent) }, reads);
  }
  // Refused as not pending, without a count: no attempt is left. With a count: another tab's attempt ran and failed.
  const isRefused = reason.kind === 'not_pending' && (intent.attempts_left ?? 0) === 0;
  if (isRefused || isUsedUp(intent)) {
    const error = reason.kind === 'not_pending' ? reason.error : USED_UP;
    return endUnpaid({ status: 'exhausted', intent, error }, world);
  }
  const told: Feedback = {
    ...feedback,
    notice: reason.kind === 'declined' ? reason : { kind: 'not_charged' },
  };
  return hasFailedAttempt(intent) ? releaseFirst(intent, told, reads) : ready(intent, told, world);
};

const whileUnknown = (state: In<'unknown'>, event: PaymentEvent, world: World): Step => {
  const { intent, polling, notBefore } = state;
  if (!isAsked(event) || notBefore === null) return stay(state);
  const early = notBefore - world.now;
  if (early > TIMING.longestWait) return stay({ ...state, secondsLeft: secondsIn(early) });
  const status = polling.reason.kind === 'processing' ? 'processing' : 'resolving';
  const next: PollingState = { status, intent, polling };
  return early > 0 ? step(next, wait(early)) : readNow(next, world);
};

/** The wait that the service asked for, in ms; 0 if none. */
const statedWait = (failure: Failure): number =>
  failure.kind === 'throttled' ? failure.retryAfter * 1000 + TIMING.waitMargin : 0;
