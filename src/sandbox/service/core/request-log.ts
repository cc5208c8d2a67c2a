import { withoutSecrets } from '../../../api/secrets.ts';
import type { RouteName } from './api-routes.ts';
import { RefusedRequest } from './errors.ts';

/** One delivery of a request, without its body, keys and secrets (contract 6.2). */
export type RequestLogEntry = {
  /** Milliseconds since the epoch, on the sandbox's clock. */
  at: number;
  method: string;
  /** Without its query, and without anything that looks like a card number or a secret. */
  path: string;
  route: RouteName;
  /** The intent that the request named, if it exists. */
  intent: string | null;
  /** 1 for a request. 2 or more if a fault delivers the same request again, as a network may. */
  delivery: number;
  /**
   * `cut`: the connection ended before the response. `refused`: it ended before the request was read, so the intent is
   * unknown. `null`: no response yet. If no client receives the response, this is the status that was sent.
   */
  status: number | 'cut' | 'refused' | null;
  /**
   * Milliseconds from arrival to response, on the sandbox's clock. `null` while there is no response, and if no client
   * receives it.
   */
  took: number | null;
  /** The fault planned for the request, as the control route formats it; `null` for none. */
  fault: string | null;
  /** If the sandbox refused the request: the error's code, the parameter that it names, and its message. */
  code: string | null;
  param: string | null;
  message: string | null;
  /** The number of the payment attempt that this request made, if any. */
  attempt: number | null;
  /** The stack of an unexpected exception in the sandbox, without its message, which may quote the body. */
  defect: string | null;
};

/** The log is in memory. Above this number, the oldest entries are dropped. */
export const MAX_LOGGED_REQUESTS = 10_000;

/** Selects requests. `find` searches the text that is shown of them; `failed` excludes those that succeeded. */
export type RequestFilter = { find?: string | undefined; failed?: boolean | undefined };

const fits = (entry: RequestLogEntry, { find, failed }: RequestFilter): boolean => {
  if (failed && typeof entry.status === 'number' && entry.status < 400) return false;
  const { method, path, route, intent, status, fault, code, param, message } = entry;
  const text = [method, path, route, intent, status, fault, code, param, message].join(' ').toLowerCase();
  return text.includes((find ?? '').toLowerCase());
};

/** The requests to the service, with its responses, in order of arrival. */
export type RequestLog = {
  open(entry: { at: number; method: string; path: string }): RequestLogEntry;
  /** Logs another delivery of the same request as `entry`. */
  openAgain(entry: RequestLogEntry, at: number): RequestLogEntry;
  /** The latest requests that match, oldest first. */
  recent(limit: number, filter?: RequestFilter): RequestLogEntry[];
  /** The requests that named an intent, in order. */
  of(intent: string): RequestLogEntry[];
  /** The time (milliseconds) from which the log is complete: the start, or the oldest entry once some were dropped. */
  since(): number;
};

/** Longer paths and messages are cut. */
const MAX_PATH = 200;
const MAX_MESSAGE = 500;

const shown = (text: string, longest: number): string => withoutSecrets(text).slice(0, longest);

const NO_RESPONSE_YET = {
  status: null,
  took: null,
  fault: null,
  code: null,
  param: null,
  message: null,
  attempt: null,
  defect: null,
} as const;

/** Creates an empty log that starts at `start` (milliseconds). */
export const createRequestLog = (start: number): RequestLog => {
  const entries: RequestLogEntry[] = [];
  let since = start;
  const keep = (entry: RequestLogEntry) => {
    entries.push(entry);
    if (entries.length > MAX_LOGGED_REQUESTS) {
      entries.shift();
      since = entries[0]?.at ?? since;
    }
    return entry;
  };
  return {
    open: ({ at, method, path }) =>
      keep({
        at,
        method,
        path: shown(path, MAX_PATH),
        route: 'unknown',
        intent: null,
        delivery: 1,
        ...NO_RESPONSE_YET,
      }),
    openAgain: (entry, at) =>
      keep({ ...entry, at, delivery: entry.delivery + 1, ...NO_RESPONSE_YET, fault: entry.fault }),
    recent: (limit, filter = {}) => entries.filter((entry) => fits(entry, filter)).slice(-limit),
    of: (intent) => entries.filter((entry) => entry.intent === intent),
    since: () => since,
  };
};

/** Records why a request was refused, or where the sandbox failed. */
export const recordError = (entry: RequestLogEntry, error: Error): void => {
  if (error instanceof RefusedRequest) {
    entry.code = error.code;
    entry.param = error.param === undefined ? null : shown(error.param, MAX_PATH);
    entry.message = shown(error.message, MAX_MESSAGE);
  } else {
    entry.code = 'internal_error';
    const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
    entry.defect = [error.name, ...frames].join('\n');
  }
};
