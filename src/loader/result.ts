/**
 * What the form tells the page of a payment, spelled out: a merchant's editor shows these types, and they need
 * no package. A test holds them equal to the schemas of the channel.
 */

/** The service's own `type, code, message, param, decline_code`, and what the form makes of them. */
export type CardFormError = {
  type: string;
  /** Such as `card_declined` or `payment_intent_updated`. Compare this, never `message`. */
  code: string;
  /** For your log. Not for the buyer, who reads the form's own words. */
  message: string;
  param?: string | null | undefined;
  decline_code?: string | null | undefined;
  /** Seconds. */
  retryAfter?: number | undefined;
  /** Whether money moved. `unknown` is not `no`: ask the service before you offer another payment. */
  charged: 'no' | 'yes' | 'unknown';
  /** Who can do what about it. */
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

/** The payment as the browser may see it, with the service's field names. Amounts in minor units. */
export type ClientPaymentIntent = {
  id: string;
  object: 'payment_intent';
  /** `pending`, `processing`, `succeeded`, `canceled`, or a word that a later service may add. */
  status: string;
  currency: 'usd' | 'eur';
  amount: number;
  fee_buyer: number;
  /** What the buyer pays: `amount` and `fee_buyer`. */
  amount_total: number;
  confirmation_attempts: number | null;
  description: string | null;
  items: { name: string; quantity: number; unit_amount: number; amount: number }[] | null;
  shipping_amount: number | null;
  tax_amount: number | null;
  discount_amount: number | null;
  items_difference: number | null;
  /** Seconds since 1970, as `succeeded_at`. */
  created: number | null;
  succeeded_at: number | null;
  last_payment_error: {
    type: string;
    code: string;
    message: string;
    param?: string | null | undefined;
    decline_code?: string | null | undefined;
  } | null;
};

/** What became of the payment. `unknown` means neither paid nor not paid: ask, never charge again. */
export type Result =
  | { outcome: 'succeeded'; paymentIntent: ClientPaymentIntent }
  | { outcome: 'canceled'; paymentIntent: ClientPaymentIntent }
  | { outcome: 'failed'; error: CardFormError }
  | {
      outcome: 'unknown';
      reason: 'unmounted' | 'unresolved';
      paymentIntent: ClientPaymentIntent | null;
    };
