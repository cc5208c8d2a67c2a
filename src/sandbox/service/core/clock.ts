/** Wall-clock time as an argument, so that a test controls what "now" is and when a wait ends (contract 6.4). */
export type WallClock = {
  /** For the type checker only: makes it reject a monotonic clock here. */
  readonly counts?: 'from-1970';
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
};

/** In milliseconds. `setTimeout` fires at once above this delay. */
const LONGEST_TIMEOUT = 2_147_483_647;

/** The system time, which can jump. The form's client uses a monotonic clock instead (`src/api/clock/clock.ts`). */
export const wallClock: WallClock = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      const deadline = Date.now() + ms;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const tick = () => {
        const left = deadline - Date.now();
        if (left <= 0 || signal?.aborted) end();
        else timer = setTimeout(tick, Math.min(left, LONGEST_TIMEOUT));
      };
      signal?.addEventListener('abort', end);
      tick();
    }),
};

type Waiter = { due: number; wake: () => void };

/** Pending waits. The caller wakes them, earliest first. */
const createWaiters = () => {
  const waiting = new Set<Waiter>();
  return {
    add: (due: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          waiting.delete(waiter);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const waiter: Waiter = { due, wake };
        waiting.add(waiter);
        signal?.addEventListener('abort', wake);
      }),
    /** Returns the earliest wait that is due at `now`. Of several with the same time, the one added first. */
    next: (now: number): Waiter | undefined => {
      let first: Waiter | undefined;
      for (const waiter of waiting) {
        if (waiter.due <= now && (first === undefined || waiter.due < first.due)) first = waiter;
      }
      return first;
    },
  };
};

/** Wraps a clock so that a control route can move it forward (contract 6.4). */
export type ShiftableClock = WallClock & {
  shift(ms: number): void;
  /** How far the clock has been moved, in milliseconds. */
  offset(): number;
};

/** `initialOffset` is how far the clock was moved in an earlier run, if the state was loaded from a file. */
export const createShiftableClock = (base: WallClock, initialOffset = 0): ShiftableClock => {
  let offset = initialOffset;
  const waiters = createWaiters();
  const now = () => base.now() + offset;
  return {
    now,
    offset: () => offset,
    wait: async (ms, signal) => {
      const due = now() + ms;
      while (now() < due && !signal?.aborted) {
        const ended = new AbortController();
        // Not AbortSignal.any: it leaks a little memory for each signal that follows a long-lived one.
        const end = () => ended.abort();
        signal?.addEventListener('abort', end);
        await Promise.race([base.wait(due - now(), ended.signal), waiters.add(due, ended.signal)]);
        signal?.removeEventListener('abort', end);
        end();
      }
    },
    // Wakes every wait, earliest first. A wait that is not due yet waits again for the rest.
    shift: (ms) => {
      offset += ms;
      for (let next = waiters.next(Infinity); next !== undefined; next = waiters.next(Infinity)) next.wake();
    },
  };
};

/** Unix time in whole seconds, as in the API. */
export const unixNow = ({ clock }: { clock: WallClock }): number => Math.floor(clock.now() / 1000);

/** Converts seconds to whole milliseconds; `1767225600.123 * 1000` is not an integer. */
export const toMs = (seconds: number): number => Math.round(seconds * 1000);
