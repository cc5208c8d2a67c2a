/** Sends one call of the client, following the retry rules, with the headers that make a retry safe. */

import type { Clock } from '../../api/clock/clock.ts';
import { withTimeout } from '../../api/clock/with-timeout.ts';
import { type ErrorCode, errorType, isErrorCode } from '../../api/errors.ts';
import { withoutSecrets } from '../../api/secrets.ts';
import { asRecord } from './json.ts';
import { type RetryPolicy, retryAfterOf, retryWait } from './retry.ts';
import { ServiceError, type ServiceFailure } from './service-error.ts';

/** The `fetch` the client uses: the platform's, or a test's replacement. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Destination and retry settings. `timeout` is for one attempt, in milliseconds. */
export type Transport = RetryPolicy & {
  origin: string;
  secretKey: string;
  timeout: number;
  fetch: Fetch;
  clock: Clock;
};

/** One call. `path` begins with the service's prefix and may include a query. */
export type Call<Value> = {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  /** Sent with every attempt, so that the service acts only once. */
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
  /** Parses the answer; `null` if it isn't what this route returns. */
  read: (answer: unknown) => Value | null;
  /**
   * For a route without idempotency. Called before each retry, except after a 429: resolves to the requested result if
   * an attempt took effect but its answer was lost; otherwise to `null`.
   */
  lookFirst?: () => Promise<Value | null>;
};

type Attempt<Value> =
  | { ok: true; value: Value }
  | { ok: false; failure: ServiceFailure; message: string; cause?: unknown };

/**
 * Sends a call and resolves with its value. Rejects with a `ServiceError`, or with the reason of the caller's signal as
 * soon as it aborts.
 */
export const send = async <Value>(transport: Transport, call: Call<Value>): Promise<Value> => {
  for (let attempt = 0; ; attempt += 1) {
    const made = await attemptOnce(transport, call);
    call.signal?.throwIfAborted();
    if (made.ok) return made.value;
    const wait = retryWait(made.failure, attempt, transport);
    if (wait === null) {
      const { pathname } = new URL(call.path, transport.origin);
      const message = `${call.method} ${pathname}: ${made.message}`;
      throw new ServiceError(message, made.failure, attempt + 1, made.cause);
    }
    await transport.clock.wait(wait, call.signal);
    call.signal?.throwIfAborted();
    const found = made.failure.kind === 'rate_limited' ? null : await call.lookFirst?.();
    if (found !== undefined && found !== null) return found;
  }
};

const attemptOnce = async <Value>(transport: Transport, call: Call<Value>): Promise<Attempt<Value>> => {
  const { clock, timeout, fetch } = transport;
  try {
    const timed = await withTimeout(clock, timeout, call.signal, async (signal) => {
      const response = await fetch(transport.origin + call.path, requestOf(transport, call, signal));
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
    if (timed.kind === 'done') return readAnswer(timed.value, call);
    const failure = { kind: 'no_answer', reason: 'timeout' } as const;
    return { ok: false, failure, message: `no answer within ${timeout} ms.` };
  } catch (cause) {
    const failure = { kind: 'no_answer', reason: 'network' } as const;
    return { ok: false, failure, message: 'the connection failed.', cause };
  }
};

const requestOf = (
  { secretKey }: Transport,
  { method, body, idempotencyKey }: Call<unknown>,
  signal: AbortSignal,
): RequestInit => ({
  method,
  headers: {
    Authorization: `Bearer ${secretKey}`,
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
  },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  // The service never redirects. A different origin must not receive the body, and a redirected POST would become a
  // GET.
  redirect: 'manual',
  ...NO_CACHE,
  signal,
});

/** Frameworks that cache `fetch` must not cache a payment's state. Workers cache nothing and may reject the option. */
const NO_CACHE: RequestInit =
  globalThis.navigator?.userAgent === 'Cloudflare-Workers' ? {} : { cache: 'no-store' };

const readAnswer = <Value>(
  { status, headers, text }: { status: number; headers: Headers; text: string },
  { read }: Call<Value>,
): Attempt<Value> => {
  const answer = parsed(text);
  if (status >= 200 && status <= 299) {
    const value = read(answer);
    if (value !== null) return { ok: true, value };
    const failure = { kind: 'no_answer', reason: 'malformed' } as const;
    return {
      ok: false,
      failure,
      message: `answered ${status} with something other than the expected object.`,
    };
  }
  const error = asRecord(asRecord(answer).error);
  const code: ErrorCode | 'unknown_code' =
    typeof error.code === 'string' && isErrorCode(error.code) ? error.code : 'unknown_code';
  const said = typeof error.message === 'string' ? withoutSecrets(error.message).slice(0, 500) : '';
  const message =
    `answered ${status} ${typeof error.code === 'string' ? withoutSecrets(error.code).slice(0, 100) : 'without an error of the service'}. ${said}`.trim();
  if (status === 429) {
    const retryAfter = retryAfterOf(headers.get('retry-after'));
    return { ok: false, failure: { kind: 'rate_limited', retryAfter }, message };
  }
  if (status >= 500) return { ok: false, failure: { kind: 'failed', status, code }, message };
  const failure: ServiceFailure = {
    kind: 'refused',
    status,
    code,
    type: code === 'unknown_code' ? null : errorType(code),
    param: shortText(error.param),
    declineCode: shortText(error.decline_code),
  };
  return { ok: false, failure, message };
};

const shortText = (value: unknown): string | null =>
  typeof value === 'string' ? withoutSecrets(value).slice(0, 200) : null;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
