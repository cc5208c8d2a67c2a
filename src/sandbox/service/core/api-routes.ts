/**
 * Every route of the service, by its name in the request log, the rate limits and the faults. `src/sandbox/service/http`
 * registers the routes from these tables, and `openapi.json`, `docs/api.md` and `src/merchant/server/api-types.ts` are
 * generated from them.
 */
import type * as z from 'zod/mini';
import type { ErrorCode } from '../../../api/errors.ts';
import {
  ClientRequest,
  ConfirmRequest,
  CreateFeeQuote,
  CreatePaymentIntent,
  CreateRefund,
  UpdatePaymentIntent,
} from '../../../api/requests.ts';
import { CLIENT_ROUTES, type ClientRoute, clientRoutes, SERVER_ROUTES } from '../../../api/routes.ts';

/** A query parameter: an integer with limits, or a string. */
export type QueryParameter = { about: string } & (
  | { kind: 'integer'; least: number; most: number; standard: number }
  | { kind: 'text'; longest: number | null }
);

/** The response objects, by their names in the document. */
export type ResponseObject =
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
  /** The rule of docs/contract.md for this route, if the API description does not show it. */
  ours: string | null;
  key: 'secret' | 'publishable';
  idempotent: boolean;
  query: Readonly<Record<string, QueryParameter>>;
  body: { name: string; schema: z.ZodMiniType } | null;
  response: ResponseObject;
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
  limit: { about: 'The largest number of objects.', kind: 'integer', least: 1, most: 100, standard: 20 },
  starting_after: {
    about: 'The id of the last object of the previous page.',
    kind: 'text',
    longest: null,
  },
};

const server = (
  route: Pick<ApiRoute, 'id' | 'method' | 'path' | 'about' | 'response' | 'codes'> & Partial<ApiRoute>,
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
  ...server({ id, method: 'post', path, about, response: 'ClientPaymentIntent', codes: [] }),
  key: 'publishable',
  ours,
  body,
  codes: [...EVERYWHERE, 'not_found', 'invalid_client_secret', 'payment_intent_not_found', ...codes],
});

