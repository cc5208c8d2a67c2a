/**
 * The three client routes as functions that always resolve with an intent or a `Failure`, and never throw.
 * The client reads answers and knows when it must not send a request. `payment/` decides what an answer means for a
 * payment.
 *
 * It never repeats a request: a request without an answer may still have acted.
 */
import type * as z from 'zod/mini';
import { clientRequest, type PrefetchedRead } from './client-request.ts';
import type { Clock } from './clock/clock.ts';
import { withTimeout } from './clock/with-timeout.ts';
import { knownDetails, knownError } from './error-words.ts';
import type { Failure, ServiceAnswer } from './errors.ts';
import type { Money } from './money.ts';
import { type ReadableAnswer, readJson } from './read-json.ts';
import type { BillingDetailsInput, CardDetails, ClientRequest, ConfirmRequest } from './requests.ts';
import type { ClientRoute } from './routes.ts';
import { ClientPaymentIntent, ErrorBody } from './schemas.ts';

/** Request timeouts in ms (outcomes 2.3). A confirm may take as long as the bank takes. */
export const TIMEOUTS = { retrieve: 10_000, confirm: 75_000, release: 10_000 } as const;

/** Window of the rate limit on browser routes, in seconds: the wait after a 429 without a usable `Retry-After`. */
const LIMIT_WINDOW = 60;

/** Cap on `Retry-After`, in seconds: about thirty years. */
const LONGEST_WAIT = 1e9;

export type ConfirmDetails = { card: CardDetails; billing_details: BillingDetailsInput };

export type Client = {
  /** Reads the intent (contract 3.1). */
  retrieve(signal?: AbortSignal): Promise<ServiceAnswer<ClientPaymentIntent>>;
  /** Makes one payment attempt (contract 3.2). */
  confirm(
    details: ConfirmDetails,
    /** The amount on the button when it was pressed. */
    shown: Money,
    signal?: AbortSignal,
  ): Promise<ServiceAnswer<ClientPaymentIntent>>;
  /** Ends a failed attempt so that the next can run (contract 3.3). Safe to repeat. */
  release(signal?: AbortSignal): Promise<ServiceAnswer<ClientPaymentIntent>>;
};

/** Wraps a request: calls `send` and returns its answer or a replacement. */
export type FollowRequest = (
  route: ClientRoute,
  signal: AbortSignal | undefined,
  send: () => Promise<ServiceAnswer<ClientPaymentIntent>>,
) => Promise<ServiceAnswer<ClientPaymentIntent>>;

export type ClientOptions = {
  /** The service's origin, without a trailing slash. */
  baseUrl: string;
  publishableKey: string;
  /** Called for every request, because a page can replace an intent that ended unpaid. */
  clientSecret: () => string;
  clock: Clock;
  fetch?: (...request: ReturnType<typeof clientRequest>) => Promise<ReadableAnswer>;
  /** A retrieve that is already running. The first call of `retrieve` uses its answer. */
  prefetched?: PrefetchedRead | undefined;
  /** Wraps every request, so that failures can be reported. */
  follow?: FollowRequest;
  /** Called with every answer before the body is read. It may read only the headers. */
  onAnswer?: (answer: ReadableAnswer) => void;
};

/**
 * Creates a client for one payment form.
 *
 * After a 429, further calls of that route fail with `throttled`, without a request, until the time has passed ("the
 * client waits exactly that long", contract S17.4).
 */
