/**
 * States, events and effects of one payment as the buyer sees it (outcomes 2.2). No card data, DOM, timers or network.
 */

import type { Failure, Refusal } from '../../api/errors.ts';
import type { Money } from '../../api/money.ts';
import type { ClientPaymentIntent } from '../../api/schemas.ts';

/** The intent as the service sent it. */
export type Intent = ClientPaymentIntent & {
  /** The service has shown that all attempts counted so far are over (`attempts.ts`). */
  attemptsAreOver?: boolean;
};

/** The message above an enabled Pay button. */
export type Notice =
  /**
   * An attempt failed. `error` is null if a read showed it without the reason. `isAnswer`: the confirm's own answer.
   */
  | { kind: 'declined'; error: Refusal | null; isAnswer?: true }
  /** The confirm got a 409. A changed total is in `previousTotal`; the page gets an event for each. */
  | { kind: 'check_again'; error: Refusal }
  /** The service refused the card or billing details as typed; `error.param` names the field. */
  | { kind: 'details_refused'; error: Refusal }
  /** The confirm got no answer, and the service has recorded no attempt. */
  | { kind: 'not_charged' }
  /** Another tab was confirming the same intent, so this press sent nothing. */
  | { kind: 'not_sent' }
  /** The page's `beforePay` refused the press. `message` is the page's own sentence, or null. */
  | { kind: 'page_refused'; message: string | null }
  /** The page's `beforePay` failed or timed out. Nothing was sent. */
  | { kind: 'page_failed' }
  /** The wait after a 429 is over. Shown to the buyer, not reported to the page. */
  | { kind: 'throttle_over' }
  /** The previous intent ended unpaid, and the page supplied this one. Nothing is shown if it was `untried`. */
  | { kind: 'started_over'; untried?: true };

/** Shown to the buyer when the form is `ready` again. */
export type Feedback = {
  /** The result of the latest press; null if there was none. */
  notice: Notice | null;
  /** The total the buyer saw before it changed, until the next press. */
  previousTotal: Money | null;
  /** Some state has shown it, so buyer and page know about it. */
  isShown?: true;
};

export const NO_FEEDBACK: Feedback = { notice: null, previousTotal: null };

/** The intent ended unpaid and can never be paid. Only then does the form ask the page for another (outcomes G4). */
export type UnpaidEnd = (
  | { status: 'canceled'; intent: Intent }
  /** `declined`: the last attempt was this form's, and the buyer has barely had time to read of the decline. */
  | { status: 'exhausted'; intent: Intent; error: Refusal; declined?: true }
) & {
  /** The first read showed it and no attempt was ever counted: the buyer has seen and tried nothing. */
  untried?: true;
};

/** Why the form polls the intent. */
export type PollReason =
  /** The card was declined; the release may or may not have worked. */
  | { kind: 'declined'; error: Refusal | null }
  /** The confirm got no answer or an inconclusive one: it may have charged the buyer. */
  | { kind: 'no_answer' }
  /** The service said `processing`. */
  | { kind: 'processing' }
  /** 400 `payment_intent_not_pending`: paid, processing, canceled, or out of attempts. */
  | { kind: 'not_pending'; error: Refusal }
  /** An error that blames the integration: believed after one read that doesn't say `succeeded`. */
  | { kind: 'refused'; error: Refusal };

/** `pausing`: until the next read is due. `asleep`: the page is hidden or frozen. */
export type Activity = 'reading' | 'pausing' | 'asleep';

/** Repeated reads until the service says how an attempt ended (outcomes 2.3 and 2.4). Times in ms. */
export type Polling = {
  reason: PollReason;
  /** The total on the button when it was pressed; null if this form sent no confirm. */
  shown: Money | null;
  /** `confirmation_attempts` in the last read before the press; null if the service did not send it. */
  attemptsBefore: number | null;
  /** When the confirm was sent, or when polling began if this form sent none. */
  startedAt: number;
  /** The service itself answered the confirm, not a proxy. */
  answered: boolean;
  /** Number of waits of the schedule already used. */
  reads: number;
  /** `check` is the short schedule after "Check status". */
  plan: 'full' | 'check';
  readAt: number;
  /** When the latest read was sent: its answer may be as old as that. */
  askedAt: number;
  /** The first of the two reads that must agree before `pending` is believed; `at` is when its answer arrived. */
  earlierRead: { at: number; status: string; attempts: number | null } | null;
  activity: Activity;
};

