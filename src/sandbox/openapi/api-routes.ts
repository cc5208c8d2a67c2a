/**
 * Every route of the service as data: what it takes, what it answers and how it refuses. `openapi.json` is written
 * from this table, and every answer of the sandbox's tests is held to it.
 */
import type * as z from 'zod/mini';
import type { ErrorCode } from '../../api/errors.ts';
import {
  ClientRequest,
  ConfirmRequest,
  CreateFeeQuote,
  CreatePaymentIntent,
  CreateRefund,
  UpdatePaymentIntent,
} from '../../api/requests.ts';
import { CLIENT_ROUTES, SERVER_ROUTES } from '../../api/routes.ts';

/** A query parameter: digits between two numbers, or a text. */
export type QueryParameter = { about: string } & (
  | { kind: 'integer'; least: number; most: number; standard: number }
  | { kind: 'text'; longest: number | null }
);

/** The objects that are answered, by the names they have in the document. */
export type Answered =
  | 'PaymentIntent'
  | 'CreatedPaymentIntent'
  | 'PaymentIntentList'
  | 'Refund'
  | 'RefundList'
  | 'FeeQuote'
  | 'Balance'
  | 'WebhookSigningKeyList'
  | 'ClientPaymentIntent';

export type ApiRoute = {
  id: string;
  method: 'get' | 'post';
  /** As in `src/api/routes.ts`, with `:id`. */
  path: string;
  about: string;
  /** Where the description is silent: the rule of the contract that was chosen. */
  ours: string | null;
  key: 'secret' | 'publishable';
  idempotent: boolean;
  query: Readonly<Record<string, QueryParameter>>;
  body: { name: string; schema: z.ZodMiniType } | null;
  answers: Answered;
  codes: readonly ErrorCode[];
};

const EVERYWHERE = [
  'validation_error',
  'invalid_api_key',
  'api_key_revoked',
  'rate_limited',
  'internal_error',
] as const;

const PRICED = [
  'invalid_amount',
  'amount_too_small',
  'amount_too_large',
  'unsupported_currency',
  'fee_plan_not_configured',
] as const;

const DETAILED = ['invalid_payment_details', 'non_physical_goods_not_allowed'] as const;
const ACCOUNT = ['merchant_suspended', 'merchant_not_approved'] as const;

const PAGE: ApiRoute['query'] = {
  limit: { about: 'How many, at most.', kind: 'integer', least: 1, most: 100, standard: 20 },
  starting_after: {
    about: 'The id of the last object of the page before.',
    kind: 'text',
    longest: null,
  },
};

const server = (
  route: Pick<ApiRoute, 'id' | 'method' | 'path' | 'about' | 'answers' | 'codes'> & Partial<ApiRoute>,
): ApiRoute => ({
  ours: null,
  key: 'secret',
  idempotent: false,
  query: {},
  body: null,
  ...route,
  codes: [...EVERYWHERE, ...route.codes],
});

const client = (
  id: string,
  path: string,
  body: NonNullable<ApiRoute['body']>,
  about: string,
  ours: string,
  codes: readonly ErrorCode[],
): ApiRoute => ({
  ...server({ id, method: 'post', path, about, answers: 'ClientPaymentIntent', codes: [] }),
  key: 'publishable',
  ours,
  body,
  codes: [...EVERYWHERE, 'not_found', 'invalid_client_secret', 'payment_intent_not_found', ...codes],
});

