import { ServiceError } from './errors.ts';

/** The name of a route as the journal, the limits and the faults know it. */
export type RouteName =
  | 'client.retrieve'
  | 'client.confirm'
  | 'client.release'
  | 'payment_intents.create'
  | 'payment_intents.list'
  | 'payment_intents.retrieve'
  | 'payment_intents.update'
  | 'unknown';

/** One request, without its body, its keys and its secrets (contract 6.2). */
export type JournalEntry = {
  /** Milliseconds since the epoch, on the sandbox's clock. */
  at: number;
  method: string;
  route: RouteName;
  /** The intent the request named, if it named one that exists. */
  intent: string | null;
  /** `cut`: the connection ended before an answer; `null`: not answered yet. */
  status: number | 'cut' | null;
  /** The error's code, if it was an error. */
  code: string | null;
  /** The number of the payment attempt this request was, if it was one. */
  attempt: number | null;
  /** Where in the sandbox an unexpected exception came from. Its text is left out: it may quote the body. */
  defect: string | null;
};

/** Enough to look back on; old entries make room. */
const KEPT = 10_000;

/** What was asked of the service and what it answered, in order of arrival. */
export type Journal = {
  open(entry: { at: number; method: string }): JournalEntry;
  /** The latest requests, the oldest of them first. */
  recent(limit: number): JournalEntry[];
  /** The requests that named an intent, in order. */
  of(intent: string): JournalEntry[];
};

/** An empty journal. */
export const createJournal = (): Journal => {
  const entries: JournalEntry[] = [];
  return {
    open: ({ at, method }) => {
      const entry: JournalEntry = {
        at,
        method,
        route: 'unknown',
        intent: null,
        status: null,
        code: null,
        attempt: null,
        defect: null,
      };
      entries.push(entry);
      if (entries.length > KEPT) entries.shift();
      return entry;
    },
    recent: (limit) => entries.slice(-limit),
    of: (intent) => entries.filter((entry) => entry.intent === intent),
  };
};

/** Notes why a request was refused, or where the sandbox failed. */
export const noteError = (entry: JournalEntry, error: Error): void => {
  if (error instanceof ServiceError) {
    entry.code = error.code;
  } else {
    entry.code = 'internal_error';
    const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
    entry.defect = [error.name, ...frames].join('\n');
  }
};
