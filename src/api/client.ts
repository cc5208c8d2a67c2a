/**
 * The three client routes as functions that always answer: with an intent or with a Failure, never with an
 * exception. It knows how an answer is read and when no request may be sent; what an answer *means* for a
 * payment is decided in payment/.
 *
 * Nothing here repeats a request. A request that got no answer may have acted.
 */
import type * as z from 'zod/mini';
import { clientRequest, type PrefetchedRead } from './client-request.ts';
import type { Clock } from './clock.ts';
import type { Failure, Result } from './errors.ts';
import type { Money } from './money.ts';
import { type TypedCard, withoutCard } from './redact.ts';
import type { BillingDetailsInput, CardDetails, ClientRequest, ConfirmRequest } from './requests.ts';
import type { CLIENT_ROUTES } from './routes.ts';
import { ClientPaymentIntent, ErrorBody } from './schemas.ts';
import { withTimeout } from './with-timeout.ts';

/** How long an answer is waited for, in ms (research 2.3). A confirm may take as long as a bank takes. */
export const TIMEOUT = { retrieve: 10_000, confirm: 75_000, release: 10_000 } as const;

/** No intent comes near this size; whoever sends more is not the service. In bytes. */
export const LARGEST_BODY = 256 * 1024;

/** The window of the limit on browser routes, in seconds: waited where a 429 names no usable time. */
const LIMIT_WINDOW = 60;

/** Some thirty years, in seconds: whatever is longer is waited out by nobody. */
const LONGEST_WAIT = 1e9;

export type ConfirmDetails = { card: CardDetails; billing_details: BillingDetailsInput };

export type Client = {
  /** Reads the intent (contract 3.1). */
  retrieve(signal?: AbortSignal): Promise<Result<ClientPaymentIntent>>;
  /** One payment attempt (contract 3.2). Never sent twice by this code. */
  confirm(
    details: ConfirmDetails,
    /** What the pressed button showed. */
    shown: Money,
    signal?: AbortSignal,
  ): Promise<Result<ClientPaymentIntent>>;
  /** Ends a failed attempt so that the next may run (contract 3.3). Safe to repeat. */
  release(signal?: AbortSignal): Promise<Result<ClientPaymentIntent>>;
};

export type ClientOptions = {
  /** The service's origin, without a slash at the end. */
  baseUrl: string;
  publishableKey: string;
  /** Asked at every request: a page may replace an intent that is over. */
  clientSecret: () => string;
  clock: Clock;
  fetch?: typeof globalThis.fetch;
  /** The digits of the card number that is in the form: no error is handed on that repeats them. */
  typed?: () => string;
  /** Sent before there was a client. The first read takes its answer, if it asks the same and soon enough. */
  prefetched?: PrefetchedRead | undefined;
};

/**
 * A client for one payment form.
 *
 * After a 429 it refuses, without asking the service, every further call of that route until the time has
 * passed ("the client waits exactly that long", service-api.md, "Limits"), whoever calls.
 */
