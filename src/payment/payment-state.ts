/**
 * The life of one payment as the buyer sees it: the states it can be in, the facts that move it, the orders
 * that follow. No card data, no DOM, no timer, no network. (Research "Paying exactly once", 2.2.)
 */

import type { Failure, Refusal } from '../api/errors.ts';
import type { Money } from '../api/money.ts';
import type { ClientPaymentIntent } from '../api/schemas.ts';

export type Intent = ClientPaymentIntent;

/** What the form says above the Pay button when the buyer may press it (again). */
export type Notice =
  /** An attempt failed. `error` is null where this was only learned by reading. */
  | { kind: 'declined'; error: Refusal | null }
  /** 409, and yet the total reads as before. */
  | { kind: 'check_again'; error: Refusal }
  /** The service refused billing details; `error.param` names the field. */
  | { kind: 'details_refused'; error: Refusal }
  /** After silence: the service shows no payment and no attempt. */
  | { kind: 'not_charged' }
  /** Another tab of this payment was confirming, so this press sent nothing. */
  | { kind: 'not_sent' }
  /** The service asked to wait, and the time is over: there is nothing to say. */
  | { kind: 'throttle_over' }
  /** The intent before this one ended unpaid, and the page gave another. */
  | { kind: 'started_over' };

/** What the buyer will be told once `ready` is reached again. */
export type Feedback = {
  /** What became of the latest press; null where there was none. */
  notice: Notice | null;
  /** The total the buyer saw before it changed, until the next press. */
  previousTotal: Money | null;
};

/** An intent that ended without a payment and can never be paid: the only ground to ask for another. */
export type UnpaidEnd =
  | { status: 'canceled'; intent: Intent }
  | { status: 'exhausted'; intent: Intent; error: Refusal };

/** Why the form has to look what became of the payment. */
export type PollReason =
  /** The card was refused; what became of the release is not known. */
  | { kind: 'declined'; error: Refusal | null }
  /** Silence, or an answer that proves nothing: the confirm may have acted. */
  | { kind: 'no_answer' }
  /** The service said `processing`: it will end one way or the other. */
  | { kind: 'processing' }
  /** 400 `payment_intent_not_pending`: paid, processing, canceled, or out of attempts. */
  | { kind: 'not_pending'; error: Refusal }
  /** An error that blames the integration: one look, then it is believed. */
  | { kind: 'refused'; error: Refusal };

/** A poll is either asking, waiting for the next time, or resting while the page is hidden or offline. */
export type Activity = 'reading' | 'pausing' | 'asleep';

/** Reading again and again until the service says how an attempt ended (research 2.3 and 2.4). Times in ms. */
export type Polling = {
  reason: PollReason;
  /** What the pressed button said; null where this form sent nothing. */
  shown: Money | null;
  /** `confirmation_attempts` in the last read before the press; null where the service does not say. */
  attemptsBefore: number | null;
  /** When the confirm was sent, or the polling began where nothing was sent by this form. */
  sentAt: number;
  /** Whether the service itself answered the confirm. */
  answered: boolean;
  /** How many waits of the plan are used up; a `check` is the short plan that a person asked for. */
  reads: number;
  plan: 'full' | 'check';
  readAt: number;
  /** The first of the two reads that must agree before `pending` is believed. */
  earlierRead: { at: number; status: string; attempts: number | null } | null;
  activity: Activity;
};

export type PaymentState =
  /** Before the merchant's page has said which payment it is. */
  | { status: 'booting' }
  /** Reading for the first time; `replaces` is the intent that this one takes the place of. */
  | { status: 'loading'; replaces: UnpaidEnd | null; failures: number; activity: 'reading' | 'pausing' }
  /** The intent could not be read; the buyer may try again from `notBefore` on. */
  | {
      status: 'load_failed';
      intent: Intent | null;
      replaces: UnpaidEnd | null;
      feedback: Feedback;
      failure: Failure;
      notBefore: number;
    }
  /** The one state in which a press counts, from `armedAt` on. */
  | { status: 'ready'; intent: Intent; feedback: Feedback; readAt: number; armedAt: number }
  /** Sent once. `slow` after 8 s; from 20 s on the form also reads, with the confirm still open. */
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
  /** Another tab is paying: nothing was sent from here, and nothing will be before it is done. */
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
  /** Reading an intent that is known already, before the buyer may press again. */
  | {
      status: 'reloading';
      intent: Intent;
      feedback: Feedback;
      failures: number;
      /** A merchant asked for a fresh read while this one was under way. */
      again: boolean;
      reads: number;
      activity: 'reading' | 'pausing';
    }
  /** 429 to a confirm: nothing is sent before `until`. */
  | {
      status: 'throttled';
      intent: Intent;
      error: { retryAfter: number; stated: boolean };
      until: number;
      secondsLeft: number;
    }
  /** `shown` is what the pressed button said where that is not what was charged. */
  | { status: 'succeeded'; intent: Intent; shown: Money | null }
  | UnpaidEnd
  /** The integration or the account is at fault; `recoverable` where the merchant's server can mend it. */
  | { status: 'blocked'; intent: Intent | null; error: Refusal; recoverable: boolean }
  /**
   * The outcome could not be learned. Never invites a second payment. The buyer may have it checked from
   * `notBefore` on; null where the service refuses to be asked.
   */
  | { status: 'unknown'; intent: Intent; polling: Polling; notBefore: number | null }
  | { status: 'destroyed' };

export type PaymentEvent =
  | { type: 'opened' }
  /** A live press; `shown` is what the pressed button said at that moment. */
  | { type: 'submitted'; shown: Money }
  | { type: 'waited' }
  | { type: 'retrieved' | 'confirmed'; intent: Intent }
  | { type: 'released' }
  | { type: 'retrieve_failed' | 'confirm_failed' | 'release_failed'; failure: Failure }
  /** A press that another tab came before: nothing was sent. */
  | { type: 'other_tab_paying' }
  /** The other tab is done. */
  | { type: 'other_tab_done' }
  /** The buyer pressed "Try again" or "Check status". */
  | { type: 'retry_requested' }
  /** The merchant's page says that its server changed the intent, or another tab that it came to an end. */
  | { type: 'refresh_requested' }
  /** The page is visible, online and running again after `gap` ms. */
  | { type: 'woke'; gap: number }
  /** The document came back from the back/forward cache. */
  | { type: 'restored' }
  | { type: 'closed' };

/** Orders. At most one request that reads or releases, one confirm and one wait are under way at a time. */
export type Effect =
  /** `replacement`: of another intent, which the page is asked for. */
  | { type: 'retrieve'; replacement?: true }
  | { type: 'release' }
  | { type: 'confirm'; shown: Money }
  /** Waits until no other tab is paying this intent. */
  | { type: 'wait_for_tab' }
  /** `jitter`: may be 20 % shorter or longer, so that many forms do not ask in step. */
  | { type: 'wait'; ms: number; jitter: boolean };

/** What a transition depends on besides state and event. `now` in monotonic ms. */
export type World = {
  now: number;
  /** False while the page is hidden, frozen or offline: polling rests. */
  awake: boolean;
  /** Whether the page gives another intent when this one is over. */
  canReplace: boolean;
};

/**
 * The next state and what is to be done.
 *
 * A change of `status` ends whatever was still under way: its answer is never heard. Within a status an
 * effect replaces only its like.
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
