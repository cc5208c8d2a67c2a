import type { PaymentIntent, PaymentItem, Refund, ServiceErrorRecord } from '../../../api/schemas.ts';
import type { IntentRecord, RefundRecord } from '../store/records.ts';
import { itemsDifference } from './items.ts';
import { missingDetails } from './missing-details.ts';

/**
 * Returns the amount that can still be refunded, in minor units. Fees are never refunded, whoever pays them
 * (contract S3.1 and S6.4).
 */
export const refundableOf = (intent: IntentRecord): number =>
  intent.status === 'succeeded'
    ? intent.amount_total - intent.processing_fee - intent.bank_fee - intent.amount_refunded
    : 0;

/** The status that reads return: a service may call an intent `pending` while an attempt is running (contract 4.6). */
const shownStatus = (intent: IntentRecord) => intent.attempt?.shownAs ?? intent.status;

/** The intent as the merchant's server sees it: every field of contract S3.1. */
export const serverView = (intent: IntentRecord): PaymentIntent => ({
  id: intent.id,
  object: 'payment_intent',
  status: shownStatus(intent),
  currency: intent.currency,
  amount: intent.amount,
  fee_buyer: intent.fee_buyer,
  amount_total: intent.amount_total,
  processing_fee: intent.processing_fee,
  bank_fee: intent.bank_fee,
  fee_bearer: intent.fee_bearer,
  amount_refunded: intent.amount_refunded,
  amount_refundable: refundableOf(intent),
  confirmation_attempts: intent.confirmation_attempts,
  description: intent.description,
  metadata: intent.metadata,
  order_reference: intent.order_reference,
  goods_type: intent.goods_type,
  buyer: intent.buyer,
  shipping_details: intent.shipping_details,
  items: intent.items,
  shipping_amount: intent.shipping_amount,
  tax_amount: intent.tax_amount,
  discount_amount: intent.discount_amount,
  items_difference: itemsDifference(intent),
  billing_details: intent.billing_details,
  created: intent.created,
  succeeded_at: intent.succeeded_at,
  unlock_schedule: intent.unlock_schedule.map((step) => ({ ...step })),
});

/** The response to create and to its idempotent replays, the only one with the client secret. */
export const createdView = (intent: IntentRecord): PaymentIntent => ({
  ...serverView(intent),
  client_secret: intent.client_secret,
});

/** Lists the fields one by one, so that a field added to the record is not sent to browsers (contract 3.5). */
export type ClientView = {
  id: string;
  object: 'payment_intent';
  status: string;
  currency: string;
  amount: number;
  fee_buyer: number;
  amount_total: number;
  confirmation_attempts: number;
  attempts_left: number;
  attempt_in_progress: boolean;
  missing_details: string[];
  description: string | null;
  items: PaymentItem[];
  shipping_amount: number;
  tax_amount: number;
  discount_amount: number;
  items_difference: number;
  created: number;
  succeeded_at: number | null;
  last_payment_error: ServiceErrorRecord | null;
};

/**
 * The intent as the browser sees it. `attempts` is the number that an intent allows. Ours: contract 3.5, 3.6 and 4.6.
 */
export const clientView = (intent: IntentRecord, attempts: number): ClientView => ({
  id: intent.id,
  object: 'payment_intent',
  status: shownStatus(intent),
  currency: intent.currency,
  amount: intent.amount,
  fee_buyer: intent.fee_buyer,
  amount_total: intent.amount_total,
  confirmation_attempts: intent.confirmation_attempts,
  attempts_left: Math.max(attempts - intent.confirmation_attempts, 0),
  attempt_in_progress: intent.status === 'processing' && intent.last_payment_error === null,
  missing_details: missingDetails(intent),
  description: intent.description,
  items: intent.items,
  shipping_amount: intent.shipping_amount,
  tax_amount: intent.tax_amount,
  discount_amount: intent.discount_amount,
  items_difference: itemsDifference(intent),
  created: intent.created,
  succeeded_at: intent.succeeded_at,
  last_payment_error: intent.last_payment_error,
});

/** The refund as the merchant's server sees it. Ours: the API description does not show all fields (contract 5.2). */
export const refundView = (refund: RefundRecord): Refund => ({
  id: refund.id,
  object: 'refund',
  status: refund.status,
  amount: refund.amount,
  refund_fee: refund.refund_fee,
  currency: refund.currency,
  payment_intent: refund.payment_intent,
  created: refund.created,
});
