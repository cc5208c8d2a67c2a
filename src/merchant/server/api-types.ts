// biome-ignore-all format: written by src/sandbox/service/openapi/typescript.ts

/** The objects of the server routes, written from `openapi.json` by `npm run api`. Do not edit. */

/** A payment, as the merchant sees it. */
export type PaymentIntent = {
  /** Prefix `lg_pi_`. */
  id: string;
  object: 'payment_intent';
  /** `succeeded` and `canceled` are final. */
  status: 'pending' | 'processing' | 'succeeded' | 'canceled';
  currency: 'usd' | 'eur';
  /** Before any fee the buyer pays; minor units. 0 to 99,999,999. */
  amount: number;
  /** Both fees if the buyer bears them, else 0; minor units. 0 to 99,999,999. */
  fee_buyer: number;
  /** What the buyer is charged and must be shown before paying; minor units. 0 to 99,999,999. */
  amount_total: number;
  /** The processing fee, whichever party bears it; minor units. 0 to 99,999,999. */
  processing_fee: number;
  /** The bank fee, borne by the same party as the processing fee; minor units. 0 to 99,999,999. */
  bank_fee: number;
  /** Which party pays the fees. */
  fee_bearer: 'merchant' | 'buyer';
  /** Refunds in flight included; minor units. 0 to 99,999,999. */
  amount_refunded: number;
  /** 0 unless the payment has succeeded; minor units. */
  amount_refundable: number;
  /** Payment attempts so far; their number is limited. From 0. */
  confirmation_attempts: number;
  /** Free text. */
  description: string | null;
  /** Stored by the service and sent to no one else. */
  metadata: Readonly<Record<string, string>>;
  /** The merchant's own order number; required before the buyer pays. */
  order_reference: string | null;
  /** `physical` if goods are shipped. */
  goods_type: 'physical' | 'non_physical';
  /** Required before the buyer pays. */
  buyer: {
    name: string;
  } | null;
  /** Required before the buyer pays for physical goods. */
  shipping_details: {
    name: string;
    phone: string | null;
    address: {
      line1: string;
      line2: string | null;
      city: string | null;
      state: string | null;
      postal_code: string | null;
      country: string;
    };
  } | null;
  /** What the payment is for. Items describe the amount and never set it. */
  items: readonly {
    name: string;
    quantity: number;
    /** 0 to 99,999,999. */
    unit_amount: number;
    /** From 0. */
    amount: number;
  }[];
  /** Declared; minor units. 0 to 99,999,999. */
  shipping_amount: number;
  /** Declared; minor units. 0 to 99,999,999. */
  tax_amount: number;
  /** Declared; minor units. 0 to 99,999,999. */
  discount_amount: number;
  /** `amount` minus the sum of the declared figures; minor units. */
  items_difference: number;
  /** Those of the succeeded attempt, else of the latest; null before any attempt. */
  billing_details: {
    email: string;
    name: string;
    address: {
      line1: string;
      line2: string | null;
      city: string | null;
      state: string | null;
      postal_code: string;
      country: string;
    };
  } | null;
  /** Unix seconds. From 0. */
  created: number;
  /** Unix seconds. From 0. */
  succeeded_at: number | null;
  /** How the money becomes available; empty until the payment succeeds. */
  unlock_schedule: readonly {
    step: number;
    days: number | null;
    percent_bps: number;
    /** From 0. */
    available_at: number;
    amount: number;
    deducted: number;
    remaining: number;
    rescheduled: boolean;
  }[];
};

/** A payment in the answer to its creation, which alone has the client secret. */
export type CreatedPaymentIntent = PaymentIntent & {
  /** Prefix `lg_cs_`. Only for the browser of this payment's buyer. */
  client_secret: string;
};

/** A refund of a payment, or of a part of it. */
export type Refund = {
  /** Prefix `lg_re_`. */
  id: string;
  object: 'refund';
  /** `pending` and `processing` are in progress and reserve the amount; the others are final. */
  status: 'pending' | 'processing' | 'succeeded' | 'failed';
  /** What the buyer receives; minor units. 0 to 99,999,999. */
  amount: number;
  /** Charged to the merchant in addition to the amount, from the merchant's balance; minor units. 0 to 99,999,999. */
  refund_fee: number;
  /** Ours: not shown in the API description (contract 5.2). */
  currency: 'usd' | 'eur';
  /** The id of the payment. Ours: not shown in the API description (contract 5.2). */
  payment_intent: string;
  /** Unix seconds. Ours: not shown in the API description (contract 5.2). From 0. */
  created: number;
};

/** The fees of a payment that was not made. */
export type FeeQuote = {
  object: 'fee_quote';
  /** Before any fee the buyer pays; minor units. 0 to 99,999,999. */
  amount: number;
  currency: 'usd' | 'eur';
  /** Which party would pay the fees. */
  fee_bearer: 'merchant' | 'buyer';
  /** Minor units. 0 to 99,999,999. */
  processing_fee: number;
  /** Minor units. 0 to 99,999,999. */
  bank_fee: number;
  /** Both fees if the buyer bears them, else 0; minor units. 0 to 99,999,999. */
  fee_buyer: number;
  /** What the buyer would be charged; minor units. 0 to 99,999,999. */
  amount_total: number;
};