export const createClient = ({
  baseUrl,
  publishableKey,
  clientSecret,
  clock,
  fetch = globalThis.fetch,
  typed = () => '',
  prefetched,
}: ClientOptions): Client => {
  const closedUntil: Record<keyof typeof CLIENT_ROUTES, number> = { retrieve: 0, confirm: 0, release: 0 };

  let unused = prefetched;
  /** The prefetched read for the first retrieve, if it asked for the same intent and is not too old. */
  const takePrefetched = (body: string): PrefetchedRead | null => {
    const read = unused;
    unused = undefined;
    if (!read) return null;
    if (read.body === body && clock.now() - read.at < TIMEOUT.retrieve) return read;
    read.abandon();
    return null;
  };

  const send = async (
    route: keyof typeof CLIENT_ROUTES,
    body: ClientRequest | ConfirmRequest,
    signal: AbortSignal | undefined,
  ): Promise<Result<ClientPaymentIntent>> => {
    const closedFor = closedUntil[route] - clock.now();
    if (closedFor > 0) {
      return failed({ kind: 'throttled', retryAfter: Math.ceil(closedFor / 1000), stated: true });
    }
    const text = JSON.stringify(body);
    const early = route === 'retrieve' ? takePrefetched(text) : null;
    const timed = await withTimeout(clock, TIMEOUT[route], signal, async (ending) => {
      if (early) onAbort(ending, early.abandon);
      const response = async () =>
        early?.answer ?? fetch(...clientRequest(baseUrl, publishableKey, route, text, ending));
      return response().then(read).catch(unreached);
    });
    const result: Result<ClientPaymentIntent> =
      timed.kind === 'done'
        ? timed.value
        : failed({ kind: 'no_answer', reason: timed.kind === 'aborted' ? 'network' : 'timeout' });
    if (!result.ok && result.failure.kind === 'throttled') {
      closedUntil[route] = clock.now() + result.failure.retryAfter * 1000;
    }
    return redacted(result, () => ('card' in body ? body.card : { number: typed() }));
  };

  return {
    retrieve: (signal) => send('retrieve', { client_secret: clientSecret() }, signal),
    release: (signal) => send('release', { client_secret: clientSecret() }, signal),
    confirm: ({ card, billing_details }, { amount, currency }, signal) =>
      send(
        'confirm',
        { client_secret: clientSecret(), amount_total: amount, currency, card, billing_details },
        signal,
      ),
  };
};

const onAbort = (signal: AbortSignal, act: () => void) => {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
};

const failed = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure });
const malformed = failed({ kind: 'no_answer', reason: 'malformed' });

/** What was answered, in no text of which the card stands. */
const redacted = (
  result: Result<ClientPaymentIntent>,
  card: () => TypedCard, // asked only where there is a text: browsers remember what a pattern was last tried on
): Result<ClientPaymentIntent> => {
  if (!result.ok) {
    const { failure } = result;
    return failure.kind === 'refused'
      ? failed(withoutCard(failure, card(), `http_${failure.status}`))
      : result;
  }
  const { last_payment_error: error } = result.value;
  if (!error) return result;
  return {
    ok: true,
    value: { ...result.value, last_payment_error: withoutCard(error, card(), 'payment_failed') },
  };
};

/** DNS, connection, reset, redirect, abort: `fetch` tells them apart for nobody. */
const unreached = () => failed({ kind: 'no_answer', reason: 'network' });

/** A status line proves nothing: only a parsed intent is a success (research 0.2). */
const read = async (response: Response): Promise<Result<ClientPaymentIntent>> => {
  if (response.status === 429) {
    void response.body?.cancel().catch(() => undefined);
    const stated = /^\d+$/.exec(response.headers.get('Retry-After')?.trim() ?? '');
    return failed({
      kind: 'throttled',
      retryAfter: stated ? Math.min(Number(stated[0]), LONGEST_WAIT) : LIMIT_WINDOW,
      stated: stated !== null,
    });
  }
  const json = await readJson(response);
  if (response.status >= 400) {
    const error = parse(ErrorBody, json)?.error;
    return failed({
      kind: 'refused',
      status: response.status,
      code: error?.code ?? `http_${response.status}`,
      type: error?.type ?? 'api_error',
      message: error?.message ?? `The service answered with status ${response.status} and no error object.`,
      param: error?.param ?? null,
      declineCode: error?.decline_code ?? null,
    });
  }
  const intent = response.status === 200 ? parse(ClientPaymentIntent, json) : null;
  return intent ? { ok: true, value: intent } : malformed;
};

const parse = <Schema extends z.ZodMiniType>(schema: Schema, json: unknown): z.infer<Schema> | null => {
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : null;
};

/** The body as JSON, or `undefined` where it is of another type, too large, cut or not JSON at all. */
const readJson = async (response: Response): Promise<unknown> => {
  const isJson = /^application\/json\s*(;|$)/i.test(response.headers.get('Content-Type') ?? '');
  if (!isJson || !response.body) {
    await response.body?.cancel().catch(() => undefined);
    return undefined;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > LARGEST_BODY) {
        await reader.cancel();
        return undefined;
      }
      text += decoder.decode(part.value, { stream: true });
    }
    return JSON.parse(text + decoder.decode());
  } catch {
    return undefined;
  }
};