/** The merchant server's routes. */
export const SERVER_API = {
  'payment_intents.create': server({
    id: 'createPaymentIntent',
    method: 'post',
    path: SERVER_ROUTES.paymentIntents,
    about:
      'Creates a request for one buyer to pay, priced with the current fees. The only response with the client secret.',
    idempotent: true,
    body: { name: 'CreatePaymentIntent', schema: CreatePaymentIntent },
    response: 'CreatedPaymentIntent',
    codes: [...PRICED, ...DETAILED, ...ACCOUNT, 'idempotency_key_reused', 'provider_error'],
  }),
  'payment_intents.list': server({
    id: 'listPaymentIntents',
    method: 'get',
    path: SERVER_ROUTES.paymentIntents,
    about: 'The payments of the account, newest first.',
    query: {
      ...PAGE,
      order_reference: { about: 'Only payments of this order.', kind: 'text', longest: 100 },
    },
    response: 'PaymentIntentList',
    codes: [],
  }),
  'payment_intents.retrieve': server({
    id: 'retrievePaymentIntent',
    method: 'get',
    path: SERVER_ROUTES.paymentIntent,
    about: 'The current state of a payment.',
    response: 'PaymentIntent',
    codes: ['payment_intent_not_found'],
  }),
  'payment_intents.update': server({
    id: 'updatePaymentIntent',
    method: 'post',
    path: SERVER_ROUTES.paymentIntent,
    about:
      'Changes the given fields of a pending payment. `items` replaces the whole list and must be sent again when the currency changes. Takes no Idempotency-Key.',
    ours: 'contract 5.1 (method and path)',
    body: { name: 'UpdatePaymentIntent', schema: UpdatePaymentIntent },
    response: 'PaymentIntent',
    codes: [...PRICED, ...DETAILED, 'payment_intent_not_found', 'payment_intent_not_pending'],
  }),
  'refunds.create': server({
    id: 'createRefund',
    method: 'post',
    path: SERVER_ROUTES.refunds,
    about: 'Refunds a payment; without an amount everything refundable. Fees are never refunded.',
    ours: 'contract 5.2 (the field that names the payment, and most of the record)',
    idempotent: true,
    body: { name: 'CreateRefund', schema: CreateRefund },
    response: 'Refund',
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
  'refunds.list': server({
    id: 'listRefunds',
    method: 'get',
    path: SERVER_ROUTES.refunds,
    about: 'The refunds of the account, newest first.',
    ours: 'contract 5.2',
    query: {
      ...PAGE,
      payment_intent: { about: 'Only refunds of this payment.', kind: 'text', longest: null },
    },
    response: 'RefundList',
    codes: ['payment_intent_not_found'],
  }),
  'refunds.retrieve': server({
    id: 'retrieveRefund',
    method: 'get',
    path: SERVER_ROUTES.refund,
    about: 'The current state of a refund.',
    ours: 'contract 5.2',
    response: 'Refund',
    codes: ['refund_not_found'],
  }),
  'fee_quotes.create': server({
    id: 'createFeeQuote',
    method: 'post',
    path: SERVER_ROUTES.feeQuotes,
    about: 'The fees of a payment of this amount. Creates nothing.',
    ours: 'contract 5.3',
    body: { name: 'CreateFeeQuote', schema: CreateFeeQuote },
    response: 'FeeQuote',
    codes: PRICED,
  }),
  'balance.retrieve': server({
    id: 'retrieveBalance',
    method: 'get',
    path: SERVER_ROUTES.balance,
    about: 'The available and the locked balance of the account.',
    ours: 'contract 5.4',
    response: 'Balance',
    codes: [],
  }),
  'webhook_signing_keys.list': server({
    id: 'listWebhookSigningKeys',
    method: 'get',
    path: SERVER_ROUTES.webhookSigningKeys,
    about: 'The public keys that verify webhooks. The first one is the key that signs now.',
    ours: 'contract 5.5',
    response: 'WebhookSigningKeyList',
    codes: [],
  }),
};

/** A route of the browser. */
export type BrowserRoute = `client.${ClientRoute}`;

const CLIENT_API: Readonly<Record<BrowserRoute, ApiRoute>> = {
  'client.retrieve': client(
    'clientRetrieve',
    CLIENT_ROUTES.retrieve,
    { name: 'ClientRequest', schema: ClientRequest },
    'The payment of the client secret, with the fields that a browser may see. Changes nothing.',
    'contract 3.1',
    [],
  ),
  'client.confirm': client(
    'clientConfirm',
    CLIENT_ROUTES.confirm,
    { name: 'ConfirmRequest', schema: ConfirmRequest },
    'The payment attempt. Total and currency are those the pay button showed; if they differ from the payment, nothing is charged. Takes no Idempotency-Key: after a timeout, retrieve the payment first.',
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
  'client.release': client(
    'clientRelease',
    CLIENT_ROUTES.release,
    { name: 'ClientRequest', schema: ClientRequest },
    'Ends a failed attempt, so that the buyer can try again. Can be repeated.',
    'contract 3.3',
    ['payment_intent_not_pending'],
  ),
};

export const API_ROUTES: readonly ApiRoute[] = [...Object.values(SERVER_API), ...Object.values(CLIENT_API)];

export const BROWSER_ROUTES: readonly BrowserRoute[] = clientRoutes().map(
  (route) => `client.${route}` as const,
);

export type MerchantRoute = keyof typeof SERVER_API;
const isMerchantRoute = (name: string): name is MerchantRoute => Object.hasOwn(SERVER_API, name);
export const MERCHANT_ROUTES: readonly MerchantRoute[] = Object.keys(SERVER_API).filter(isMerchantRoute);

export type RouteName = BrowserRoute | MerchantRoute | 'unknown';