export type PaymentState =
  /** Before the page has sent its `init`. */
  | { status: 'booting' }
  /** The first read of an intent; `replaces` is the unpaid intent before it. */
  | { status: 'loading'; replaces: UnpaidEnd | null; failures: number; activity: 'reading' | 'pausing' }
  /**
   * The intent could not be read; the next read is at `notBefore` or later. `secondsLeft` is the time until then, set
   * if a read was requested more than an hour too early.
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
   * The press counted, and the form is asking the page's `beforePay`. Nothing was sent. `allowed`: the page agreed, but
   * a read that it requested with `refresh()` is still under way.
   */
  | { status: 'asking_page'; intent: Intent; shown: Money; allowed: boolean; activity: 'waiting' | 'reading' }
  /** The confirm is open. `slow` after 10 s; from 20 s on, the form also reads the intent. */
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
  /** Another tab is paying this intent: this tab sent nothing and sends nothing until the other is done. */
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
  /** Reads a known intent again before the buyer may press. */
  | {
      status: 'reloading';
      intent: Intent;
      feedback: Feedback;
      failures: number;
      /** `refresh()` was called while this read was under way. */
      again: boolean;
      /** When a read first said that no attempt is left; believed once a later read agrees (contract 4.6). */
      usedUpAt: number | null;
      reads: number;
      activity: 'reading' | 'pausing';
      /**
       * A swap to another intent is under way (`swap.ts`). `asked`: waiting for the lock of the current intent.
       * `reading`: reading the current intent once more. An `Intent`: the result of that read, while the other intent
       * is being read.
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
  /** `shown` is the total on the button when it was pressed, if a different total was charged. */
  | { status: 'succeeded'; intent: Intent; shown: Money | null }
  | UnpaidEnd
  /** The integration or the account is at fault; `recoverable` if the merchant's server can fix it. */
  | { status: 'blocked'; intent: Intent | null; error: Refusal; recoverable: boolean }
  /**
   * The outcome could not be determined, so the form never offers a second payment. "Check status" reads from
   * `notBefore` on; null if the service refuses reads. `secondsLeft` as in `load_failed`.
   */
  | { status: 'unknown'; intent: Intent; polling: Polling; notBefore: number | null; secondsLeft?: number }
  | { status: 'destroyed' };

/** The intent that is being replaced, if the buyer has seen it; null in every state but `loading`. */
export const seenBefore = (state: PaymentState): UnpaidEnd | null =>
  state.status === 'loading' && !state.replaces?.untried ? state.replaces : null;

/** The outcome of the page's `beforePay` (promises 1). `message` is plain text for the buyer, or null. */
export type PageAnswer = { kind: 'allowed' | 'failed' } | { kind: 'refused'; message: string | null };

export type PaymentEvent =
  | { type: 'opened' }
  /** A press that passed the guard; `shown` is the total on the button at that moment. */
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
  /** This tab has the lock of the intent that is to be replaced. */
  | { type: 'swap_begun' }
  /** The page is visible, online and running again, after `gap` ms. */
  | { type: 'woke'; gap: number }
  /** The document came back from the back/forward cache. */
  | { type: 'restored' }
  | { type: 'closed' };

/**
 * At most one confirm, one retrieve or release, one `beforePay` call, one wait and one wait for a tab run at a time.
 */
export type Effect =
  /** `replacement`: reads another intent, which the page supplies. */
  | { type: 'retrieve'; replacement?: true }
  | { type: 'release' }
  | { type: 'confirm'; shown: Money }
  /** Calls the page's `beforePay` for a press. */
  | { type: 'ask_page'; shown: Money }
  /** Waits until no other tab holds the lock of this intent. */
  | { type: 'wait_for_tab' }
  /** `jitter`: 20 % shorter to 20 % longer, so that many forms don't read in step. */
  | { type: 'wait'; ms: number; jitter: boolean };

/** Inputs of a transition other than state and event. `now` is monotonic, in ms. */
export type World = {
  now: number;
  /** False while the page is hidden or frozen; the form doesn't poll then. */
  awake: boolean;
  /** The browser reports offline, and no answer has shown otherwise. A hint, since only a request can tell. */
  offline?: boolean | undefined;
  /** The page can supply another intent when this one ends unpaid. */
  canReplace: boolean;
  /** The page gave `beforePay`, which the form calls before a confirm. */
  asksPage: boolean;
};

/**
 * The next state and the effects to start.
 *
 * A change of `status` aborts every running effect and drops its answer. Within a status, an effect replaces only a
 * running effect of its own kind.
 */
export type Step = { state: PaymentState; effects: readonly Effect[] };

/** The stage of a payment attempt that a status belongs to. Rules for a running attempt are derived from it. */
export type Phase =
  /** No intent has been read yet, or the replacement of an unpaid intent has not. */
  | 'opening'
  /** No attempt is under way: the buyer, the page or a deadline decides what happens next. */
  | 'idle'
  /** A confirm is open. */
  | 'confirming'
  /** The confirm may have charged the buyer; only reads can tell. */
  | 'unresolved'
  /** The service accepted or refused the attempt; the form is bringing it to its end. */
  | 'settling'
  /** No confirm of this form is open; the form reads the intent before the buyer may press again. */
  | 'rereading'
  /** The intent is paid or can never be paid. */
  | 'ended'
  | 'destroyed';

/** The phase of every status; a status without a phase doesn't compile. */
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
