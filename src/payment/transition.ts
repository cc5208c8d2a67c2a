/**
 * The machine: what follows from a fact in a state. Pure and total, with time as an argument.
 *
 * Its promises, each checked over every reachable state and event (transition.walk.test.ts):
 * a confirm is sent only on a press in `ready`, once, for the total the button showed; after silence the form
 * reads and never re-sends; `succeeded` is said only of an intent that was read as succeeded; nothing waits
 * for ever; nothing happens after the end.
 *
 * A fact that a state does not expect returns the same state and no effects.
 */

import { type Failure, isErrorCode } from '../api/errors.ts';
import { isSameMoney, type Money, totalOf } from '../api/money.ts';
import type {
  Effect,
  Feedback,
  Intent,
  Notice,
  PaymentEvent,
  PaymentState,
  Polling,
  PollReason,
  Step,
  UnpaidEnd,
  World,
} from './payment-state.ts';
import { isLasting, isTheServicesWord, remedyFor } from './remedy.ts';
import { CHECK, RETRY_NETWORK, RETRY_SERVICE, SCHEDULE, TIMING } from './timing.ts';

type In<Status extends PaymentState['status']> = Extract<PaymentState, { status: Status }>;

export const initial: PaymentState = { status: 'booting' };

const RETRIEVE: readonly Effect[] = [{ type: 'retrieve' }];
const NOTHING: Feedback = { notice: null, previousTotal: null };
const STARTED_OVER: Notice = { kind: 'started_over' };
const NOT_SENT: Notice = { kind: 'not_sent' };
const WAITED: Notice = { kind: 'throttle_over' };

const step = (state: PaymentState, ...effects: readonly Effect[]): Step => ({ state, effects });
const stay = (state: PaymentState): Step => ({ state, effects: [] });
const wait = (ms: number, jitter = false): Effect => ({ type: 'wait', ms, jitter });

export const transition = (state: PaymentState, event: PaymentEvent, world: World): Step => {
  if (event.type === 'closed')
    return state.status === 'destroyed' ? stay(state) : step({ status: 'destroyed' });
  const fact = believable(state, event);
  switch (state.status) {
    case 'booting':
      return fact.type === 'opened' ? load() : stay(state);
    case 'loading':
      return whileLoading(state, fact, world);
    case 'load_failed':
      return whileLoadFailed(state, fact, world);
    case 'ready':
      return whileReady(state, fact, world);
    case 'confirming':
      return whileConfirming(state, fact, world);
    case 'waiting_for_tab':
      return whileWaitingForTab(state, fact);
    case 'resolving':
    case 'processing':
      return whilePolling(state, fact, world);
    case 'releasing':
      return whileReleasing(state, fact, world);
    case 'reloading':
      return whileReloading(state, fact, world);
    case 'throttled':
      return whileThrottled(state, fact, world);
    case 'blocked':
      return fact.type === 'refresh_requested' && state.recoverable && state.intent
        ? reload(state.intent, NOTHING)
        : stay(state);
    case 'unknown':
      return whileUnknown(state, fact, world);
    case 'succeeded':
    case 'canceled':
    case 'exhausted':
    case 'destroyed':
      return stay(state);
    default:
      return state satisfies never;
  }
};

/** An intent with another id is not an answer about this payment, whatever it says. */
const believable = (state: PaymentState, event: PaymentEvent): PaymentEvent => {
  if (event.type !== 'retrieved' && event.type !== 'confirmed') return event;
  if (!('intent' in state) || state.intent === null || state.intent.id === event.intent.id) return event;
  return {
    type: event.type === 'retrieved' ? 'retrieve_failed' : 'confirm_failed',
    failure: { kind: 'no_answer', reason: 'malformed' },
  };
};

// ————— on the way to `ready` —————

const load = (replaces: UnpaidEnd | null = null): Step => ({
  state: { status: 'loading', replaces, failures: 0, activity: 'reading' },
  effects: RETRIEVE,
});