export const createClient = ({
  baseUrl,
  publishableKey,
  clientSecret,
  clock,
  fetch = globalThis.fetch,
  prefetched,
  follow = (_route, _signal, send) => send(),
  onAnswer = () => undefined,
}: ClientOptions): Client => {
  const closedUntil: Record<ClientRoute, number> = { retrieve: 0, confirm: 0, release: 0 };

  let unused = prefetched;
  /** Returns the prefetched read for the first retrieve if it is for the same intent and recent enough. */
  const takePrefetched = (body: string): PrefetchedRead | null => {
    const read = unused;
    unused = undefined;
    if (!read) return null;
    if (read.isFor(body) && clock.now() - read.at < TIMEOUTS.retrieve) return read;
    read.abandon();
    return null;
  };

  const send = async (
    route: ClientRoute,
    body: ClientRequest | ConfirmRequest,
    signal: AbortSignal | undefined,
  ): Promise<ServiceAnswer<ClientPaymentIntent>> => {
    const closedFor = closedUntil[route] - clock.now();
    if (closedFor > 0) {
      return failed({ kind: 'throttled', retryAfter: Math.ceil(closedFor / 1000), stated: true });
    }
    const text = JSON.stringify(body);
    const early = route === 'retrieve' ? takePrefetched(text) : null;
    const timed = await withTimeout(clock, TIMEOUTS[route], signal, async (ending) => {
      if (early) onAbort(ending, early.abandon);
      const response = async () => {
        const answer = await (early?.answer ??
          fetch(...clientRequest(baseUrl, publishableKey, route, text, ending)));
        onAnswer(answer);
        return answer;
      };
      return response().then(read).catch(unreached);
    });
    const result: ServiceAnswer<ClientPaymentIntent> =
      timed.kind === 'done'
        ? timed.value
        : failed({ kind: 'no_answer', reason: timed.kind === 'aborted' ? 'network' : 'timeout' });
    if (!result.ok && result.failure.kind === 'throttled') {
      closedUntil[route] = clock.now() + result.failure.retryAfter * 1000;
    }
    return result;
  };

  const ask = (route: ClientRoute, body: ClientRequest | ConfirmRequest, signal: AbortSignal | undefined) =>
    follow(route, signal, () => send(route, body, signal));

  return {
    retrieve: (signal) => ask('retrieve', { client_secret: clientSecret() }, signal),
    release: (signal) => ask('release', { client_secret: clientSecret() }, signal),
    confirm: ({ card, billing_details }, { amount, currency }, signal) =>
      ask(
        'confirm',
        { client_secret: clientSecret(), amount_total: amount, currency, card, billing_details },
        signal,
      ),
  };
};

const onAbort = (signal: AbortSignal, act: () => void) => {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act);
};

const failed = (failure: Failure): { ok: false; failure: Failure } => ({ ok: false, failure });
const malformed = failed({ kind: 'no_answer', reason: 'malformed' });

/** DNS, connection, reset, redirect or abort: `fetch` reports them all alike. */
const unreached = () => failed({ kind: 'no_answer', reason: 'network' });

/** A status line proves nothing: only a parsed intent is a success (outcomes 1.2). */
const read = async (response: ReadableAnswer): Promise<ServiceAnswer<ClientPaymentIntent>> => {
  if (response.status === 429) {
    void response.body?.cancel().catch(() => undefined);
    const stated = /^\d+$/.exec(response.headers.get('Retry-After') ?? '');
    return failed({
      kind: 'throttled',
      retryAfter: stated ? Math.min(Number(stated[0]), LONGEST_WAIT) : LIMIT_WINDOW,
      stated: stated !== null,
    });
  }
  const json = await readJson(response);
  if (response.status >= 400) {
    const said = parse(ErrorBody, json)?.error;
    const error = said && knownError(said);
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
  return intent ? { ok: true, value: withRunningAttempt(withKnownWords(intent)) } : malformed;
};

const withKnownWords = (intent: ClientPaymentIntent): ClientPaymentIntent => ({
  ...intent,
  missing_details: intent.missing_details && knownDetails(intent.missing_details),
  last_payment_error: intent.last_payment_error && knownError(intent.last_payment_error),
});

/**
 * Reports a running attempt as `processing`, whichever of its two ways the service uses to say so (contract 4.6). An
 * error next to it belongs to an earlier attempt.
 */
const withRunningAttempt = (intent: ClientPaymentIntent): ClientPaymentIntent => {
  if (!intent.attempt_in_progress) return intent;
  const status = intent.status === 'pending' ? 'processing' : intent.status;
  return { ...intent, status, last_payment_error: null };
};

const parse = <Schema extends z.ZodMiniType>(schema: Schema, json: unknown): z.infer<Schema> | null => {
  const parsed = schema.safeParse(json);
  return parsed.success ? parsed.data : null;
};
