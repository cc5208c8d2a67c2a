/**
 * The form's reports to the page about a payment. Spelled out rather than inferred from the schemas of the channel, so
 * that a merchant's editor shows them and they need no package; a test keeps both equal.
 */
import type { CardFormDeclineCode, CardFormErrorCode, CardFormErrorType } from './error-codes.ts';

/** An error from the service, with `type`, `code`, `param` and `decline_code` from closed lists, or from the form. */
export type CardFormError = {
  type: CardFormErrorType;
  /** Such as `payment_method_declined` or `payment_intent_updated`. Compare this, never `message`. */
  code: CardFormErrorCode;
  /** For your logs, and always the form's own text. The buyer reads a different one. */
  message: string;
  param?: string | null | undefined;
  decline_code?: CardFormDeclineCode | null | undefined;
  /** How long the service asked to wait, in seconds. */
  retryAfter?: number | undefined;
  /** Tells if the buyer was charged. `unknown` is not `no`: ask the service before you offer another payment. */
  charged: 'no' | 'yes' | 'unknown';
  /** What can be done about it, and by whom. */
  recovery:
    | 'fix_input'
    | 'use_other_card'
    | 'review_amount'
    | 'wait'
    | 'retry'
    | 'new_payment'
    | 'contact_merchant'
    | 'fix_integration';
};

/** The payment intent as the browser may see it, with the field names of the service's API. Amounts in minor units. */
export type ClientPaymentIntent = {
  id: string;
  object: 'payment_intent';
  /** Includes statuses that the service may add later. */
  status: 'pending' | 'processing' | 'succeeded' | 'canceled' | (string & {});
  currency: 'usd' | 'eur';
  amount: number;
  fee_buyer: number;
  /** What the buyer pays: `amount` plus `fee_buyer`. */
  amount_total: number;
  confirmation_attempts: number | null;
  description: string | null;
  items: { name: string; quantity: number; unit_amount: number; amount: number }[] | null;
  shipping_amount: number | null;
  tax_amount: number | null;
  discount_amount: number | null;
  items_difference: number | null;
  /** Unix time in seconds. */
  created: number | null;
  /** Unix time in seconds. */
  succeeded_at: number | null;
  last_payment_error: {
    type: CardFormErrorType;
    code: CardFormErrorCode;
    message: string;
    param?: string | null | undefined;
    decline_code?: CardFormDeclineCode | null | undefined;
  } | null;
};

/**
 * The outcome of the payment. `unknown`: it may or may not have been paid. Ask the service, and never charge the buyer
 * again before you know.
 */
export type Result =
  | { outcome: 'succeeded'; paymentIntent: ClientPaymentIntent }
  | { outcome: 'canceled'; paymentIntent: ClientPaymentIntent }
  | { outcome: 'failed'; error: CardFormError }
  | {
      outcome: 'unknown';
      reason: 'unmounted' | 'unresolved';
      paymentIntent: ClientPaymentIntent | null;
    };

/**
 * The state of a payment so far: its outcome, or that there is none yet. `pending`: nothing was charged, and it can be
 * paid. `processing`: a charge is under way. After `unknown` it may or may not have been paid.
 */
export type CardFormStatus =
  | Result
  | { outcome: 'pending' | 'processing'; paymentIntent: ClientPaymentIntent };
