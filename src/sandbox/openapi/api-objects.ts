/**
 * What the service answers, as JSON Schema: made of the schemas that `src/api` reads answers with, and said as
 * exactly as the description says it. A reader is tolerant of what a later service may add; a document is not.
 */
import * as z from 'zod/mini';
import { HTTP_STATUS } from '../../api/errors.ts';
import {
  Balance,
  ClientPaymentIntent,
  ErrorBody,
  FeeQuote,
  PaymentIntent,
  Refund,
  WebhookSigningKey,
} from '../../api/schemas.ts';
import { EVENT_TYPES } from '../store/records.ts';

/** A JSON Schema, as JSON. */
export type JsonSchema = { [key: string]: unknown };

const STATUS = { enum: ['pending', 'processing', 'succeeded', 'canceled'] };

/** What a field is, by object and field; short, and in units. */
const MEANING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PaymentIntent: {
    id: 'Prefix `lg_pi_`.',
    status: '`succeeded` and `canceled` are final.',
    amount: 'Before any fee of the buyer; minor units.',
    fee_buyer: 'Both fees where the buyer bears them, else 0; minor units.',
    amount_total: 'What the buyer is charged and must be shown before paying; minor units.',
    processing_fee: 'Whoever bears it; minor units.',
    bank_fee: 'Borne by whoever bears the processing fee; minor units.',
    fee_bearer: 'Who pays the fees.',
    amount_refunded: 'Refunds in flight included; minor units.',
    amount_refundable: '0 unless the payment has succeeded; minor units.',
    confirmation_attempts: 'Payment attempts up to now; a limited number is allowed.',
    description: 'Free text.',
    metadata: 'Kept by the service alone and sent to nobody else.',
    order_reference: "The merchant's own number; needed before the buyer pays.",
    goods_type: 'Whether something is shipped.',
    buyer: 'Needed before the buyer pays.',
    shipping_details: 'Needed before the buyer pays for physical goods.',
    items: 'What is paid for; describes the amount and never sets it.',
    shipping_amount: 'Declared; minor units.',
    tax_amount: 'Declared; minor units.',
    discount_amount: 'Declared; minor units.',
    items_difference: 'What the declared figures leave unexplained of the amount; minor units.',
    billing_details: "The succeeded attempt's, else the latest one's; null before any attempt.",
    client_secret: 'Prefix `lg_cs_`. For the browser of this one buyer.',
    created: 'Unix seconds.',
    succeeded_at: 'Unix seconds.',
    unlock_schedule: 'How the money becomes available; empty until the payment succeeds.',
    last_payment_error:
      'The error of the latest failed attempt until it is released. Ours: not shown in the API description (contract 3.6).',
  },
  Refund: {
    id: 'Prefix `lg_re_`.',
    amount: 'What the buyer receives; minor units.',
    refund_fee: "Charged to the merchant beside the amount, from the merchant's balance; minor units.",
    currency: 'Ours: not shown in the API description (contract 5.2).',
    payment_intent: 'The id of the payment. Ours: not shown in the API description (contract 5.2).',
    created: 'Unix seconds. Ours: not shown in the API description (contract 5.2).',
  },
  Error: {
    type: 'The category; the HTTP status follows from it.',
    code: 'What went wrong.',
    message: 'English, for people; never to be compared.',
    param: 'The field at fault, if there is one, such as `items[0].quantity`.',
    decline_code: 'Why a card was declined, where it is known.',
  },
};

/** A schema of `src/api` as the JSON Schema of what is sent: every field, and none but these. */
const sent = (
  schema: z.ZodMiniType,
  name: string,
  more: Readonly<Record<string, JsonSchema>> = {},
  optional: readonly string[] = [],
): JsonSchema => {
  const {
    $schema: _,
    properties,
    ...rest
  } = asObject(JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))));
  const fields = Object.entries({ ...asObject(properties), ...more }).map(([field, value]) => {
    const { default: _, ...own } = asObject(value);
    const description = MEANING[name]?.[field];
    return [field, description === undefined ? own : { ...own, description }] as const;
  });
  return {
    ...rest,
    properties: Object.fromEntries(fields),
    required: fields.map(([field]) => field).filter((field) => !optional.includes(field)),
  };
};

const asObject = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const listOf = (name: string): JsonSchema => ({
  type: 'object',
  description: 'A page, the newest first.',
  properties: {
    object: { const: 'list' },
    data: { type: 'array', items: ref(name) },
    has_more: { type: 'boolean', description: 'Whether more follow.' },
  },
  required: ['object', 'data', 'has_more'],
});

const withPrefix = (prefix: string): JsonSchema => ({ type: 'string', pattern: `^${prefix}` });

const serverFields = {
  id: withPrefix('lg_pi_'),
  status: STATUS,
  // A hundred lines of a million of the dearest things come to more than an exact integer of a program.
  items_difference: { type: 'number', multipleOf: 1 },
};
const { client_secret: _, ...withoutSecret } = PaymentIntent.shape;
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** Every object of an answer, by name. */
export const apiObjects = (): Record<string, JsonSchema> => ({
  PaymentIntent: sent(z.object(withoutSecret), 'PaymentIntent', serverFields),
  CreatedPaymentIntent: sent(PaymentIntent, 'PaymentIntent', {
    ...serverFields,
    client_secret: withPrefix('lg_cs_'),
  }),
  PaymentIntentList: listOf('PaymentIntent'),
  ClientPaymentIntent: sent(ClientPaymentIntent, 'PaymentIntent', {
    ...serverFields,
    confirmation_attempts: { type: 'integer', minimum: 0 },
    items: asObject(
      asObject(
        asObject(JSON.parse(JSON.stringify(z.toJSONSchema(PaymentIntent, { io: 'input' })))).properties,
      ).items,
    ),
    last_payment_error: orNull(ref('ErrorRecord')),
  }),
  Refund: sent(Refund, 'Refund', {
    id: withPrefix('lg_re_'),
    status: { enum: ['pending', 'processing', 'succeeded', 'failed'] },
  }),
  RefundList: listOf('Refund'),
  FeeQuote: sent(FeeQuote, 'FeeQuote'),
  Balance: sent(Balance, 'Balance'),
  WebhookSigningKey: sent(WebhookSigningKey, 'WebhookSigningKey'),
  WebhookSigningKeyList: listOf('WebhookSigningKey'),
  ErrorRecord: sent(
    ErrorBody.shape.error,
    'Error',
    {
      type: {
        enum: [
          'invalid_request_error',
          'authentication_error',
          'card_error',
          'rate_limit_error',
          'api_error',
        ],
      },
      code: { enum: Object.keys(HTTP_STATUS) },
      message: { type: 'string', minLength: 1 },
    },
    ['param', 'decline_code'],
  ),
  Error: { type: 'object', properties: { error: ref('ErrorRecord') }, required: ['error'] },
  Event: {
    type: 'object',
    properties: {
      id: withPrefix('evt_'),
      object: { const: 'event' },
      type: { enum: [...EVENT_TYPES] },
      created: { type: 'integer', description: 'Unix seconds.' },
      data: {
        type: 'object',
        properties: { object: { anyOf: [ref('PaymentIntent'), ref('Refund')] } },
        required: ['object'],
      },
    },
    required: ['id', 'object', 'type', 'created', 'data'],
  },
});
