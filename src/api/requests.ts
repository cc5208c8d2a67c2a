/** The bodies of requests to the service. They are strict: unknown fields are refused (contract S1). */
import * as z from 'zod/mini';
import * as LIMITS from './limits.ts';
import { Currency } from './schemas.ts';

const upTo = (length: number) => z.string().check(z.maxLength(length));
const between = (least: number, length: number) => z.string().check(z.minLength(least), z.maxLength(length));
/** May be missing or null; both mean "none". */
const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));
const declaredAmount = z.int().check(z.nonnegative(), z.maximum(LIMITS.largestAmount));
/** The format of ISO 3166-1 alpha-2. Whether the country exists is checked where the list of countries is. */
const country = z.string().check(z.regex(/^[A-Z]{2}$/, 'two letters in capitals, such as US'));

const atMostThreeDecimals = z.refine<number>((value) => Number(value.toFixed(3)) === value, {
  error: 'a number with at most 3 decimals',
});

export const ItemInput = z.strictObject({
  name: between(1, LIMITS.itemName),
  quantity: z.number().check(z.gt(0), z.maximum(LIMITS.quantity), atMostThreeDecimals),
  unit_amount: declaredAmount,
});
export type ItemInput = z.infer<typeof ItemInput>;

export const ShippingDetailsInput = z.strictObject({
  name: between(1, LIMITS.addressLine),
  phone: optional(upTo(LIMITS.phone)),
  address: z.strictObject({
    line1: between(1, LIMITS.addressLine),
    line2: optional(upTo(LIMITS.addressLine)),
    city: optional(upTo(LIMITS.addressLine)),
    state: optional(upTo(LIMITS.addressLine)),
    postal_code: optional(upTo(LIMITS.postalCode)),
    country,
  }),
});
export type ShippingDetailsInput = z.infer<typeof ShippingDetailsInput>;

export const Metadata = z.record(upTo(LIMITS.metadataKey), upTo(LIMITS.metadataValue)).check(
  z.refine((value) => Object.keys(value).length <= LIMITS.metadataKeys, {
    error: `a map of at most ${LIMITS.metadataKeys} keys`,
  }),
);

const changeable = {
  shipping_amount: z.optional(declaredAmount),
  tax_amount: z.optional(declaredAmount),
  discount_amount: z.optional(declaredAmount),
  goods_type: z.optional(z.enum(['physical', 'non_physical'])),
  buyer: optional(z.strictObject({ name: between(1, LIMITS.buyerName) })),
  order_reference: optional(between(1, LIMITS.orderReference)),
  shipping_details: optional(ShippingDetailsInput),
  description: optional(upTo(LIMITS.description)),
  metadata: optional(Metadata),
};
const amount = z.int().check(z.positive());
const items = z.array(ItemInput).check(z.minLength(1), z.maxLength(LIMITS.items));

/** `POST /partner/v1/payment_intents` (contract S7). Amounts in minor units. */
export const CreatePaymentIntent = z.strictObject({ amount, currency: Currency, items, ...changeable });
export type CreatePaymentIntent = z.infer<typeof CreatePaymentIntent>;

/** Changes an intent (contract S8.3). Ours where not shown: contract 5.1. */
export const UpdatePaymentIntent = z.strictObject({
  amount: z.optional(amount),
  currency: z.optional(Currency),
  items: z.optional(items),
  ...changeable,
});
export type UpdatePaymentIntent = z.infer<typeof UpdatePaymentIntent>;

/** Ours: the field that names the payment is not shown in the API description (contract 5.2). */
export const CreateRefund = z.strictObject({ payment_intent: z.string(), amount: z.optional(amount) });
export type CreateRefund = z.infer<typeof CreateRefund>;

/** Ours: not shown in the API description (contract 5.3). */
export const CreateFeeQuote = z.strictObject({ amount, currency: Currency });
export type CreateFeeQuote = z.infer<typeof CreateFeeQuote>;

const clientSecret = z.string().check(z.minLength(1), z.maxLength(200));

/** Body of the client routes retrieve and release. Ours: not shown (contract 3.1, 3.3). */
export const ClientRequest = z.strictObject({ client_secret: clientSecret });
export type ClientRequest = z.infer<typeof ClientRequest>;

/** The card of one attempt. `number` and `cvc` are digits, `exp_year` has four. */
export const CardDetails = z.strictObject({
  number: z.string().check(z.regex(/^\d{12,19}$/)),
  exp_month: z.int().check(z.minimum(1), z.maximum(12)),
  exp_year: z.int().check(z.minimum(1000), z.maximum(9999)),
  cvc: z.string().check(z.regex(/^\d{3,4}$/)),
});
export type CardDetails = z.infer<typeof CardDetails>;

const orNull = (length: number) => z.nullable(upTo(length));

/** Optional address keys are null, never missing (contract 3.2). */
export const BillingDetailsInput = z.strictObject({
  email: between(3, LIMITS.email),
  name: between(1, LIMITS.addressLine),
  address: z.strictObject({
    line1: between(1, LIMITS.addressLine),
    line2: orNull(LIMITS.addressLine),
    city: orNull(LIMITS.addressLine),
    state: orNull(LIMITS.addressLine),
    postal_code: upTo(LIMITS.postalCode),
    country,
  }),
});
export type BillingDetailsInput = z.infer<typeof BillingDetailsInput>;

/**
 * The payment attempt. `amount_total` (minor units) and `currency` are those on the button when it was pressed; the
 * service compares them. Ours: not shown in the API description (contract 3.2).
 */
export const ConfirmRequest = z.strictObject({
  client_secret: clientSecret,
  amount_total: z.int().check(z.positive(), z.maximum(LIMITS.largestAmount)),
  currency: Currency,
  card: CardDetails,
  billing_details: BillingDetailsInput,
});
export type ConfirmRequest = z.infer<typeof ConfirmRequest>;
