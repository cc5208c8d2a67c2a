/** State shared by the checks of the server routes: the service, the key, and all exchanges so far. */
import type { HttpRequest, HttpResponse, Send } from '../../api/command/http.ts';
import type { ConformanceEnvironment, OrderedExchange } from './context.ts';
import { Mismatch, parseObject, recorder, summarize } from './context.ts';

/** A received webhook: the value of `Service-Signature`, and the raw body. */
export type RecordedWebhook = { endpoint: string; signature: string; body: string };

/** A share in basis points, rounded half up, and a fixed part in minor units. */
type FeeRule = { bps: number; fixed: number };
export type ExpectedFees = { processing: FeeRule; bank: FeeRule };

/** Options the service's owner passes to a run. Nothing is charged; `refundOf` is refunded in part. */
export type ServerConformanceOptions = {
  secretKey: string;
  /** The id of a succeeded payment, for the refund checks. */
  refundOf: string | null;
  revokedSecretKey: string | null;
  webhook: RecordedWebhook | null;
  /** The account's fees, which no route reports. */
  fees: ExpectedFees | null;
  /** Sends requests until the service answers 429. */
  exhaustRateLimit: boolean;
  /** New for each run, because an idempotency key can be used only once. */
  run: string;
};

/** `key: null` sends none. A string `body` is sent unchanged. */
type CallOptions = { key?: string | null; idempotencyKey?: string; body?: object | string };

export type ServerContext = {
  options: ServerConformanceOptions;
  exchanges: readonly OrderedExchange[];
  /** Sends a request, and repeats it after a 429 as the service asks. */
  call(method: string, path: string, options?: CallOptions): Promise<HttpResponse>;
  /** Sends a request once. */
  callOnce(method: string, path: string): Promise<HttpResponse>;
  now(): number;
};

export const createServerContext = (
  options: ServerConformanceOptions,
  send: Send,
  environment: ConformanceEnvironment,
): ServerContext => {
  const recorded = recorder(send, environment);
  const requestOf = (
    method: string,
    path: string,
    { key = options.secretKey, idempotencyKey, body }: CallOptions = {},
  ): HttpRequest => ({
    ...{ method, path },
    body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
  });
  return {
    options,
    exchanges: recorded.exchanges,
    now: environment.now,
    callOnce: (method, path) => recorded.sendOnce(requestOf(method, path)),
    call: (method, path, callOptions) => recorded.send(requestOf(method, path, callOptions)),
  };
};

/** The object of a successful answer. */
export const answered = (response: HttpResponse): Record<string, unknown> => {
  if (response.status !== 200) throw new Mismatch('200', summarize(response));
  return parseObject(response);
};
