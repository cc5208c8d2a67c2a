/**
 * Monotonic time as an argument, so that tests control it. Wall-clock time decides nothing in a payment. The sandbox's
 * `WallClock` is a different type, and neither is assignable to the other.
 */
export type Clock = {
  /** For the type checker only. */
  readonly counts?: 'from-any-moment';
  /** Milliseconds since a fixed moment. Never goes back. */
  now(): number;
  /** Resolves after `ms` milliseconds, or as soon as `signal` aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
};

/** `setTimeout` fires at once above 2^31 - 1 ms, so long waits are split into days. */
const LONGEST_TIMEOUT = 86_400_000;

/** The clock of the browser or of Node. */
export const systemClock: Clock = {
  now: () => performance.now(),
  async wait(ms, signal) {
    for (let left = ms; left > 0 && !signal?.aborted; left -= LONGEST_TIMEOUT) {
      await timeout(Math.min(left, LONGEST_TIMEOUT), signal);
    }
  },
};

const timeout = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
