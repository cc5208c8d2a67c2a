/**
 * The service's server routes as functions, for a merchant's server: Node, Deno, Bun and edge runtimes. It uses only
 * `fetch` and WebCrypto, and implements the rules every caller must follow: which failures to retry, after which delay,
 * and with which `Idempotency-Key`.
 */

import { type Clock, systemClock } from '../../api/clock/clock.ts';
import * as LIMITS from '../../api/limits.ts';
import { isLoopbackHost } from '../../api/loopback.ts';
import { SERVER_ROUTES } from '../../api/routes.ts';
import type {
  Balance,
  CreatedPaymentIntent,
  CreateFeeQuote,
  CreatePaymentIntent,
  CreateRefund,
  FeeQuote,
  ListPaymentIntentsQuery,
  ListRefundsQuery,
  PaymentIntent,
  Refund,
  UpdatePaymentIntent,
  WebhookSigningKey,
} from './api-types.ts';
import { isApplied } from './applied.ts';
import { isRecord } from './json.ts';
import { type Listing, listing, readList, withQuery } from './list.ts';
import { ServiceMistake, type ServiceMistakeCode } from './service-error.ts';
import { createSigningKeys } from './signing-keys.ts';
import { type Call, type Fetch, send, type Transport } from './transport.ts';
import { verifyWebhook, type WebhookEvent, type WebhookHeaders } from './verify-webhook.ts';

/** Connection settings. Times in milliseconds. */
export type ServiceClientOptions = {
  /**
   * The service's origin, such as `https://pay.example`. `http` is allowed on this machine, and with a sandbox's key.
   */
  baseUrl: string;
  /** `sk_live_…`. Only for servers. */
  secretKey: string;
  /** Limit for one attempt. Default 20,000. */
  timeout?: number | undefined;
  /** Maximum number of retries. Default 4; 0 sends each request once. */
  retries?: number | undefined;
  /** The longest `Retry-After` to wait for; a call that would have to wait longer fails. Default 60,000. */
  longestWait?: number | undefined;
  /** For tests. Default: the platform's `fetch`. */
  fetch?: Fetch | undefined;
  /** For tests. Default: the platform's timers. */
  clock?: Clock | undefined;
  /** For tests: a number from 0 to below 1. Default: `Math.random`. */
  random?: (() => number) | undefined;
};

/** Options of every call. `signal` aborts it, even while it waits. The call then rejects with the signal's reason. */
export type CallOptions = { signal?: AbortSignal | undefined };

/**
 * Options of calls that must not act twice. Derive the key from what is paid or refunded, such as `order-17`, and store
 * it: a call with the same key and body returns the first result, even after a restart. 1 to 255 ASCII characters.
 */
export type KeyedCallOptions = CallOptions & { idempotencyKey: string };

/**
 * The routes for the merchant's server. Every function rejects with a `ServiceError` after its last retry, or with a
 * `ServiceMistake` if it was called incorrectly.
 */
export type ServiceClient = {
  paymentIntents: {
    /** Creates a payment. Only this answer contains the `client_secret` for the buyer's browser. */
    create(body: CreatePaymentIntent, options: KeyedCallOptions): Promise<CreatedPaymentIntent>;
    retrieve(id: string, options?: CallOptions): Promise<PaymentIntent>;
    /**
     * Changes a pending payment. This route has no idempotency: after an unclear failure, the client retrieves the
     * payment and resends the update only if it has not taken effect.
     */
    update(id: string, change: UpdatePaymentIntent, options?: CallOptions): Promise<PaymentIntent>;
    list(query?: ListPaymentIntentsQuery, options?: CallOptions): Listing<PaymentIntent>;
  };
  refunds: {
    /** Refunds a payment in full or in part. Its `status` can still become `failed`: wait for the event. */
    create(body: CreateRefund, options: KeyedCallOptions): Promise<Refund>;
    retrieve(id: string, options?: CallOptions): Promise<Refund>;
    list(query?: ListRefundsQuery, options?: CallOptions): Listing<Refund>;
  };
  /** Returns the fees for a payment of this amount. Creates nothing. */
  quoteFees(body: CreateFeeQuote, options?: CallOptions): Promise<FeeQuote>;
  balance(options?: CallOptions): Promise<Balance>;
  /** The webhook signing keys, newest first. */
  webhookSigningKeys(options?: CallOptions): Promise<readonly WebhookSigningKey[]>;
  /**
   * Verifies a webhook for the endpoint `endpointId` (`we_…`) and returns its event. Rejects with a `WebhookError` if
   * the webhook must not be trusted: answer 400. Caches the service's keys for five minutes. A signature with an
   * unknown key reloads them once, at most every five seconds.
   */
  verifyWebhook(
    rawBody: Uint8Array | ArrayBuffer | string,
    headers: WebhookHeaders,
    endpointId: string,
    options?: CallOptions & { tolerance?: number | undefined; now?: number | undefined },
  ): Promise<WebhookEvent>;
};

