import type { ServiceErrorRecord } from '../../../api/schemas.ts';
import { accountOf } from '../accounts/accounts.ts';
import { unlockSchedule } from '../accounts/unlock.ts';
import { toMs } from '../core/clock.ts';
import { RefusedRequest } from '../core/errors.ts';
import type { IntentRecord, IntentStatus, RunningAttempt } from '../store/records.ts';
import { type EventService, publishEvent } from '../webhooks/events.ts';
import type { Ledger } from './ledger.ts';
import { serverView } from './views.ts';

/** The part of the service that tracks how many payments have each status and what money they hold. */
type Booking = { ledger: Ledger };

/** The part of the service that moves money. */
export type MoneyService = EventService & Booking;

/** All allowed status changes of an intent (contract 4.1). */
const ALLOWED_MOVES: Record<IntentStatus, readonly IntentStatus[]> = {
  pending: ['processing', 'succeeded', 'canceled'],
  processing: ['succeeded', 'pending', 'canceled'],
  succeeded: [],
  canceled: [],
};

const move = (
  { ledger }: Booking,
  intent: IntentRecord,
  to: IntentStatus,
  fields: Partial<IntentRecord>,
): void => {
  if (!ALLOWED_MOVES[intent.status].includes(to))
    throw new Error(`an intent cannot go from ${intent.status} to ${to}`);
  ledger.change(intent, { ...fields, status: to });
};

/** Charges the buyer. The only place that writes a charge. `at` is in unix seconds. */
export const succeed = (service: MoneyService, intent: IntentRecord, at: number): void => {
  const { store } = service;
  const net = intent.amount_total - intent.processing_fee - intent.bank_fee;
  move(service, intent, 'succeeded', {
    succeeded_at: at,
    last_payment_error: null,
    settlement: null,
    unlock_schedule: unlockSchedule(accountOf(store, intent).unlockRules, net, at),
  });
  store.charges.push({ intent: intent.id, amount: intent.amount_total, currency: intent.currency, at });
  publishEvent(service, 'payment_intent.succeeded', serverView(intent), at);
};

/** Starts an attempt whose outcome comes later, or never if `settlement` is `null`. */
export const startProcessing = (
  service: Booking,
  intent: IntentRecord,
  settlement: IntentRecord['settlement'],
  attempt: RunningAttempt | null = null,
): void => move(service, intent, 'processing', { last_payment_error: null, settlement, attempt });

/**
 * Returns true if the error holds the intent until it is released: only card failures do (contract 4.4), and after a
 * 502 there is nothing to release.
 */
export const isHeld = ({ code }: { code: string }): boolean => code !== 'provider_error';

/** Ends an attempt as failed. `hold` keeps the intent `processing` until it is released (contract 4.4). */
export const failAttempt = (
  service: Booking,
  intent: IntentRecord,
  error: ServiceErrorRecord,
  hold: boolean,
): void => {
  const status = hold ? 'processing' : 'pending';
  const outcome = { last_payment_error: error, settlement: null };
  if (intent.status === status) service.ledger.change(intent, outcome);
  else move(service, intent, status, outcome);
};

/**
 * Brings an intent up to `now` (milliseconds). Called before every read of an intent, so that a read never returns an
 * outdated status.
 */
export const settle = (service: MoneyService, intent: IntentRecord, now: number, hold: boolean): void => {
  const { settlement, attempt } = intent;
  if (attempt && now >= toMs(attempt.endsAt)) service.ledger.change(intent, { attempt: null });
  if (settlement === null || now < toMs(settlement.at)) return;
  if (settlement.error === null) succeed(service, intent, Math.floor(settlement.at));
  else failAttempt(service, intent, settlement.error, hold && isHeld(settlement.error));
};

/** Returns true if the intent was canceled before the outcome of its latest attempt was known. */
export const isCanceledUndecided = (intent: IntentRecord): boolean =>
  intent.status === 'canceled' && intent.last_payment_error === null;

/** Ends a failed attempt so that the next confirm can run. Idempotent; a running attempt continues (contract 3.3). */
export const release = (service: Booking, intent: IntentRecord): void => {
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw notPending(intent.status);
  if (intent.last_payment_error === null) return;
  if (intent.status === 'processing') move(service, intent, 'pending', { last_payment_error: null });
  else service.ledger.change(intent, { last_payment_error: null });
};

/** Cancels an unpaid intent for good. Idempotent. */
export const cancel = (service: Booking, intent: IntentRecord): void => {
  if (intent.status === 'canceled') return;
  if (intent.status === 'succeeded') throw notPending(intent.status);
  move(service, intent, 'canceled', { settlement: null, attempt: null });
};

const WHY_NOT_PENDING = {
  processing: 'an attempt is still being processed. Retrieve the payment until its outcome is known.',
  succeeded: 'it has succeeded. Retrieve it to see the payment.',
  canceled: 'it was canceled. Create a new payment intent.',
  attempts_used: 'all its payment attempts are used. Create a new payment intent.',
} as const;

/** The error for a request that needs a pending intent (contract S4.3). */
export const notPending = (why: keyof typeof WHY_NOT_PENDING): RefusedRequest =>
  new RefusedRequest(
    'payment_intent_not_pending',
    `The payment intent must be pending, but ${WHY_NOT_PENDING[why]}`,
  );
