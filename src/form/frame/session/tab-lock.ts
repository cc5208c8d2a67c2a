/**
 * A lock shared by the tabs of one payment: only one tab confirms at a time, and the others read the outcome. Browsers
 * give frames of our origin under one top-level site a shared lock and a broadcast channel. If these are missing or
 * fail, each tab acts as if it were alone, which is safe: the service's own rules prevent a second charge
 * (outcomes 2.7).
 */
import type { Clock } from '../../../api/clock/clock.ts';
import { withTimeout } from '../../../api/clock/with-timeout.ts';

/** Time limit for the browser to say whether the lock is free, in ms. */
export const LOCK_TIMEOUT = 500;

export type TabLock = {
  /** Acquires the lock of an intent; false if another tab holds it. Stops waiting when `signal` aborts. */
  acquire(id: string, signal?: AbortSignal): Promise<boolean>;
  /** Releases the lock if this tab holds it. */
  release(): void;
  /** Resolves when no tab holds the lock, or when `signal` aborts. */
  whenFree(id: string, signal: AbortSignal): Promise<void>;
  /** Tells the other tabs that this intent has ended. */
  announceEnd(id: string): void;
  /** Stops listening to the other tabs. */
  close(): void;
};

/** Browser APIs shared by tabs of one origin. */
export type TabSharing = {
  /** Undefined in old browsers. */
  locks: Pick<LockManager, 'request'> | undefined;
  /** Opens the channel. Throws or returns null if the browser has none for this frame. */
  openChannel(): BroadcastChannel | null;
};

type Deps = TabSharing & {
  clock: Clock;
  /** An intent ended in another tab. */
  onEnd(id: string): void;
};

const nameOf = (id: string) => `card-form ${id}`;

/** Creates this tab's end of the lock, as far as the browser supports it. */
export const createTabLock = ({ locks, openChannel, clock, onEnd }: Deps): TabLock => {
  let releaseHeld = () => {};
  const channel = attempt(openChannel);
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') onEnd(data);
    };
  }

  return {
    async acquire(id, signal) {
      if (!locks) return true;
      const timed = await withTimeout(
        clock,
        LOCK_TIMEOUT,
        signal,
        (ending) =>
          new Promise<boolean>((resolve) => {
            const held = (lock: Lock | null) => {
              if (lock === null || ending.aborted) return resolve(lock !== null); // too late: not held
              return new Promise<void>((release) => {
                releaseHeld = release;
                resolve(true);
              });
            };
            Promise.resolve(attempt(() => locks.request(nameOf(id), { ifAvailable: true }, held)))
              .catch(() => undefined)
              .then(() => resolve(true)); // refused or released: either way no other tab is known to hold it
          }),
      );
      return timed.kind === 'done' ? timed.value : true;
    },
    release() {
      releaseHeld();
      releaseHeld = () => {};
    },
    async whenFree(id, signal) {
      // A shared lock lets all waiting tabs continue at the same time, since each only reads.
      await Promise.resolve(
        attempt(() => locks?.request(nameOf(id), { mode: 'shared', signal }, () => undefined)),
      ).catch(() => undefined);
    },
    announceEnd: (id) => channel?.postMessage(id),
    close: () => channel?.close(),
  };
};

/** Returns null if `what` throws: browsers throw if they deny storage to cross-origin frames. */
const attempt = <Value>(what: () => Value): Value | null => {
  try {
    return what();
  } catch {
    return null;
  }
};
