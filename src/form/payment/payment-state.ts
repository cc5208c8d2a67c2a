/**
 * The life of one payment as the buyer sees it: states, events and effects (outcomes 2.2). No card data, no DOM,
 * no timer, no network.
 */

import type { Failure, Refusal } from '../../api/errors.ts';
import type { Money } from '../../api/money.ts';
import type { ClientPaymentIntent } from '../../api/schemas.ts';

/** As the service sent it. */
export type Intent = ClientPaymentIntent & {
  /** Whether the service has told that all attempts counted so far are over (`attempts.ts`). */
  attemptsAreOver?: boolean;
};

/** What the form says above the Pay button while the buyer may press it. */
export type Notice =
  /** An attempt failed. `error` is null if only a read showed that, without the reason. `isAnswer`: the confirm's own. */
  | { kind: 'declined'; error: Refusal | null; isAnswer?: true }
  /** The confirm got a 409. That the total has changed is told by `previousTotal`; the page hears of both. */
  | { kind: 'check_again'; error: Refusal }
  /** The service refused the card or billing details as typed; `error.param` names the field. */
  | { kind: 'details_refused'; error: Refusal }
  /** The confirm got no answer, and the service has recorded no attempt. */
  | { kind: 'not_charged' }
  /** Another tab was confirming the same intent, so this press sent nothing. */
  | { kind: 'not_sent' }
  /** The page's `beforePay` said no. `message` is the page's own sentence, null if it gave none. */
  | { kind: 'page_refused'; message: string | null }
  /** The page's `beforePay` failed, or gave no answer in time. Nothing was sent. */
  | { kind: 'page_failed' }
  /** The wait after a 429 is over. The buyer is told, the page is not. */
  | { kind: 'throttle_over' }
  /** The previous intent ended unpaid, and the page gave this one instead. Nothing is shown if it was `untried`. */
  | { kind: 'started_over'; untried?: true };

/** What the buyer is told when `ready` is reached again. */
export type Feedback = {
  /** The result of the latest press; null if there was none. */
  notice: Notice | null;
  /** The total the buyer saw before it changed, until the next press. */
  previousTotal: Money | null;
  /** A state has shown it, so buyer and page know of it. */
  isShown?: true;
};

export const NO_FEEDBACK: Feedback = { notice: null, previousTotal: null };

/** The intent ended without a payment and can never be paid. Only then is the page asked for another (outcomes G4). */
export type UnpaidEnd = (
  | { status: 'canceled'; intent: Intent }
  /** `declined`: the last attempt was this form's, and the buyer has not read for long that it was declined. */
  | { status: 'exhausted'; intent: Intent; error: Refusal; declined?: true }
) & {
  /** The first read said so, and no attempt was ever counted: the buyer has seen and tried nothing. */
  untried?: true;
};

/** Why the form polls the intent. */
export type PollReason =
  /** The card was declined; whether the release worked is not known. */
  | { kind: 'declined'; error: Refusal | null }
  /** No answer to the confirm, or an inconclusive one: it may have charged the buyer. */
  | { kind: 'no_answer' }
  /** The service said `processing`. */
  | { kind: 'processing' }
  /** 400 `payment_intent_not_pending`: paid, processing, canceled, or out of attempts. */
  | { kind: 'not_pending'; error: Refusal }
  /** An error that blames the integration: believed after one read that does not say `succeeded`. */
  | { kind: 'refused'; error: Refusal };

/** `pausing` until the next read is due; `asleep` while the page is hidden or frozen. */
export type Activity = 'reading' | 'pausing' | 'asleep';

/** Repeated reads until the service says how an attempt ended (outcomes 2.3 and 2.4). Times in ms. */
export type Polling = {
  reason: PollReason;
  /** What the pressed button showed; null if this form sent no confirm. */
  shown: Money | null;
  /** `confirmation_attempts` in the last read before the press; null if the service did not send it. */
  attemptsBefore: number | null;
  /** When the confirm was sent; if this form sent none, when the polling began. */
  startedAt: number;
  /** Whether the service itself, and not a proxy, answered the confirm. */
  answered: boolean;
  /** How many waits of the schedule are used up. */
  reads: number;
  /** `check` is the short schedule after "Check status". */
  plan: 'full' | 'check';
  readAt: number;
  /** When the latest read was sent. What it says is as old as that. */
  askedAt: number;
  /** The first of the two reads that must agree before `pending` is believed; `at`: when it was answered. */
  earlierRead: { at: number; status: string; attempts: number | null } | null;
  activity: Activity;
};

