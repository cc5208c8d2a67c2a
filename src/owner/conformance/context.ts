/** State shared by the checks of one run: the service under test, the payment, and all exchanges so far. */
import type { Exchange, HttpRequest, HttpResponse, Send } from '../../api/command/http.ts';
import { HTTP_STATUS, isErrorCode } from '../../api/errors.ts';
import { CLIENT_ROUTES, type ClientRoute } from '../../api/routes.ts';

/** Options the service's owner passes to a run. */
export type ConformanceOptions = {
  publishableKey: string;
  clientSecret: string;
  /** A card number that succeeds. Without it, the suite never charges anything. */
  payWith: string | null;
  /** A card number that is declined, to check a decline before the payment succeeds. */
  declineWith: string | null;
  /** A publishable key of another account. */
  otherPublishableKey: string | null;
  /** A publishable key that was revoked. */
  revokedPublishableKey: string | null;
  /** Sends requests until the service answers 429. */
  exhaustRateLimit: boolean;
};

/** Client routes covered by the suite. A route with its own body needs its own checks. */
export const ROUTES: readonly ClientRoute[] = ['retrieve', 'confirm', 'release'];

/** Differences from a valid request. `null` omits a header. */
type Change = { headers?: Readonly<Record<string, string | null>>; body?: string };

/** A rule the service breaks. */
export class Mismatch extends Error {
  override readonly name = 'Mismatch';
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(`expected ${expected}; got ${actual}`);
    this.expected = expected;
    this.actual = actual;
  }
}

/** A rule that can't be checked; the message says why. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** `after`: the number of exchanges finished when the request was sent. The request saw at least their effects. */
export type OrderedExchange = Exchange & { after: number };

export type CheckContext = {
  options: ConformanceOptions;
  /** All exchanges of the run so far. */
  exchanges: readonly OrderedExchange[];
  /** Sends a request as the form would, with the change applied. */
  post(route: ClientRoute, body: unknown, change?: Change): Promise<HttpResponse>;
  /** Sends any request. Like `post`, waits and repeats it after a 429. */
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Sends any request once, whatever the response. */
  sendOnce(request: HttpRequest): Promise<HttpResponse>;
  /** Retrieves the payment's client view. Throws a `Mismatch` if it can't be read. */
  view(): Promise<Record<string, unknown>>;
  /** The client view last retrieved, which saves a request against the rate limit. */
  latestView(): Promise<Record<string, unknown>>;
  wait(ms: number): Promise<void>;
  /** Milliseconds since the epoch. */
  now(): number;
};

/** A run's dependencies apart from the service: time, and a place for progress messages. */
export type ConformanceEnvironment = {
  wait(ms: number): Promise<void>;
  now(): number;
  log(line: string): void;
};

const MAX_RETRIES = 5;

/** Sends requests, repeating them after a 429 if asked, and records the answers. */
export const recorder = (send: Send, { wait, log }: ConformanceEnvironment) => {
  const exchanges: OrderedExchange[] = [];
  const sendOnce = async (request: HttpRequest): Promise<HttpResponse> => {
    const after = exchanges.length;
    const response = await send(request).catch((error: Error & { code?: string }) => {
      throw new Mismatch('an answer', `none (${error.code ?? error.message})`);
    });
    exchanges.push({ request, response, after });
    return response;
  };
  const sendWithRetry = async (request: HttpRequest): Promise<HttpResponse> => {
    for (let times = 0; ; times += 1) {
      const response = await sendOnce(request);
      if (response.status !== 429 || times === MAX_RETRIES) return response;
      const seconds = readRetryAfter(response);
      // A 429 without `Retry-After` concerns only the check of that rule.
      const why = seconds === null ? 'a guess' : 'as the service asks';
      log(`Rate limited: waiting ${seconds ?? 60} seconds, ${why}.`);
      await wait((seconds ?? 60) * 1000);
    }
  };
  return { exchanges, sendOnce, send: sendWithRetry };
};

export const createCheckContext = (
  options: ConformanceOptions,
  send: Send,
  environment: ConformanceEnvironment,
): CheckContext => {
  const recorded = recorder(send, environment);

  const post: CheckContext['post'] = (route, body, change = {}) => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${options.publishableKey}`,
      'content-type': 'application/json',
    };
    for (const [name, value] of Object.entries(change.headers ?? {})) {
      if (value === null) delete headers[name];
      else headers[name] = value;
    }
    return recorded.send({
      method: 'POST',
      path: CLIENT_ROUTES[route],
      headers,
      body: change.body ?? JSON.stringify(body),
    });
  };

  let latest: Record<string, unknown> | null = null;
  const view = async () => {
    const response = await post('retrieve', { client_secret: options.clientSecret });
    expectStatus(response, 200);
    latest = parseObject(response);
    return latest;
  };

  return {
    ...{ options, post, view, ...recorded },
    latestView: async () => latest ?? view(),
    wait: environment.wait,
    now: environment.now,
  };
};

const readRetryAfter = ({ headers }: HttpResponse): number | null => {
  const text = headers['retry-after'] ?? '';
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 ? Number(text) : null;
};

/** Throws a `Mismatch` if one of these answers is a 429 without the time to wait. */
export const expectRetryAfter = (exchanges: readonly Exchange[]): void => {
  for (const { response } of exchanges) if (response.status === 429) retryAfterSeconds(response);
};

/** The seconds of a 429's `Retry-After`. */
export const retryAfterSeconds = (response: HttpResponse): number => {
  const seconds = readRetryAfter(response);
  if (seconds !== null) return seconds;
  const text = response.headers['retry-after'];
  throw new Mismatch(
    'a 429 with Retry-After in whole seconds',
    text === undefined ? 'one without' : JSON.stringify(text),
  );
};

/** The body, which must be a JSON object. */
export const parseObject = (response: HttpResponse): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(response.text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {}
  throw new Mismatch('a JSON object', summarize(response));
};

/** The `error` of a body, or an empty object. */
export const parseError = (response: HttpResponse): Record<string, unknown> => {
  const { error } = parseObject(response);
  return typeof error === 'object' && error !== null ? { ...error } : {};
};

/** Summarizes a response for the report. */
export const summarize = ({ status, text }: HttpResponse): string => {
  try {
    const { error } = JSON.parse(text);
    if (typeof error?.code === 'string') return `${status} ${error.code}`;
  } catch {}
  return `${status}${text === '' ? ' without a body' : ` ${JSON.stringify(text.slice(0, 80))}`}`;
};

export const expectStatus = (response: HttpResponse, status: number): void => {
  if (response.status !== status) throw new Mismatch(String(status), summarize(response));
};

/** Expects an error with one of these codes and the code's HTTP status. */
export const expectRefused = (response: HttpResponse, ...codes: string[]): void => {
  const wanted = codes.map((code) => `${isErrorCode(code) ? HTTP_STATUS[code] : 400} ${code}`);
  if (response.status < 400 || !wanted.includes(`${response.status} ${parseError(response).code}`)) {
    throw new Mismatch(wanted.join(' or '), summarize(response));
  }
};

/** Compares two values as JSON, ignoring the order of fields. */
export const expectSame = (what: string, actual: unknown, expected: unknown): void => {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (JSON.stringify(actual, withSortedKeys) !== JSON.stringify(expected, withSortedKeys))
    throw new Mismatch(`${what} ${expectedJson}`, `${actualJson}`);
};

const withSortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
