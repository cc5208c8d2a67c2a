/** The rows of the store: plain data, of classes only `Set`, so that `persistence.ts` can write them as JSON. */
import type { BillingDetails, PaymentIntent, Refund, ServiceErrorRecord } from '../../api/schemas.ts';

export type FeeBearer = 'merchant' | 'buyer';

/** One fee: a share in basis points, rounded half up, plus a fixed part in minor units. */
export type FeeRule = { bps: number; fixed: number };

/** What a payment costs, and what a refund of a part of it costs (contract S3.8, `refund_fee`). */
export type FeeSchedule = { processing: FeeRule; bank: FeeRule; refund: FeeRule };

/** A share of what a payment brings, and how many days after success it becomes available. */
export type UnlockRule = { days: number; percent_bps: number };

/** A merchant. The sandbox starts with one (contract 6.1); nothing here assumes that it stays alone. */
export type Account = {
  id: string;
  suspended: boolean;
  approved: boolean;
  /** Whether it may sell digital goods and services. */
  nonPhysicalGoods: boolean;
  feeSchedule: FeeSchedule | null;
  feeBearer: FeeBearer;
  /** `null`: payments become available as before unlock schedules existed (contract S3.7, `days`). */
  unlockRules: readonly UnlockRule[] | null;
};

export type KeyKind = 'publishable' | 'secret';
/** `pair` is what the two keys that were created together have in common; unique within the account. */
export type ApiKey = { kind: KeyKind; account: string; pair: string; revoked: boolean };

export type IntentStatus = 'pending' | 'processing' | 'succeeded' | 'canceled';

/** How a `processing` payment ends, and when (unix seconds). */
export type Settlement = { at: number; error: ServiceErrorRecord | null };

/** A payment intent as it is kept: the API's fields under their own names, and what the service alone knows. */
export type IntentRecord = Omit<
  PaymentIntent,
  'object' | 'status' | 'client_secret' | 'amount_refundable' | 'items_difference'
> & {
  status: IntentStatus;
  /** The id of the account it belongs to. */
  account: string;
  /** Present here always, in answers only where the description says so. */
  client_secret: string;
  last_payment_error: ServiceErrorRecord | null;
  settlement: Settlement | null;
  billing_details: BillingDetails | null;
  /** Test numbers that act once per intent and have done so. Ours: contract 6.7. */
  playedOnce: Set<string>;
  /** Whether the payment network refuses to refund this payment. Ours: a control route sets it. */
  refundsRefused: boolean;
};

/** What was taken of each step of one payment, and of the account's available balance, in minor units. */
export type Deduction = { steps: { step: number; amount: number }[]; available: number };

export type RefundStatus = 'pending' | 'processing' | 'succeeded' | 'failed';

/** A refund as it is kept: the API's fields under their own names, and what the service alone knows. */
export type RefundRecord = Omit<Refund, 'object' | 'status'> & {
  status: RefundStatus;
  /** The id of the account it belongs to. */
  account: string;
  /** When it was made, in milliseconds: its outcome is due so many seconds later (contract 5.7). */
  madeAt: number;
  /** What it and its fee were deducted from; nothing once it has failed. */
  deduction: Deduction;
};

/** Money taken from a buyer. Written at the moment of charging and never derived from a status. */
export type Charge = { intent: string; amount: number; currency: string; at: number };

/** What an idempotency key stands for: one object, made on one route from one body. */
export type IdempotencyRecord = { route: string; fingerprint: string; id: string };

/** contract S12.1. */
export const EVENT_TYPES = ['payment_intent.succeeded', 'refund.succeeded', 'refund.failed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What an event is about. Both name their payment, and with it the account that hears of it. */
export type EventObject = PaymentIntent | Refund;

/** Something that happened, with its object as it was at that moment. Plain data. */
export type EventRecord = {
  /** Prefix `evt_`. */
  id: string;
  account: string;
  type: EventType;
  /** Unix seconds at which it happened, not at which somebody noticed. */
  created: number;
  /** A copy that nothing changes any more. */
  object: EventObject;
  /** Ids of its deliveries. */
  deliveries: string[];
};

/** Where an account wants its events (contract S13). Plain data. */
export type WebhookEndpoint = {
  /** Prefix `we_`. */
  id: string;
  account: string;
  url: string;
  /** None = all types. */
  event_types: EventType[];
  enabled: boolean;
  /** Unix seconds. */
  created: number;
};

/**
 * Why an attempt was made: `schedule` at its time by the table; `manual` because somebody asked for it;
 * `copy` because the plan wants an event to arrive more than once. Only the first kind counts towards the eight.
 */
export type AttemptReason = 'schedule' | 'manual' | 'copy';

/** One attempt, as the history shows it. It holds nothing of what was sent or answered. */
export type DeliveryAttempt = {
  reason: AttemptReason;
  /** Milliseconds, on the sandbox's clock. */
  at: number;
  duration_ms: number;
  http_status: number | null;
  /** `null` for a success. */
  error: string | null;
};

/**
 * `pending`: an attempt is still to come; `canceled`: the endpoint was deleted before one succeeded, which is
 * ours: not shown in the API description.
 */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled';

/** One event on its way to one endpoint. Plain data, so that what is pending outlives a restart. */
export type WebhookDelivery = {
  /** The ids of event and endpoint, with a dot between them. */
  id: string;
  event: string;
  endpoint: string;
  status: DeliveryStatus;
  attempts: DeliveryAttempt[];
  /** Attempts by the table that have failed. */
  failures: number;
  /** Milliseconds; `null` where none is due: it has ended, or the plan holds it back. */
  next_attempt_at: number | null;
};

/** Plain data. Each part is about first attempts only; repeats go by the table. */
export type WebhookPlan = {
  /** Each of the next `times` deliveries arrives `copies` times. */
  duplicate: { copies: number; times: number } | null;
  /** Each of the next `times` deliveries is first sent after so many seconds. */
  delay: { seconds: number; times: number } | null;
  /** The next `size` deliveries wait until the last of them is there, then go the newest first. */
  reverse: { size: number; held: string[] } | null;
};

/** Everything arrives once, at once, and in order. */
export const NO_PLAN: WebhookPlan = { duplicate: null, delay: null, reverse: null };

/** A key that signs webhooks. Plain data; the private half leaves the store with nothing but the saved state. */
export type SigningKey = { kid: string; public_key_pem: string; private_key_pem: string };