/**
 * Creates a client. Sends nothing yet. Throws a `ServiceMistake` if the address or the key is invalid.
 *
 * @example
 * const service = createServiceClient({ baseUrl: 'https://pay.example', secretKey: process.env.SECRET_KEY });
 * const payment = await service.paymentIntents.create(body, { idempotencyKey: `order-${order.id}` });
 */
export const createServiceClient = (options: ServiceClientOptions): ServiceClient => {
  const transport = transportOf(options);
  const call = <Value>(one: Call<Value>): Promise<Value> => send(transport, one);

  const retrieveIntent = async (id: string, { signal }: CallOptions = {}) =>
    call({ method: 'GET', path: pathOf(SERVER_ROUTES.paymentIntent, id), signal, read: reader(isIntent) });

  const webhookSigningKeys = async ({ signal }: CallOptions = {}) => {
    const path = SERVER_ROUTES.webhookSigningKeys;
    return (await call({ method: 'GET', path, signal, read: readList(isSigningKey) })).data;
  };
  const signingKeys = createSigningKeys(webhookSigningKeys, transport.clock);

  return {
    paymentIntents: {
      create: async (body, options) =>
        call({
          ...{ method: 'POST', path: SERVER_ROUTES.paymentIntents, body, signal: options?.signal },
          idempotencyKey: checkedKey(options?.idempotencyKey),
          read: reader(isCreatedIntent),
        }),
      retrieve: retrieveIntent,
      update: async (id, change, { signal } = {}) =>
        call({
          ...{ method: 'POST', path: pathOf(SERVER_ROUTES.paymentIntent, id), body: change, signal },
          read: reader(isIntent),
          lookFirst: async () => {
            const intent = await retrieveIntent(id, { signal });
            return isApplied(change, intent) ? intent : null;
          },
        }),
      list: (query = {}, { signal } = {}) =>
        listing((page) => {
          const path = withQuery(SERVER_ROUTES.paymentIntents, page);
          return call({ method: 'GET', path, signal, read: readList(isIntent) });
        }, query),
    },
    refunds: {
      create: async (body, options) =>
        call({
          ...{ method: 'POST', path: SERVER_ROUTES.refunds, body, signal: options?.signal },
          idempotencyKey: checkedKey(options?.idempotencyKey),
          read: reader(isRefund),
        }),
      retrieve: async (id, { signal } = {}) =>
        call({ method: 'GET', path: pathOf(SERVER_ROUTES.refund, id), signal, read: reader(isRefund) }),
      list: (query = {}, { signal } = {}) =>
        listing((page) => {
          const path = withQuery(SERVER_ROUTES.refunds, page);
          return call({ method: 'GET', path, signal, read: readList(isRefund) });
        }, query),
    },
    quoteFees: async (body, { signal } = {}) =>
      call({ method: 'POST', path: SERVER_ROUTES.feeQuotes, body, signal, read: reader(isFeeQuote) }),
    balance: async ({ signal } = {}) =>
      call({ method: 'GET', path: SERVER_ROUTES.balance, signal, read: reader(isBalance) }),
    webhookSigningKeys,
    verifyWebhook: async (rawBody, headers, endpointId, { signal, tolerance, now } = {}) =>
      signingKeys.verified(
        (keys) => verifyWebhook(rawBody, headers, keys, endpointId, { tolerance, now }),
        signal,
      ),
  };
};

const transportOf = ({
  baseUrl,
  secretKey,
  timeout = 20_000,
  retries = 4,
  longestWait = 60_000,
  fetch,
  clock = systemClock,
  random = Math.random,
}: ServiceClientOptions): Transport => {
  for (const [name, value] of Object.entries({ timeout, retries, longestWait }))
    expect(
      Number.isSafeInteger(value) && value >= 0,
      'option_invalid',
      `${name} must be a whole number from 0; got ${value}.`,
    );
  return {
    origin: checkedOrigin(baseUrl, secretKey),
    secretKey: checkedSecretKey(secretKey),
    timeout,
    retries,
    longestWait,
    // Looked up on each call, so that a test can replace it after the client was created.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock,
    random,
  };
};