/** The end of an intent that was not paid, or the beginning of another where the page gives one. */
const end = (unpaid: UnpaidEnd, { canReplace }: World): Step =>
  canReplace ? step(load(unpaid).state, { type: 'retrieve', replacement: true }) : step(unpaid);

const reload = (intent: Intent, feedback: Feedback, reads = 0): Step => ({
  state: { status: 'reloading', intent, feedback, failures: 0, again: false, reads, activity: 'reading' },
  effects: RETRIEVE,
});

const whileLoading = (state: In<'loading'>, event: PaymentEvent, world: World): Step => {
  const { replaces } = state;
  if (state.activity === 'reading' && event.type === 'retrieved') {
    const { intent } = event;
    // A page that gives the same again, or another that is over, has none: it is not asked twice.
    if (replaces && (intent.id === replaces.intent.id || intent.status === 'canceled')) return step(replaces);
    if (failedAttempt(intent))
      return releaseFirst(intent, { notice: declinedBy(intent), previousTotal: null });
    if (!replaces) return arrive(intent, NOTHING, 0, world);
    return arrive(
      intent,
      seen(totalOf(replaces.intent), intent, { ...NOTHING, notice: STARTED_OVER }),
      0,
      world,
    );
  }
  if (state.activity === 'reading' && event.type === 'retrieve_failed') {
    const { failure } = event;
    if (replaces && failure.kind === 'no_answer' && failure.reason === 'no_secret') return step(replaces);
    return tryAgain(state, failure, null, NOTHING, world);
  }
  if (state.activity === 'pausing' && event.type === 'waited') {
    return { state: { ...state, activity: 'reading' }, effects: RETRIEVE };
  }
  return stay(state);
};

const whileReloading = (state: In<'reloading'>, event: PaymentEvent, world: World): Step => {
  const { intent: known, feedback } = state;
  if (event.type === 'refresh_requested') return stay({ ...state, again: true });
  if (state.activity === 'reading' && event.type === 'retrieved') {
    const { intent } = event;
    const news = seen(totalOf(known), intent, feedback);
    if (!state.again || intent.status !== 'pending') return arrive(intent, news, state.reads, world);
    return step(
      { ...state, intent, feedback: news, again: false, activity: 'pausing' },
      wait(TIMING.betweenReads),
    );
  }
  if (state.activity === 'reading' && event.type === 'retrieve_failed') {
    return tryAgain(state, event.failure, known, feedback, world);
  }
  if (state.activity === 'pausing' && event.type === 'waited') {
    return { state: { ...state, again: false, activity: 'reading' }, effects: RETRIEVE };
  }
  return stay(state);
};

/** A read on the way to `ready` failed: again after a while, or say so. Never a verdict on the payment. */
const tryAgain = (
  state: In<'loading' | 'reloading'>,
  failure: Failure,
  intent: Intent | null,
  feedback: Feedback,
  world: World,
): Step => {
  if (failure.kind === 'refused' && isLasting(failure)) {
    // After a press the refusal says nothing of what it did: it may have been delivered more than once.
    if (intent && feedback.notice) return unasked(intent, world);
    return step({ status: 'blocked', intent, error: failure, recoverable: false });
  }
  const replaces = state.status === 'loading' ? state.replaces : null;
  if (failure.kind === 'throttled') {
    const ms = failure.retryAfter * 1000 + TIMING.waitGuard;
    if (failure.retryAfter * 1000 <= TIMING.longestWait)
      return step({ ...state, activity: 'pausing' }, wait(ms));
    return step({ status: 'load_failed', intent, replaces, feedback, failure, notBefore: world.now + ms });
  }
  const answered = failure.kind === 'refused' || failure.reason === 'malformed';
  const delay = (answered ? RETRY_SERVICE : RETRY_NETWORK)[state.failures];
  const isOurs = failure.kind === 'refused' || failure.reason !== 'no_secret'; // the page asks its server once a press
  if (delay !== undefined && isOurs) {
    return step({ ...state, failures: state.failures + 1, activity: 'pausing' }, wait(delay));
  }
  if (intent && feedback.notice?.kind === 'declined') {
    // The attempt failed, but what the service made of the release is not known: look on.
    const reason: PollReason = { kind: 'declined', error: feedback.notice.error };
    return poll(
      reason,
      intent,
      unsent(world),
      world,
      Math.min(readsOf(state) + state.failures, SCHEDULE.length - 1),
    );
  }
  const notBefore = world.now + TIMING.betweenRetries;
  return step({ status: 'load_failed', intent, replaces, feedback, failure, notBefore });
};

