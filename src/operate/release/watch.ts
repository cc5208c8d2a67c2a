/**
 * Watches a release that a share of visitors gets, and says when it has to stop: when its form cannot be opened, when
 * browsers report more errors of it than a limit allows, or when either cannot be found out.
 */
import { messageOf } from './release-error.ts';

/** When a share stops. Null: this is not looked at. */
export type AbortLimits = {
  /** So many probes in a row that failed. */
  probe: number | null;
  /** So many reports of errors since the share began. */
  reports: number | null;
};

export type Watch = {
  limits: AbortLimits;
  /** How long to watch, and how long to wait between two looks, in ms. */
  duration: number;
  pause: number;
  /** Opens the form as a visitor of the share does. Why a buyer could not pay; null if one could. */
  probe: () => Promise<string | null>;
  /** How many reports of errors of the release arrived since the last call. */
  reports: () => Promise<number>;
  wait: (ms: number) => Promise<unknown>;
  now: () => number;
  log: (line: string) => void;
  /** Ends the watch at once. Its reason says what did. */
  signal: AbortSignal;
};

/** Reads `probe=2,reports=20`; null if that is none. */
export const parseLimits = (text: string): AbortLimits | null => {
  const limits: AbortLimits = { probe: null, reports: null };
  for (const one of text.split(',')) {
    const [, name, digits = ''] = /^(probe|reports)=(\d{1,6})$/.exec(one.trim()) ?? [];
    const limit = Number(digits);
    if (limit < 1 || (name !== 'probe' && name !== 'reports')) return null;
    limits[name] = limit;
  }
  return limits;
};

/** How many lines of a log of reports name the release. */
export const countReports = (log: string, release: string): number =>
  log.split('\n').filter((line) => line.includes(`/${release}/`)).length;

/** Watches until the time is over. Why the share has to stop; null if it went well. */
export const watchShare = (watch: Watch): Promise<string | null> => {
  const { signal } = watch;
  const stopped = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  return Promise.race([stopped, look(watch)]).catch(
    (error: unknown) => `it can no longer be watched: ${messageOf(signal.aborted ? signal.reason : error)}`,
  );
};

const look = async ({
  limits,
  duration,
  pause,
  probe,
  reports,
  wait,
  now,
  log,
  signal,
}: Watch): Promise<string | null> => {
  const end = now() + duration;
  if (limits.reports !== null) await reports(); // those from before the share
  let arrived = 0;
  let failed = 0;
  while (!signal.aborted) {
    if (limits.probe !== null) {
      const problem = await probe();
      failed = problem === null ? 0 : failed + 1;
      if (problem !== null) log(`probe ${failed} of ${limits.probe} failed: ${problem}`);
      if (problem !== null && failed >= limits.probe) return `${failed} probes in a row failed: ${problem}`;
    }
    if (limits.reports !== null) {
      arrived += await reports();
      if (arrived >= limits.reports) return `${arrived} reports of errors since the share began`;
    }
    if (now() + pause > end) return null;
    await wait(pause);
  }
  return null; // that it was stopped is said already
};
