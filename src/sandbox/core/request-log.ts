import { ServiceError } from './errors.ts';

/** The name of a route as the request log, the limits and the faults know it. */
export type RouteName =
  | 'client.retrieve'
  | 'client.confirm'
  | 'client.release'
  | 'payment_intents.create'
  | 'payment_intents.list'
  | 'payment_intents.retrieve'
  | 'payment_intents.update'
  | 'refunds.create'
  | 'refunds.list'
  | 'refunds.retrieve'
  | 'fee_quotes.create'
  | 'balance.retrieve'
  | 'webhook_signing_keys.list'
  | 'unknown';

/** One delivery of a request, without its body, its keys and its secrets (contract 6.2). */
export type RequestLogEntry = {
  /** Milliseconds since the epoch, on the sandbox's clock. */
  at: number;
  method: string;
  route: RouteName;
  /** The intent the request named, if it named one that exists. */
  intent: string | null;
  /** 1 for a request; 2 and more where a fault delivers the same one again, as a network may. */
  delivery: number;
  /**
   * `cut`: the connection ended before an answer; `refused`: before the request was read, so that it names no
   * intent; `null`: not answered yet. Of a delivery that nobody hears, what the service said.
   */
  status: number | 'cut' | 'refused' | null;
  /** Milliseconds on the sandbox's clock from arrival to answer; `null` while there is none, and where nobody hears it. */
  took: number | null;
  /** What was to befall the request, in the words in which faults are asked for; `null` where nothing was. */
  fault: string | null;
  /** The error's code, if it was an error. */
  code: string | null;
  /** The number of the payment attempt this request was, if it was one. */
  attempt: number | null;
  /** Where in the sandbox an unexpected exception came from. Its text is left out: it may quote the body. */
  defect: string | null;
};

/** The log is in memory: beyond this many, the oldest entries are dropped. */
export const MAX_LOGGED_REQUESTS = 10_000;

/** The requests to the service and its responses, in order of arrival. */
export type RequestLog = {
  open(entry: { at: number; method: string }): RequestLogEntry;
  /** The same request as `entry`, delivered again. */
  openAgain(entry: RequestLogEntry, at: number): RequestLogEntry;
  /** The latest requests, the oldest of them first. */
  recent(limit: number): RequestLogEntry[];
  /** The requests that named an intent, in order. */
  of(intent: string): RequestLogEntry[];
  /** From when on (milliseconds) every request is here: since the sandbox started, until old ones make room. */
  since(): number;
};

const NOT_ANSWERED = {
  status: null,
  took: null,
  fault: null,
  code: null,
  attempt: null,
  defect: null,
} as const;

/** An empty journal, begun at `start` (milliseconds). */
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
    open: (request) => keep({ ...request, route: 'unknown', intent: null, delivery: 1, ...NOT_ANSWERED }),
    openAgain: (entry, at) =>
      keep({ ...entry, at, delivery: entry.delivery + 1, ...NOT_ANSWERED, fault: entry.fault }),
    recent: (limit) => entries.slice(-limit),
    of: (intent) => entries.filter((entry) => entry.intent === intent),
    since: () => since,
  };
};

/** Notes why a request was refused, or where the sandbox failed. */
export const recordError = (entry: RequestLogEntry, error: Error): void => {
  if (error instanceof ServiceError) {
    entry.code = error.code;
  } else {
    entry.code = 'internal_error';
    const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
    entry.defect = [error.name, ...frames].join('\n');
  }
};