export type PaymentState =
  /** Before the page has sent its `init`. */
  | { status: 'booting' }
  /** The first read of an intent; `replaces` is the unpaid intent before it. */
  | { status: 'loading'; replaces: UnpaidEnd | null; failures: number; activity: 'reading' | 'pausing' }
  /**
   * The intent could not be read; the next read is at `notBefore` or later. `secondsLeft`: until then, when somebody asked
   * for one more than an hour too early.
   */
  | {
      status: 'load_failed';
      intent: Intent | null;
      replaces: UnpaidEnd | null;
      feedback: Feedback;
      failure: Failure;
      notBefore: number;
      secondsLeft?: number;
    }
  /** The only state in which a press counts, from `armedAt` on. */
  | { status: 'ready'; intent: Intent; feedback: Feedback; readAt: number; armedAt: number }
  /**
   * The press counted, and the page's `beforePay` was asked about it. Nothing was sent. `allowed`: the page said yes,
   * but a read that it asked for by `refresh()` is still under way.
   */
  | { status: 'asking_page'; intent: Intent; shown: Money; allowed: boolean; activity: 'waiting' | 'reading' }
  /** The confirm is open. `slow` after 10 s; from 20 s on the form also reads beside it. */
  | {
      status: 'confirming';
      intent: Intent;
      shown: Money;
      sentAt: number;
      slow: boolean;
      reads: number;
      readAt: number;
      activity: Activity;
    }
  /** Another tab is paying this intent: nothing was sent from here, and nothing will be until it is done. */
  | { status: 'waiting_for_tab'; intent: Intent }
  | { status: 'resolving' | 'processing'; intent: Intent; polling: Polling }
  | {
      status: 'releasing';
      intent: Intent;
      feedback: Feedback;
      failures: number;
      reads: number;
      activity: 'reading' | 'pausing';
    }
  /** Reading a known intent again before the buyer may press. */
  | {
      status: 'reloading';
      intent: Intent;
      feedback: Feedback;
      failures: number;
      /** `refresh()` was called while this read was under way. */
      again: boolean;
      /** When a read said that no attempt is left; believed if a later read says so, too (contract 4.6). */
      usedUpAt: number | null;
      reads: number;
      activity: 'reading' | 'pausing';
      /**
       * Another intent is to take this one's place (`swap.ts`): `asked` until this tab has the lock of this one, `reading`
       * while it is read once more, then how that read found it, while the other one is read.
       */
      swap?: 'asked' | 'reading' | Intent | undefined;
    }
  /** 429 to a confirm: nothing is sent before `until`. */
  | {
      status: 'throttled';
      intent: Intent;
      error: { retryAfter: number; stated: boolean };
      until: number;
      secondsLeft: number;
    }
  /** `shown` is what the pressed button showed if that is not what was charged. */
  | { status: 'succeeded'; intent: Intent; shown: Money | null }
  | UnpaidEnd
  /** The integration or the account is at fault; `recoverable` if the merchant's server can fix it. */
  | { status: 'blocked'; intent: Intent | null; error: Refusal; recoverable: boolean }
  /**
   * The outcome could not be learned, so the form never offers a second payment. "Check status" reads from
   * `notBefore` on; null if the service refuses to be read. `secondsLeft` as in `load_failed`.
   */
  | { status: 'unknown'; intent: Intent; polling: Polling; notBefore: number | null; secondsLeft?: number }
  | { status: 'destroyed' };

/** The intent whose place another takes, if the buyer has seen it; null in every state but `loading`. */
export const seenBefore = (state: PaymentState): UnpaidEnd | null =>
  state.status === 'loading' && !state.replaces?.untried ? state.replaces : null;

/** What the page's `beforePay` came to (promises 1). `message` is plain text for the buyer, or null. */
export type PageAnswer = { kind: 'allowed' | 'failed' } | { kind: 'refused'; message: string | null };