const readsOf = (state: In<'loading' | 'reloading'>) => (state.status === 'reloading' ? state.reads : 0);

const whileLoadFailed = (state: In<'load_failed'>, event: PaymentEvent, world: World): Step => {
  const asked =
    event.type === 'retry_requested' ||
    event.type === 'refresh_requested' ||
    event.type === 'restored' ||
    event.type === 'woke';
  if (!asked || world.now < state.notBefore) return stay(state);
  return state.intent ? reload(state.intent, state.feedback) : load(state.replaces);
};

/** Where an intent that was just read belongs. */
const arrive = (intent: Intent, feedback: Feedback, reads: number, world: World): Step => {
  switch (intent.status) {
    case 'succeeded':
      return succeed(intent, null);
    case 'canceled':
      return end({ status: 'canceled', intent }, world);
    case 'pending':
      return ready(intent, feedback, world);
    default: // `processing`, and any word of a later service: never a Pay button, but look again
      return poll({ kind: 'processing' }, intent, unsent(world), world, reads);
  }
};

const ready = (intent: Intent, feedback: Feedback, world: World, notBefore = 0): Step =>
  step({
    status: 'ready',
    intent,
    feedback,
    readAt: world.now,
    armedAt: Math.max(world.now + TIMING.guard, notBefore),
  });

const differs = (shown: Money, intent: Intent): boolean => !isSameMoney(shown, totalOf(intent));

/** Adds what the buyer must be told when a read shows another total than the one that was on the screen. */
const seen = (shown: Money | null, intent: Intent, feedback: Feedback): Feedback =>
  shown && differs(shown, intent)
    ? { notice: feedback.notice?.kind === 'check_again' ? null : feedback.notice, previousTotal: shown }
    : feedback;

// ————— pressing Pay —————

const whileReady = (state: In<'ready'>, event: PaymentEvent, world: World): Step => {
  const { intent, feedback } = state;
  switch (event.type) {
    case 'submitted': {
      if (differs(event.shown, intent) || world.now < state.armedAt) return stay(state);
      return step(
        {
          status: 'confirming',
          intent,
          shown: event.shown,
          sentAt: world.now,
          slow: false,
          reads: 0,
          readAt: world.now,
          activity: 'pausing',
        },
        { type: 'confirm', shown: event.shown },
        wait(TIMING.slow),
      );
    }
    case 'restored':
      return reload(intent, feedback);
    case 'woke':
      return event.gap > TIMING.staleAfter ? reload(intent, feedback) : stay(state);
    case 'refresh_requested': {
      const early = state.readAt + TIMING.betweenReads - world.now;
      const { state: reloading, effects } = reload(intent, feedback);
      if (early <= 0 || reloading.status !== 'reloading') return { state: reloading, effects };
      return step({ ...reloading, activity: 'pausing' }, wait(early));
    }
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
          return end({ status: 'canceled', intent: event.intent }, world);
        case 'pending': // neither paid nor refused: an answer that proves nothing
          return lookAfter(state, { kind: 'no_answer' }, true, world, event.intent);
        default:
          return lookAfter(state, { kind: 'processing' }, true, world, event.intent);
      }
    case 'confirm_failed':
      return afterFailedConfirm(state, event.failure, world);
    case 'other_tab_paying':
      return step(
        { status: 'waiting_for_tab', intent: state.intent },
        { type: 'wait_for_tab' },
        wait(TIMING.longestTurn),
      );
    case 'restored': // the request did not survive the cache, its effect may have
      return lookAfter(state, { kind: 'no_answer' }, false, world);
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
      if (event.intent.status === 'canceled') return end({ status: 'canceled', intent: event.intent }, world);
      return probeLater(state, 0, world);
    case 'retrieve_failed':
      if (state.activity !== 'reading') return stay(state);
      return probeLater(state, statedWait(event.failure), world);
    default:
      return stay(state);
  }
};