export const API_ROUTES: readonly ApiRoute[] = [
  server({
    id: 'createPaymentIntent',
    method: 'post',
    path: SERVER_ROUTES.paymentIntents,
    about:
      'Makes a request for one buyer to pay, priced with the fees of now. The only answer with the client secret.',
    idempotent: true,
    body: { name: 'CreatePaymentIntent', schema: CreatePaymentIntent },
    answers: 'CreatedPaymentIntent',
    codes: [...PRICED, ...DETAILED, ...ACCOUNT, 'idempotency_key_reused', 'provider_error'],
  }),
  server({
    id: 'listPaymentIntents',
    method: 'get',
    path: SERVER_ROUTES.paymentIntents,
    about: 'Payments of the account, the newest first.',
    query: {
      ...PAGE,
      order_reference: { about: 'Only those of this order.', kind: 'text', longest: 100 },
    },
    answers: 'PaymentIntentList',
    codes: [],
  }),
  server({
    id: 'retrievePaymentIntent',
    method: 'get',
    path: SERVER_ROUTES.paymentIntent,
    about: 'A payment as it stands now.',
    answers: 'PaymentIntent',
    codes: ['payment_intent_not_found'],
  }),
  server({
    id: 'updatePaymentIntent',
    method: 'post',
    path: SERVER_ROUTES.paymentIntent,
    about:
      'Changes a pending payment; what is left out stays. `items` replaces the whole list and is sent again when the currency changes. Takes no Idempotency-Key.',
    ours: 'contract 5.1 (method and path)',
    body: { name: 'UpdatePaymentIntent', schema: UpdatePaymentIntent },
    answers: 'PaymentIntent',
    codes: [...PRICED, ...DETAILED, 'payment_intent_not_found', 'payment_intent_not_pending'],
  }),
  server({
    id: 'createRefund',
    method: 'post',
    path: SERVER_ROUTES.refunds,
    about:
      'Gives money of a payment back; without an amount everything that can be. Fees are never refunded.',
    ours: 'contract 5.2 (the field that names the payment, and most of the record)',
    idempotent: true,
    body: { name: 'CreateRefund', schema: CreateRefund },
    answers: 'Refund',
    codes: [
      'invalid_amount',
      'payment_not_refundable',
      'refund_exceeds_remaining',
      'payment_intent_not_found',
      'idempotency_key_reused',
      'fee_plan_not_configured',
      'provider_error',
    ],
  }),
  server({
    id: 'listRefunds',
    method: 'get',
    path: SERVER_ROUTES.refunds,
    about: 'Refunds of the account, the newest first.',
    ours: 'contract 5.2',
    query: { ...PAGE, payment_intent: { about: 'Only those of this payment.', kind: 'text', longest: null } },
    answers: 'RefundList',
    codes: ['payment_intent_not_found'],
  }),
  server({
    id: 'retrieveRefund',
    method: 'get',
    path: SERVER_ROUTES.refund,
    about: 'A refund as it stands now.',
    ours: 'contract 5.2',
    answers: 'Refund',
    codes: ['refund_not_found'],
  }),
  server({
    id: 'createFeeQuote',
    method: 'post',
    path: SERVER_ROUTES.feeQuotes,
    about: 'What a payment of this amount would cost; makes nothing.',
    ours: 'contract 5.3',
    body: { name: 'CreateFeeQuote', schema: CreateFeeQuote },
    answers: 'FeeQuote',
    codes: PRICED,
  }),
  server({
    id: 'retrieveBalance',
    method: 'get',
    path: SERVER_ROUTES.balance,
    about: 'What the account can use, and what is still locked.',
    ours: 'contract 5.4',
    answers: 'Balance',
    codes: [],
  }),
  server({
    id: 'listWebhookSigningKeys',
    method: 'get',
    path: SERVER_ROUTES.webhookSigningKeys,
    about: 'The public keys that verify webhooks, the one that signs now first.',
    ours: 'contract 5.5',
    answers: 'WebhookSigningKeyList',
    codes: [],
  }),
  client(
    'clientRetrieve',
    CLIENT_ROUTES.retrieve,
    { name: 'ClientRequest', schema: ClientRequest },
    'The payment that the client secret names, as a browser may see it. Changes nothing.',
    'contract 3.1',
    [],
  ),
  client(
    'clientConfirm',
    CLIENT_ROUTES.confirm,
    { name: 'ConfirmRequest', schema: ConfirmRequest },
    'The payment attempt. The total and the currency are what the pressed button showed: where they differ from the payment, nothing is charged. Takes no Idempotency-Key: after silence the payment is retrieved.',
    'contract 3.2',
    [
      'invalid_billing_details',
      'payment_details_missing',
      'payment_intent_not_pending',
      'payment_intent_updated',
      'payment_method_declined',
      'payment_failed',
      'provider_error',
      ...ACCOUNT,
    ],
  ),
  client(
    'clientRelease',
    CLIENT_ROUTES.release,
    { name: 'ClientRequest', schema: ClientRequest },
    'Ends a failed attempt, so that the buyer can try again. May be repeated.',
    'contract 3.3',
    ['payment_intent_not_pending'],
  ),
];