export type PaymentEvent =
  | { type: 'opened' }
  /** A press that passed the guard; `shown` is what the button showed at that moment. */
  | { type: 'submitted'; shown: Money }
  | { type: 'page_answered'; answer: PageAnswer }
  | { type: 'waited' }
  | { type: 'retrieved' | 'confirmed'; intent: Intent }
  | { type: 'released' }
  | { type: 'retrieve_failed' | 'confirm_failed' | 'release_failed'; failure: Failure }
  /** Another tab has the lock of this intent, so nothing was sent. */
  | { type: 'other_tab_paying' }
  /** The other tab has released the lock. */
  | { type: 'other_tab_done' }
  /** The buyer pressed "Try again" or "Check status". */
  | { type: 'retry_requested' }
  /** The page called `refresh()`, or another tab reported that the intent ended. */
  | { type: 'refresh_requested' }
  /** The page called `update()` with the client secret of another intent. */
  | { type: 'swap_requested' }
  /** This tab has the lock of the intent that another is to take the place of. */
  | { type: 'swap_begun' }
  /** The page is visible, online and running again, after `gap` ms. */
  | { type: 'woke'; gap: number }
  /** The document came back from the back/forward cache. */
  | { type: 'restored' }
  | { type: 'closed' };

/** What to do. At most one confirm, one retrieve or release, one question to the page, one wait and one wait for a tab run at a time. */
export type Effect =
  /** `replacement`: of another intent, for which the page is asked, or which it has given. */
  | { type: 'retrieve'; replacement?: true }
  | { type: 'release' }
  | { type: 'confirm'; shown: Money }
  /** Asks the page's `beforePay` about a press. */
  | { type: 'ask_page'; shown: Money }
  /** Waits until no other tab holds the lock of this intent. */
  | { type: 'wait_for_tab' }
  /** `jitter`: 20 % shorter to 20 % longer, so that many forms do not read in step. */
  | { type: 'wait'; ms: number; jitter: boolean };

/** What a transition depends on besides state and event. `now` is monotonic, in ms. */
export type World = {
  now: number;
  /** False while the page is hidden or frozen: no polls then. */
  awake: boolean;
  /** The browser says that it is offline, and no answer has told otherwise. A hint, since only a request knows. */
  offline?: boolean | undefined;
  /** Whether the page can give another intent when this one has ended unpaid. */
  canReplace: boolean;
  /** Whether the page gave `beforePay`, so that it is asked before a confirm. */
  asksPage: boolean;
};

/**
 * The next state and the effects to start.
 *
 * A change of `status` aborts every effect still running and drops its answer. Within a status, an effect
 * replaces only a running one of its own kind.
 */
export type Step = { state: PaymentState; effects: readonly Effect[] };

/** Where a status lies in the course of payment attempts. What must hold during an attempt is derived from this. */
export type Phase =
  /** No intent has been read yet, or the one that replaces an unpaid intent has not. */
  | 'opening'
  /** No attempt is under way: the buyer, the page or a deadline decides what happens next. */
  | 'idle'
  /** A confirm is open. */
  | 'confirming'
  /** The confirm may have charged the buyer; only reads can tell. */
  | 'unresolved'
  /** The service took the attempt on or refused it; it is being brought to its end. */
  | 'settling'
  /** No confirm of this form is open; the intent is read before the buyer may press again. */
  | 'rereading'
  /** The intent is paid or can never be paid. */
  | 'ended'
  | 'destroyed';

/** The phase of every status: a status without one does not compile. */
export const PHASE: Readonly<Record<PaymentState['status'], Phase>> = {
  booting: 'opening',
  loading: 'opening',
  load_failed: 'idle',
  ready: 'idle',
  asking_page: 'idle',
  throttled: 'idle',
  blocked: 'idle',
  unknown: 'idle',
  confirming: 'confirming',
  resolving: 'unresolved',
  processing: 'settling',
  releasing: 'settling',
  waiting_for_tab: 'rereading',
  reloading: 'rereading',
  succeeded: 'ended',
  canceled: 'ended',
  exhausted: 'ended',
  destroyed: 'destroyed',
};
