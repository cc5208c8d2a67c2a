/**
 * The service's response objects as JSON Schema, derived from the schemas with which `src/api` reads responses. Those
 * schemas tolerate what a later service may add; the document is exact.
 */
import * as z from 'zod/mini';
import { HTTP_STATUS } from '../../../api/errors.ts';
import {
  Balance,
  ClientPaymentIntent,
  ErrorBody,
  FeeQuote,
  PaymentIntent,
  Refund,
  WebhookSigningKey,
} from '../../../api/schemas.ts';
import { EVENT_TYPES, type EventType } from '../store/records.ts';
import { asObject, type JsonSchema } from './json-schema.ts';

const STATUS = { enum: ['pending', 'processing', 'succeeded', 'canceled'] };

/** The description of each field, by object and field, with its unit. */
const MEANING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PaymentIntent: {
    id: 'Prefix `lg_pi_`.',
    status: '`succeeded` and `canceled` are final.',
    amount: 'Before any fee the buyer pays; minor units.',
    fee_buyer: 'Both fees if the buyer bears them, else 0; minor units.',
    amount_total: 'What the buyer is charged and must be shown before paying; minor units.',
    processing_fee: 'The processing fee, whichever party bears it; minor units.',
    bank_fee: 'The bank fee, borne by the same party as the processing fee; minor units.',
    fee_bearer: 'Which party pays the fees.',
    amount_refunded: 'Refunds in flight included; minor units.',
    amount_refundable: '0 unless the payment has succeeded; minor units.',
    confirmation_attempts: 'Payment attempts so far; their number is limited.',
    description: 'Free text.',
    metadata: 'Stored by the service and sent to no one else.',
    order_reference: "The merchant's own order number; required before the buyer pays.",
    goods_type: '`physical` if goods are shipped.',
    buyer: 'Required before the buyer pays.',
    shipping_details: 'Required before the buyer pays for physical goods.',
    items: 'What the payment is for. Items describe the amount and never set it.',
    shipping_amount: 'Declared; minor units.',
    tax_amount: 'Declared; minor units.',
    discount_amount: 'Declared; minor units.',
    items_difference: '`amount` minus the sum of the declared figures; minor units.',
    billing_details: 'Those of the succeeded attempt, else of the latest; null before any attempt.',
    client_secret: "Prefix `lg_cs_`. Only for the browser of this payment's buyer.",
    created: 'Unix seconds.',
    succeeded_at: 'Unix seconds.',
    unlock_schedule: 'How the money becomes available; empty until the payment succeeds.',
    attempts_left:
      'How many more payment attempts are accepted. Ours: not shown in the API description (contract 3.5).',
    attempt_in_progress:
      'Whether a payment attempt is running, of any tab or browser. Ours: not shown in the API description (contract 4.6).',
    missing_details:
      'Names of the fields that only the merchant can add and without which confirm answers `payment_details_missing`; never their values. Ours: not shown in the API description (contract 3.5).',
    last_payment_error:
      'The error of the latest failed attempt, until it is released. Ours: not shown in the API description (contract 3.6).',
  },
  Refund: {
    id: 'Prefix `lg_re_`.',
    amount: 'What the buyer receives; minor units.',
    refund_fee:
      "Charged to the merchant in addition to the amount, from the merchant's balance; minor units.",
    currency: 'Ours: not shown in the API description (contract 5.2).',
    payment_intent: 'The id of the payment. Ours: not shown in the API description (contract 5.2).',
    created: 'Unix seconds. Ours: not shown in the API description (contract 5.2).',
    status: '`pending` and `processing` are in progress and reserve the amount; the others are final.',
  },
  CreateRefund: {
    payment_intent: 'The id of the payment. Ours: not shown in the API description (contract 5.2).',
    amount: 'What the buyer receives; everything refundable if left out; minor units.',
  },
  FeeQuote: {
    amount: 'Before any fee the buyer pays; minor units.',
    fee_bearer: 'Which party would pay the fees.',
    processing_fee: 'Minor units.',
    bank_fee: 'Minor units.',
    fee_buyer: 'Both fees if the buyer bears them, else 0; minor units.',
    amount_total: 'What the buyer would be charged; minor units.',
  },
  Balance: {
    available: 'By currency; minor units. Can be negative after refunds.',
    locked: 'What unlock steps still hold, by currency; minor units.',
  },
  WebhookSigningKey: {
    kid: 'Named by `kid` in `Service-Signature`.',
    public_key_pem: 'The public key (Ed25519), in PEM form.',
  },
  Error: {
    type: 'The category, which decides the HTTP status.',
    code: 'The specific code.',
    message: 'English text for people. Not to be compared.',
    param: 'The field at fault, if any, such as `items[0].quantity`.',
    decline_code: 'Why the card was declined, if known.',
  },
};

