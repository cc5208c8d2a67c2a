/**
 * For a merchant's server: the service's routes as functions, and webhook signature verification. It needs only `fetch`
 * and WebCrypto, and no other package.
 */
export type {
  Balance,
  CreatedPaymentIntent,
  CreateFeeQuote,
  CreatePaymentIntent,
  CreateRefund,
  FeeQuote,
  ListPaymentIntentsQuery,
  ListRefundsQuery,
  PaymentIntent,
  PaymentIntentEvent,
  Refund,
  RefundEvent,
  UpdatePaymentIntent,
  WebhookSigningKey,
} from './server/api-types.ts';
export {
  type CallOptions,
  createServiceClient,
  type KeyedCallOptions,
  type ServiceClient,
  type ServiceClientOptions,
} from './server/client.ts';
export type { List, Listing } from './server/list.ts';
export {
  ServiceError,
  type ServiceFailure,
  ServiceMistake,
  type ServiceMistakeCode,
} from './server/service-error.ts';
export {
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookEvent,
  type WebhookHeaders,
} from './server/verify-webhook.ts';
