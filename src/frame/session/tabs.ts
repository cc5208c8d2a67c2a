/**
 * Courtesy between tabs of one payment: who pays tells the others to wait, and what came of it. The browser
 * gives frames of our origin under one top-level site a lock and a channel; where it does not, or where they
 * fail, every tab does as if it were alone. The service's rule alone makes it one charge (research 2.7).
 */
import type { Clock } from '../../api/clock.ts';

/** How long a browser may take to say whether the lock is free, in ms. */
export const PATIENCE = 500;

export type Tabs = {
  /** Takes the turn to pay an intent; false where another tab has it. Does not wait any longer once `signal` aborts. */
  take(id: string, signal?: AbortSignal): Promise<boolean>;
  /** Gives the turn back, if it was taken. */
  leave(): void;
  /** Fulfils when no tab has the turn, or when `signal` aborts. */
  queue(id: string, signal: AbortSignal): Promise<void>;
  /** Says that this intent came to an end. */
  tell(id: string): void;
  /** Hears no more. */
  close(): void;
};

/** What it needs of the browser. */
export type Between = {
  /** Missing in old browsers. */
  locks: Pick<LockManager, 'request'> | undefined;
  /** Opens the channel; throws or returns null where there is none. */
  channel(): BroadcastChannel | null;
  clock: Clock;
  /** An intent came to its end in another tab. */
  onEnd(id: string): void;
};

const nameOf = (id: string) => `card-form ${id}`;

/** The other tabs, as far as the browser lets them be known. */
export const createTabs = ({ locks, channel: open, clock, onEnd }: Between): Tabs => {
  let giveBack = () => {};
  const channel = attempt(open);
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') onEnd(data);
    };
  }

  return {
    async take(id, signal) {
      if (!locks) return true;
      const answered = new AbortController();
      const stop = () => answered.abort();
      signal?.addEventListener('abort', stop);
      let late = false;
      const asked = new Promise<boolean>((resolve) => {
        const held = (lock: Lock | null) => {
          if (lock === null || late) return resolve(lock !== null);
          return new Promise<void>((release) => {
            giveBack = release;
            resolve(true);
          });
        };
        Promise.resolve(attempt(() => locks.request(nameOf(id), { ifAvailable: true }, held)))
          .catch(() => undefined)
          .then(() => resolve(true)); // refused, or given back: either way nobody else is known to have it
      });
      const unanswered = clock.wait(PATIENCE, answered.signal).then(() => {
        late = true;
        return true;
      });
      const mine = await Promise.race([asked, unanswered]);
      signal?.removeEventListener('abort', stop);
      stop();
      return mine;
    },
    leave() {
      giveBack();
      giveBack = () => {};
    },
    async queue(id, signal) {
      // Shared: all who wait go on at once, to read.
      await Promise.resolve(
        attempt(() => locks?.request(nameOf(id), { mode: 'shared', signal }, () => undefined)),
      ).catch(() => undefined);
    },
    tell: (id) => channel?.postMessage(id),
    close: () => channel?.close(),
  };
};

/** Where storage is denied to frames, these throw. */
const attempt = <Value>(what: () => Value): Value | null => {
  try {
    return what();
  } catch {
    return null;
  }
};
