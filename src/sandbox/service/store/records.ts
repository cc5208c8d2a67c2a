/** The rows of the store: plain data, so that `persistence.ts` can write them as JSON, and read-only (`table.ts`). */
import type { BillingDetails, PaymentIntent, Refund, ServiceErrorRecord } from '../../../api/schemas.ts';

export type FeeBearer = 'merchant' | 'buyer';

/** One fee: a share in basis points, rounded half up, plus a fixed part in minor units. */
export type FeeRule = { bps: number; fixed: number };

/** The fees of a payment, and of a refund of a part of it (contract S3.8, `refund_fee`). */
export type FeeSchedule = { processing: FeeRule; bank: FeeRule; refund: FeeRule };

/** A share of a payment's net amount, and the number of days after success at which it becomes available. */
export type UnlockRule = { days: number; percent_bps: number };

/** A merchant. The sandbox starts with one (contract 6.1), but there may be more. */
export type Account = Readonly<{
  id: string;
  suspended: boolean;
  approved: boolean;
  /** True if the account may sell digital goods and services. */
  nonPhysicalGoods: boolean;
  feeSchedule: FeeSchedule | null;
  feeBearer: FeeBearer;
  /**
   * `null`: payments become available as they did before unlock schedules existed (contract S3.7, `days`).
   */
  unlockRules: readonly UnlockRule[] | null;
}>;

export type KeyKind = 'publishable' | 'secret';
/** `pair` names the two keys that were created together. Unique within the account. */
export type ApiKey = Readonly<{ kind: KeyKind; account: string; pair: string; revoked: boolean }>;

export type IntentStatus = 'pending' | 'processing' | 'succeeded' | 'canceled';

/** The end of a `processing` payment, and its time (unix seconds, to the millisecond). */
export type Settlement = { at: number; error: ServiceErrorRecord | null };

/** An attempt whose outcome is unknown until `endsAt` (as above), and the status that reads return until then. */
export type RunningAttempt = { endsAt: number; shownAs: 'processing' | 'pending' };

/** A stored payment intent: the API's fields under their own names, and internal fields. */
export type IntentRecord = Readonly<
  Omit<
    PaymentIntent,
    'object' | 'status' | 'client_secret' | 'amount_refundable' | 'items_difference' | 'unlock_schedule'
  > & {
    unlock_schedule: readonly Readonly<PaymentIntent['unlock_schedule'][number]>[];
    status: IntentStatus;
    /** The id of the payment's account. */
    account: string;
    /** Always stored. Responses include it only where the API description says so. */
    client_secret: string;
    last_payment_error: ServiceErrorRecord | null;
    settlement: Settlement | null;
    attempt: RunningAttempt | null;
    billing_details: BillingDetails | null;
    /** The once-per-intent test outcomes that this intent has already used. Ours: contract 6.7. */
    playedOnce: readonly string[];
    /** True if the payment network refuses to refund this payment. Ours: a control route sets it. */
    refundsRefused: boolean;
  }
>;

/** The amounts that a refund took from each unlock step and from the available balance, in minor units. */
export type Deduction = Readonly<{
  steps: readonly { step: number; amount: number }[];
  available: number;
}>;

export type RefundStatus = 'pending' | 'processing' | 'succeeded' | 'failed';

/** A stored refund: the API's fields under their own names, and internal fields. */
export type RefundRecord = Readonly<
  Omit<Refund, 'object' | 'status'> & {
    status: RefundStatus;
    /** The id of the refund's account. */
    account: string;
    /** Creation time in milliseconds, from which the times of status changes count (contract 5.7). */
    madeAt: number;
    /** Where the amount and the fee were deducted. Empty once the refund has failed. */
    deduction: Deduction;
  }
>;

/** Money taken from a buyer. Written when the card is charged, never derived from a status. */
export type Charge = { intent: string; amount: number; currency: string; at: number };

/** One use of an idempotency key: the route, the body and the created object. */
export type IdempotencyRecord = { route: string; fingerprint: string; id: string };

/** contract S12.1. */
export const EVENT_TYPES = ['payment_intent.succeeded', 'refund.succeeded', 'refund.failed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The object of an event. Both kinds name their payment, which names the account to notify. */
export type EventObject = PaymentIntent | Refund;

/** An event, with a snapshot of its object. Plain data. */
export type EventRecord = Readonly<{
  /** Prefix `evt_`. */
  id: string;
  account: string;
  type: EventType;
  /** When it happened, in unix seconds. This may be before the service processed it. */
  created: number;
  /** A copy that never changes. */
  object: EventObject;
  /** Ids of its deliveries. */
  deliveries: readonly string[];
}>;

/** A URL to which an account's events are sent (contract S13). Plain data. */
export type WebhookEndpoint = Readonly<{
  /** Prefix `we_`. */
  id: string;
  account: string;
  url: string;
  /** Empty means all types. */
  event_types: readonly EventType[];
  enabled: boolean;
  /** Unix seconds. */
  created: number;
}>;

/**
 * The reason for an attempt: `schedule`, by the retry schedule; `manual`, on request; `copy`, because the webhook plan
 * duplicates events. Only `schedule` counts towards the eight attempts.
 */
export type AttemptReason = 'schedule' | 'manual' | 'copy';

/** One attempt in the delivery history, without the bodies of request and response. */
export type DeliveryAttempt = {
  reason: AttemptReason;
  /** Milliseconds, on the sandbox's clock. */
  at: number;
  duration_ms: number;
  http_status: number | null;
  /** `null` for a success. */
  error: string | null;
  /** The beginning of the endpoint's answer to a failed attempt; empty for a success. */
  response: string;
};

/**
 * `pending`: another attempt follows. `canceled`: the endpoint was deleted before an attempt succeeded. Ours: the API
 * description does not show this status.
 */
export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'canceled';

/** The delivery of one event to one endpoint. Plain data, so that a pending delivery survives a restart. */
export type WebhookDelivery = Readonly<{
  /** The ids of event and endpoint, joined by a dot. */
  id: string;
  event: string;
  endpoint: string;
  status: DeliveryStatus;
  attempts: readonly DeliveryAttempt[];
  /** Failed attempts of the retry schedule. */
  failures: number;
  /** In milliseconds. `null` if none is due: the delivery has ended, or the plan holds it back. */
  next_attempt_at: number | null;
}>;

/** Distorts the next deliveries: their first attempts, and for `time_out` their retries, too. Plain data. */
export type WebhookPlan = {
  /** Each of the next `times` deliveries is sent `copies` times. */
  duplicate: { copies: number; times: number } | null;
  /** Each of the next `times` deliveries is first sent after `seconds`. */
  delay: { seconds: number; times: number } | null;
  /**
   * Holds back the next `size` deliveries until the last of them, then sends them newest first. `held` are their ids.
   */
  reverse: { size: number; held: string[] } | null;
  /**
   * The next `times` scheduled attempts get no response in time. If `arrives`, the endpoint receives the event, and
   * only its response is lost.
   */
  time_out: { times: number; arrives: boolean } | null;
};

/** Every event is sent once, immediately and in order. */
export const NO_PLAN: WebhookPlan = { duplicate: null, delay: null, reverse: null, time_out: null };

/** A key that signs webhooks. Plain data. The private key leaves the process only in the state file. */
export type SigningKey = { kid: string; public_key_pem: string; private_key_pem: string };