const expect = (isTrue: boolean, code: ServiceMistakeCode, message: string): void => {
  if (!isTrue) throw new ServiceMistake(code, message);
};

/** A sandbox moves no money, so its key may go unencrypted to a container or another machine on the network. */
const isOfSandbox = (key: unknown) => typeof key === 'string' && key.startsWith('sk_live_sandbox');

const checkedOrigin = (baseUrl: unknown, key: unknown): string => {
  const form = /^https?:\/\/[^/?#@\s]+\/?$/;
  if (typeof baseUrl !== 'string' || !form.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new ServiceMistake(
      'base_url_invalid',
      `baseUrl must be the scheme and host of the service, as in https://pay.example; got ${shown(baseUrl)}.`,
    );
  }
  const { protocol, host, origin } = new URL(baseUrl);
  expect(
    protocol === 'https:' || isLoopbackHost(host) || isOfSandbox(key),
    'base_url_insecure',
    `baseUrl must begin with https://, since the secret key would be sent unencrypted to another machine; got ${shown(baseUrl)}. http:// is allowed only for this machine, as in http://127.0.0.1:4010, or a sandbox, whose key begins with sk_live_sandbox.`,
  );
  return origin;
};

/** Describes a value that isn't a valid address, for an error message. */
const shown = (text: unknown): string =>
  typeof text === 'string'
    ? JSON.stringify(text.slice(0, 100))
    : text === undefined
      ? 'nothing'
      : typeof text;

/** The message never includes the value, which may be a key. */
const checkedSecretKey = (key: unknown): string => {
  if (typeof key === 'string' && /^sk_live_[\x21-\x7e]{1,200}$/.test(key)) return key;
  const isPublishable = typeof key === 'string' && key.startsWith('pk_');
  const got = isPublishable
    ? 'a publishable key, which is for browsers'
    : typeof key === 'string'
      ? 'another text'
      : shown(key);
  throw new ServiceMistake(
    'secret_key_invalid',
    `secretKey must begin with sk_live_; got ${got}. Is the environment variable set?`,
  );
};

const checkedKey = (key: unknown): string => {
  const isKey = typeof key === 'string' && /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key);
  if (isKey && key.length <= LIMITS.idempotencyKey) return key;
  throw new ServiceMistake(
    'idempotency_key_invalid',
    `idempotencyKey must be 1 to ${LIMITS.idempotencyKey} characters of ASCII, such as order-17, in the options after the body; got ${isKey ? `${key.length} characters` : key === undefined ? 'nothing' : 'something else'}. Derive it from the order, so that a retry creates nothing twice.`,
  );
};

/** An id may come from a browser's request: it must not lead to another route. */
const pathOf = (route: string, id: unknown): string => {
  const isId = typeof id === 'string' && /^[\w-]{1,200}$/.test(id);
  expect(
    isId,
    'id_invalid',
    'An id must be a string of letters, digits, _ and -, such as lg_pi_…; got something else.',
  );
  return route.replace(':id', `${id}`);
};

const reader =
  <Value>(is: (value: unknown) => value is Value) =>
  (answer: unknown): Value | null =>
    is(answer) ? answer : null;

// The client trusts the fields of an object, but not that the answer is that object: a 200 can also be a proxy's page.
const isObject = (value: unknown, name: string): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && value.object === name;
const isIntent = (value: unknown): value is PaymentIntent =>
  isObject(value, 'payment_intent') && typeof value.id === 'string' && typeof value.status === 'string';
const isCreatedIntent = (value: unknown): value is CreatedPaymentIntent =>
  isObject(value, 'payment_intent') &&
  typeof value.id === 'string' &&
  typeof value.client_secret === 'string';
const isRefund = (value: unknown): value is Refund =>
  isObject(value, 'refund') && typeof value.id === 'string' && typeof value.status === 'string';
const isFeeQuote = (value: unknown): value is FeeQuote => isObject(value, 'fee_quote');
const isBalance = (value: unknown): value is Balance => isObject(value, 'balance');
const isSigningKey = (value: unknown): value is WebhookSigningKey =>
  isRecord(value) && typeof value.kid === 'string' && typeof value.public_key_pem === 'string';