/** What the account can be paid out, and what is still locked, by currency. */
export type Balance = {
  object: 'balance';
  /** By currency; minor units. Can be negative after refunds. */
  available: readonly {
    amount: number;
    currency: 'usd' | 'eur';
  }[];
  /** What unlock steps still hold, by currency; minor units. */
  locked: readonly {
    amount: number;
    currency: 'usd' | 'eur';
  }[];
};

/** A public key that verifies webhooks. */
export type WebhookSigningKey = {
  /** Named by `kid` in `Service-Signature`. */
  kid: string;
  /** The public key (Ed25519), in PEM form. */
  public_key_pem: string;
};

/** An event about a payment. */
export type PaymentIntentEvent = {
  /** Prefix `evt_`. The same in every copy of the event. */
  id: string;
  object: 'event';
  type: 'payment_intent.succeeded';
  /** Unix seconds. */
  created: number;
  /** As it was when the event happened. Retrieve it for its current state. */
  data: {
    object: PaymentIntent;
  };
};

/** An event about a refund. */
export type RefundEvent = {
  /** Prefix `evt_`. The same in every copy of the event. */
  id: string;
  object: 'event';
  type: 'refund.succeeded' | 'refund.failed';
  /** Unix seconds. */
  created: number;
  /** As it was when the event happened. Retrieve it for its current state. */
  data: {
    object: Refund;
  };
};

/** The body that creates a payment. */
export type CreatePaymentIntent = {
  /** Before any fee the buyer pays; minor units. From 1. */
  amount: number;
  currency: 'usd' | 'eur';
  /** What the payment is for. Items describe the amount and never set it. 1 to 100 entries. */
  items: readonly {
    /** 1 to 500 characters. */
    name: string;
    /** Above 0, at most 1,000,000. */
    quantity: number;
    /** 0 to 99,999,999. */
    unit_amount: number;
  }[];
  /** Declared; minor units. 0 to 99,999,999. */
  shipping_amount?: number | undefined;
  /** Declared; minor units. 0 to 99,999,999. */
  tax_amount?: number | undefined;
  /** Declared; minor units. 0 to 99,999,999. */
  discount_amount?: number | undefined;
  /** `physical` if goods are shipped. */
  goods_type?: 'physical' | 'non_physical' | undefined;
  /** Required before the buyer pays. */
  buyer?: {
    /** 1 to 200 characters. */
    name: string;
  } | null | undefined;
  /** The merchant's own order number; required before the buyer pays. 1 to 100 characters. */
  order_reference?: string | null | undefined;
  /** Required before the buyer pays for physical goods. */
  shipping_details?: {
    /** 1 to 200 characters. */
    name: string;
    /** At most 40 characters. */
    phone?: string | null | undefined;
    address: {
      /** 1 to 200 characters. */
      line1: string;
      /** At most 200 characters. */
      line2?: string | null | undefined;
      /** At most 200 characters. */
      city?: string | null | undefined;
      /** At most 200 characters. */
      state?: string | null | undefined;
      /** At most 20 characters. */
      postal_code?: string | null | undefined;
      country: string;
    };
  } | null | undefined;
  /** Free text. At most 1,000 characters. */
  description?: string | null | undefined;
  /** Stored by the service and sent to no one else. Keys of at most 40 characters, values of at most 500 characters. */
  metadata?: Readonly<Record<string, string>> | null | undefined;
};

/** The body that changes a payment: fields that are left out stay. */
export type UpdatePaymentIntent = { [Field in keyof CreatePaymentIntent]?: CreatePaymentIntent[Field] | undefined };

/** The body that creates a refund. */
export type CreateRefund = {
  /** The id of the payment. Ours: not shown in the API description (contract 5.2). */
  payment_intent: string;
  /** What the buyer receives; everything refundable if left out; minor units. From 1. */
  amount?: number | undefined;
};

/** The body that asks for fees. */
export type CreateFeeQuote = {
  /** Before any fee the buyer pays; minor units. From 1. */
  amount: number;
  currency: 'usd' | 'eur';
};

/** The query of a list. */
export type ListPaymentIntentsQuery = {
  /** The largest number of objects. 1 to 100; 20 if left out. */
  limit?: number | undefined;
  /** The id of the last object of the previous page. */
  starting_after?: string | undefined;
  /** Only payments of this order. */
  order_reference?: string | undefined;
};

/** The query of a list. */
export type ListRefundsQuery = {
  /** The largest number of objects. 1 to 100; 20 if left out. */
  limit?: number | undefined;
  /** The id of the last object of the previous page. */
  starting_after?: string | undefined;
  /** Only refunds of this payment. */
  payment_intent?: string | undefined;
};
