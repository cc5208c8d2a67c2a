/**
 * The service's answers, parsed tolerantly: unknown fields are dropped, and an enumeration that may grow is a string
 * (contract S18.2).
 */
import * as z from 'zod/mini';
import * as LIMITS from './limits.ts';
import { cutText } from './texts.ts';

const minorUnits = z.int().check(z.nonnegative(), z.maximum(LIMITS.largestAmount));
const text = z.pipe(z.string(), z.transform(cutText));
const unixSeconds = z.int().check(z.nonnegative());
/** A path of field names, such as `shipping_details.address`. */
const path = z.string().check(z.regex(/^[a-z][a-z0-9_.[\]]{0,199}$/));

export const CURRENCIES = ['usd', 'eur'] as const;
export const Currency = z.literal(CURRENCIES);
export type Currency = z.infer<typeof Currency>;

/** `{error: {…}}` of any failed request (contract S16.1). Its words are untrusted: `error-words.ts`. */
export const ErrorBody = z.object({
  error: z.object({
    type: z.string().check(z.maxLength(100)),
    code: z.string().check(z.maxLength(100), z.regex(/^[a-z0-9_]+$/)),
    /** Required by the description but unused: the form has its own message. */
    message: z.string(),
    param: z.catch(z.optional(z.nullable(z.string().check(z.maxLength(500)))), null),
    decline_code: z.catch(z.optional(z.nullable(z.string().check(z.maxLength(100)))), null),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
export type ServiceErrorRecord = ErrorBody['error'];

/** One item of the payment (contract S3.5). `amount` is the item's total. */
export const PaymentItem = z.object({
  name: text,
  quantity: z.number(),
  unit_amount: minorUnits,
  /** May exceed the largest amount: items only describe the total. */
  amount: z.int().check(z.nonnegative()),
});
export type PaymentItem = z.infer<typeof PaymentItem>;

/** A field that becomes `null` if it is missing or invalid. */
const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.nullable(schema), null);

/**
 * The intent as the browser sees it (contract 3.5). Only the first seven fields are required. Any other field that is
 * missing or invalid is `null` here, so that no optional field can stop a payment.
 */
export const ClientPaymentIntent = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  object: z.literal('payment_intent'),
  /** `pending`, `processing`, `succeeded`, `canceled`, or a status that a later service adds. */
  status: z.string().check(z.minLength(1), z.maxLength(100)),
  currency: Currency,
  amount: minorUnits,
  fee_buyer: minorUnits,
  amount_total: minorUnits,
  confirmation_attempts: lenient(z.int().check(z.nonnegative())),
  /** The number of attempts that the service will still accept. Ours: contract 3.5. */
  attempts_left: lenient(z.int().check(z.nonnegative())),
  /** True while an attempt of any tab or browser is running. Ours: contract 4.6. */
  attempt_in_progress: lenient(z.boolean()),
  /** Paths of the details that confirm requires and only the merchant's server can add. Ours: contract 3.5. */
  missing_details: lenient(z.array(path).check(z.maxLength(20))),
  description: lenient(text),
  items: lenient(z.array(PaymentItem).check(z.maxLength(LIMITS.items))),
  shipping_amount: lenient(minorUnits),
  tax_amount: lenient(minorUnits),
  discount_amount: lenient(minorUnits),
  items_difference: lenient(z.int()),
  created: lenient(unixSeconds),
  succeeded_at: lenient(unixSeconds),
  last_payment_error: lenient(ErrorBody.shape.error),
});
export type ClientPaymentIntent = z.infer<typeof ClientPaymentIntent>;

const addressLine = z.nullable(z.string());

/** The cardholder's address (contract S3.6). */
export const BillingAddress = z.object({
  line1: z.string(),
  line2: addressLine,
  city: addressLine,
  state: addressLine,
  postal_code: z.string(),
  country: z.string(),
});

export const BillingDetails = z.object({ email: z.string(), name: z.string(), address: BillingAddress });
export type BillingDetails = z.infer<typeof BillingDetails>;

export const Buyer = z.object({ name: z.string() });

export const ShippingDetails = z.object({
  name: z.string(),
  phone: z.nullable(z.string()),
  address: z.object({
    line1: z.string(),
    line2: addressLine,
    city: addressLine,
    state: addressLine,
    postal_code: addressLine,
    country: z.string(),
  }),
});
export type ShippingDetails = z.infer<typeof ShippingDetails>;

/** A part of the merchant's money from a payment, and when it becomes available (contract S3.7). */
export const UnlockScheduleStep = z.object({
  step: z.int(),
  days: z.nullable(z.int()),
  percent_bps: z.int(),
  available_at: unixSeconds,
  amount: z.int(),
  deducted: z.int(),
  remaining: z.int(),
  rescheduled: z.boolean(),
});
export type UnlockScheduleStep = z.infer<typeof UnlockScheduleStep>;

/** The intent as the merchant's server sees it (contract S3.1). */
export const PaymentIntent = z.object({
  id: z.string(),
  object: z.literal('payment_intent'),
  status: z.string(),
  currency: Currency,
  amount: minorUnits,
  fee_buyer: minorUnits,
  amount_total: minorUnits,
  processing_fee: minorUnits,
  bank_fee: minorUnits,
  fee_bearer: z.enum(['merchant', 'buyer']),
  amount_refunded: minorUnits,
  amount_refundable: z.int(),
  confirmation_attempts: z.int().check(z.nonnegative()),
  description: z.nullable(z.string()),
  metadata: z.record(z.string(), z.string()),
  order_reference: z.nullable(z.string()),
  goods_type: z.enum(['physical', 'non_physical']),
  buyer: z.nullable(Buyer),
  shipping_details: z.nullable(ShippingDetails),
  items: z.array(PaymentItem),
  shipping_amount: minorUnits,
  tax_amount: minorUnits,
  discount_amount: minorUnits,
  items_difference: z.int(),
  billing_details: z.nullable(BillingDetails),
  /** Present only in the answer to create and in its idempotent replays. */
  client_secret: z.optional(z.string()),
  created: unixSeconds,
  succeeded_at: z.nullable(unixSeconds),
  unlock_schedule: z.array(UnlockScheduleStep),
});
export type PaymentIntent = z.infer<typeof PaymentIntent>;

/** Ours: fields not shown in the API description (contract 5.2). `refund_fee` is added to `amount`. */
export const Refund = z.object({
  id: z.string(),
  object: z.literal('refund'),
  status: z.string(),
  amount: minorUnits,
  refund_fee: minorUnits,
  currency: Currency,
  payment_intent: z.string(),
  created: unixSeconds,
});
export type Refund = z.infer<typeof Refund>;

/** Ours: not shown in the API description (contract 5.3). */
export const FeeQuote = z.object({
  object: z.literal('fee_quote'),
  amount: minorUnits,
  currency: Currency,
  fee_bearer: z.enum(['merchant', 'buyer']),
  processing_fee: minorUnits,
  bank_fee: minorUnits,
  fee_buyer: minorUnits,
  amount_total: minorUnits,
});
export type FeeQuote = z.infer<typeof FeeQuote>;

/** Ours: not shown in the API description (contract 5.4). */
const BalanceEntry = z.object({ amount: z.int(), currency: Currency });
export const Balance = z.object({
  object: z.literal('balance'),
  available: z.array(BalanceEntry),
  locked: z.array(BalanceEntry),
});
export type Balance = z.infer<typeof Balance>;

export const WebhookSigningKey = z.object({ kid: z.string(), public_key_pem: z.string() });
export type WebhookSigningKey = z.infer<typeof WebhookSigningKey>;

/** A page of a list, newest first (contract S10.1). */
export const List = <Schema extends z.ZodMiniType>(data: Schema) =>
  z.object({ object: z.literal('list'), data: z.array(data), has_more: z.boolean() });

/** The envelope of a webhook (contract S12). */
export const Event = z.object({
  id: z.string(),
  object: z.literal('event'),
  type: z.string(),
  created: unixSeconds,
  data: z.object({ object: z.union([PaymentIntent, Refund]) }),
});
export type Event = z.infer<typeof Event>;