/** The other tab is done, or takes longer than any confirm may: what it did is read, and nothing is sent unasked. */
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

/** Looks what became of the press. The plan goes on where the looks beside the open confirm left it. */
const lookAfter = (
  { intent, shown, sentAt, reads }: In<'confirming'>,
  reason: PollReason,
  answered: boolean,
  world: World,
  latest = intent,
): Step => {
  const sent = { shown, attemptsBefore: intent.confirmation_attempts, sentAt, answered };
  return poll(reason, latest, sent, world, Math.min(reads, SCHEDULE.length - 1));
};

/** The confirm is still open: the next look beside it. */
const probeLater = (state: In<'confirming'>, atLeast: number, world: World): Step => {
  const delay = Math.max(SCHEDULE[state.reads] ?? TIMING.probe, atLeast);
  const reads = Math.min(state.reads + 1, SCHEDULE.length);
  return step({ ...state, reads, readAt: world.now, activity: 'pausing' }, wait(delay));
};

const succeed = (intent: Intent, shown: Money | null): Step =>
  step({ status: 'succeeded', intent, shown: shown && differs(shown, intent) ? shown : null });

/** Every row of research 2.6 for a confirm that came to no intent. */
const afterFailedConfirm = (state: In<'confirming'>, failure: Failure, world: World): Step => {
  const { intent, sentAt } = state;
  if (failure.kind === 'no_answer') return lookAfter(state, { kind: 'no_answer' }, false, world);
  if (failure.kind === 'throttled') {
    const until = world.now + failure.retryAfter * 1000 + TIMING.waitGuard;
    return countDown({ status: 'throttled', intent, error: failure, until, secondsLeft: 0 }, world);
  }
  const answered = isErrorCode(failure.code);
  switch (remedyFor(failure)) {
    case 'other_card':
      return releaseFirst(intent, { notice: { kind: 'declined', error: failure }, previousTotal: null });
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
    case 'look':
      return lookAfter(state, { kind: 'not_pending', error: failure }, answered, world);
    case 'fix_integration':
      return lookAfter(state, { kind: 'refused', error: failure }, answered, world);
    case 'verify':
      return lookAfter(state, { kind: 'no_answer' }, answered, world);
  }
};

// ————— after a failed attempt —————

const failedAttempt = (intent: Intent): boolean =>
  intent.last_payment_error !== null && intent.status !== 'succeeded' && intent.status !== 'canceled';

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

/** A failed attempt is released before the next try; then a read decides where the payment stands. */
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
  if (event.type === 'released') return goOn(); // what it said does not matter: the read decides
  if (event.type !== 'release_failed') return stay(state);
  const { failure } = event;
  if (failure.kind === 'refused' && remedyFor(failure) === 'fix_keys') {
    return unasked(state.intent, world);
  }
  if (failure.kind === 'refused' && isLasting(failure)) return goOn();
  const delay = failure.kind === 'throttled' ? statedWait(failure) : RETRY_NETWORK[state.failures];
  // Release is advised, not required (service-api.md, "Release"): it never locks the form.
  if (delay === undefined || delay - TIMING.waitGuard > TIMING.longestWait || state.failures >= 2)
    return goOn();
  return step({ ...state, failures: state.failures + 1, activity: 'pausing' }, wait(delay));
};