/** The type of object in each event. */
const OBJECT_OF_EVENT: Readonly<Record<EventType, 'PaymentIntent' | 'Refund'>> = {
  'payment_intent.succeeded': 'PaymentIntent',
  'refund.succeeded': 'Refund',
  'refund.failed': 'Refund',
};

/** Returns the name of the envelope for this type of event. */
export const eventObject = (type: EventType): string => `${OBJECT_OF_EVENT[type]}Event`;

const envelope = (object: 'PaymentIntent' | 'Refund'): JsonSchema => ({
  type: 'object',
  properties: {
    id: { ...withPrefix('evt_'), description: 'Prefix `evt_`. The same in every copy of the event.' },
    object: { const: 'event' },
    type: { enum: EVENT_TYPES.filter((type) => OBJECT_OF_EVENT[type] === object) },
    created: { type: 'integer', description: 'Unix seconds.' },
    data: {
      type: 'object',
      description: 'As it was when the event happened. Retrieve it for its current state.',
      properties: { object: ref(object) },
      required: ['object'],
    },
  },
  required: ['id', 'object', 'type', 'created', 'data'],
});

/** The bodies whose fields have the same meaning as an object's. */
const FIELDS_OF: Readonly<Record<string, string>> = {
  CreatePaymentIntent: 'PaymentIntent',
  UpdatePaymentIntent: 'PaymentIntent',
  CreateFeeQuote: 'PaymentIntent',
};

/** Adds the description of each field to a body. */
export const described = (name: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(asObject(schema.properties)).map(([field, value]) => {
      const description = MEANING[FIELDS_OF[name] ?? name]?.[field];
      return [field, description === undefined ? value : { ...asObject(value), description }];
    }),
  ),
});

/**
 * Converts a schema of `src/api` to the JSON Schema of what the service sends: all fields are required, except
 * `optional`.
 */
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

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const listOf = (name: string): JsonSchema => ({
  type: 'object',
  description: 'A page of objects, newest first.',
  properties: {
    object: { const: 'list' },
    data: { type: 'array', items: ref(name) },
    has_more: { type: 'boolean', description: 'Whether more objects follow.' },
  },
  required: ['object', 'data', 'has_more'],
});

const withPrefix = (prefix: string): JsonSchema => ({ type: 'string', pattern: `^${prefix}` });

const serverFields = {
  id: withPrefix('lg_pi_'),
  status: STATUS,
  // 100 items of the largest quantity and price exceed JavaScript's largest safe integer.
  items_difference: { type: 'number', multipleOf: 1 },
};
const { client_secret: _, ...withoutSecret } = PaymentIntent.shape;
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** Returns all objects in responses, by name. */
export const apiObjects = (): Record<string, JsonSchema> => ({
  PaymentIntent: sent(z.object(withoutSecret), 'PaymentIntent', serverFields),
  CreatedPaymentIntent: sent(PaymentIntent, 'PaymentIntent', {
    ...serverFields,
    client_secret: withPrefix('lg_cs_'),
  }),
  PaymentIntentList: listOf('PaymentIntent'),
  ClientPaymentIntent: sent(
    ClientPaymentIntent,
    'PaymentIntent',
    {
      ...serverFields,
      confirmation_attempts: { type: 'integer', minimum: 0 },
      attempts_left: { type: 'integer', minimum: 0 },
      attempt_in_progress: { type: 'boolean' },
      missing_details: { type: 'array', items: { type: 'string', minLength: 1 } },
      items: asObject(
        asObject(
          asObject(JSON.parse(JSON.stringify(z.toJSONSchema(PaymentIntent, { io: 'input' })))).properties,
        ).items,
      ),
      last_payment_error: orNull(ref('ErrorRecord')),
    },
    ['attempts_left', 'attempt_in_progress', 'missing_details'],
  ),
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
  PaymentIntentEvent: envelope('PaymentIntent'),
  RefundEvent: envelope('Refund'),
  Event: { anyOf: [ref('PaymentIntentEvent'), ref('RefundEvent')] },
});