const whileThrottled = (state: In<'throttled'>, event: PaymentEvent, world: World): Step => {
  const asked = event.type === 'retry_requested' || event.type === 'refresh_requested';
  if (!asked && event.type !== 'waited') return stay(state);
  if (world.now < state.until) return asked ? stay(state) : countDown(state, world);
  // Whoever was sent away for more than an hour is not at the screen any more: the next look is asked for.
  const long = state.error.retryAfter * 1000 > TIMING.longestWait;
  if (!long || asked) return reload(state.intent, { ...NOTHING, notice: WAITED });
  return stay(state.secondsLeft === 0 ? state : { ...state, secondsLeft: 0 });
};

/** Exactly as long as the service asked, told second by second. A very long wait ends by hand. */
const countDown = (state: In<'throttled'>, world: World): Step => {
  const left = state.until - world.now;
  const secondsLeft = Math.ceil((left - TIMING.waitGuard) / 1000);
  return step({ ...state, secondsLeft: Math.max(secondsLeft, 0) }, wait(Math.min(left, left % 1000 || 1000)));
};

// ————— looking what became of it —————

type PollingState = In<'resolving' | 'processing'>;

/** What is known of the press that is looked after; for one of another tab or an earlier page, only when. */
type Sent = Pick<Polling, 'shown' | 'attemptsBefore' | 'sentAt' | 'answered'>;

const unsent = (world: World): Sent => ({
  shown: null,
  attemptsBefore: null,
  sentAt: world.now,
  answered: true,
});

const pollingState = (
  reason: PollReason,
  intent: Intent,
  sent: Sent,
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
    earlierRead: null,
    activity: 'pausing',
  },
});

const poll = (reason: PollReason, intent: Intent, sent: Sent, world: World, reads = 0): Step =>
  pause(pollingState(reason, intent, sent, world, reads), world);

/** The service refuses to be asked what became of a press. */
const unasked = (intent: Intent, world: World): Step =>
  giveUp(pollingState({ kind: 'no_answer' }, intent, unsent(world), world), null);

/** The next read of the plan, sooner where it could settle the matter. No plan left means `unknown`. */
const pause = (state: PollingState, world: World, atLeast = 0, hurry = true): Step => {
  const { polling } = state;
  const slot = (polling.plan === 'full' ? SCHEDULE : CHECK)[polling.reads];
  if (slot === undefined || atLeast - TIMING.waitGuard > TIMING.longestWait) {
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

/** Nobody could say how it ended. A person may have it looked up again, by a short plan. */
const giveUp = (state: PollingState, notBefore: number | null): Step =>
  step({
    status: 'unknown',
    intent: state.intent,
    polling: { ...state.polling, reads: 0, plan: 'check', earlierRead: null, activity: 'pausing' },
    notBefore,
  });

const readNow = (state: PollingState): Step => ({
  state: { ...state, polling: { ...state.polling, activity: 'reading' } },
  effects: RETRIEVE,
});

const whilePolling = (state: PollingState, event: PaymentEvent, world: World): Step => {
  const { polling } = state;
  switch (event.type) {
    case 'waited':
      if (polling.activity !== 'pausing') return stay(state);
      return world.awake ? readNow(state) : stay({ ...state, polling: { ...polling, activity: 'asleep' } });
    case 'woke':
    case 'restored':
    case 'refresh_requested':
    case 'retry_requested': {
      const recent = world.now - polling.readAt < TIMING.betweenReads;
      return polling.activity === 'reading' || (recent && polling.activity !== 'asleep')
        ? stay(state)
        : readNow(state);
    }
    case 'retrieved':
      return polling.activity === 'reading' ? afterRead(state, event.intent, world) : stay(state);
    case 'retrieve_failed': {
      if (polling.activity !== 'reading') return stay(state);
      const { failure } = event;
      const read = { ...state, polling: { ...polling, readAt: world.now } };
      // The service itself refuses to be asked, and nothing is known: that is not "failed". What a proxy
      // says of its own accord passes.
      if (failure.kind === 'refused' && failure.status < 500 && isTheServicesWord(failure.code)) {
        return giveUp(state, null);
      }
      return pause(read, world, statedWait(failure));
    }
    default:
      return stay(state);
  }
};

const afterRead = (before: PollingState, intent: Intent, world: World): Step => {
  const polling = { ...before.polling, readAt: world.now };
  if (intent.status === 'succeeded') return succeed(intent, polling.shown);
  if (intent.status === 'canceled') return end({ status: 'canceled', intent }, world);
  const known = polling.attemptsBefore;
  // Fewer attempts than before the press: a replica that lags behind what is known already proves nothing.
  if (known !== null && intent.confirmation_attempts !== null && intent.confirmation_attempts < known) {
    return pause({ ...before, polling: { ...polling, earlierRead: null } }, world);
  }
  const heldAttempt = intent.status === 'processing' && failedAttempt(intent);
  if (intent.status !== 'pending' && !heldAttempt) {
    const reason: PollReason = { kind: 'processing' };
    return pause({ status: 'processing', intent, polling: { ...polling, reason, earlierRead: null } }, world);
  }
  if (polling.reason.kind === 'refused' && intent.status === 'pending') {
    return step({ status: 'blocked', intent, error: polling.reason.error, recoverable: false });
  }
  const attempts = intent.confirmation_attempts;
  const first = polling.earlierRead;
  const agrees = first !== null && first.status === intent.status && first.attempts === attempts;
  if (agrees && world.now >= settlesAt(polling, first.at))
    return settle({ ...before, polling }, intent, world);
  const earlierRead = agrees ? first : { at: world.now, status: intent.status, attempts };
  // Reads that contradict each other are not hurried: nothing could settle soon.
  return pause(
    { ...before, intent, polling: { ...polling, earlierRead } },
    world,
    0,
    agrees || first === null,
  );
};

/** When `pending`, seen first at `firstAt`, may be believed: replicas lag, and a confirm may still arrive. */
const settlesAt = (polling: Polling, firstAt: number): number =>
  Math.max(
    firstAt + TIMING.agreement,
    polling.sentAt + (polling.answered ? TIMING.settleAnswered : TIMING.settleUnanswered),
  );

/** Two reads agree that nothing was paid: what that means depends on why the form looked (research 2.4). */
const settle = (state: PollingState, intent: Intent, world: World): Step => {
  const { reason, attemptsBefore } = state.polling;
  const attempts = intent.confirmation_attempts;
  const counted = attempts !== null && attemptsBefore !== null ? attempts > attemptsBefore : null;
  const failed = counted ?? failedAttempt(intent);
  if (reason.kind === 'declined') {
    const told: Feedback = { ...seen(state.polling.shown, intent, NOTHING), notice: reason };
    return failedAttempt(intent)
      ? releaseFirst(intent, told, state.polling.reads)
      : ready(intent, told, world);
  }
  const declined = failed || reason.kind === 'processing' || intent.status === 'processing';
  const feedback = seen(state.polling.shown, intent, NOTHING);
  if (declined) return releaseFirst(intent, { ...feedback, notice: declinedBy(intent) }, state.polling.reads);
  if (reason.kind === 'not_pending') return end({ status: 'exhausted', intent, error: reason.error }, world);
  const untouched: Feedback = { ...feedback, notice: { kind: 'not_charged' } };
  return failedAttempt(intent)
    ? releaseFirst(intent, untouched, state.polling.reads)
    : ready(intent, untouched, world);
};

const whileUnknown = (state: In<'unknown'>, event: PaymentEvent, world: World): Step => {
  const asked = event.type === 'retry_requested' || event.type === 'refresh_requested';
  if (!asked || state.notBefore === null || world.now < state.notBefore) return stay(state);
  const { intent, polling } = state;
  return readNow({
    status: polling.reason.kind === 'processing' ? 'processing' : 'resolving',
    intent,
    polling,
  });
};

/** How long, in ms, a failed read says that the next must wait; 0 where it says nothing. */
const statedWait = (failure: Failure): number =>
  failure.kind === 'throttled' ? failure.retryAfter * 1000 + TIMING.waitGuard : 0;
