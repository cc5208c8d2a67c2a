import { createManualClock as createClock } from '../../api/manual-clock.ts';

/** The time is injected, so that a test controls what "now" is and when a wait ends (contract 6.4). */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Milliseconds. With a longer delay, `setTimeout` fires at once. */
const LONGEST_TIMEOUT = 2_147_483_647;

/** The system time, which can jump. The form's client uses a monotonic clock instead (`src/api/clock.ts`). */
export const wallClock: Clock = {
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

/** Pending waits. The caller wakes them, the earliest first. */
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
    /** The earliest wait that is due at `now`. Of several with the same time, the one added first. */
    next: (now: number): Waiter | undefined => {
      let first: Waiter | undefined;
      for (const waiter of waiting) {
        if (waiter.due <= now && (first === undefined || waiter.due < first.due)) first = waiter;
      }
      return first;
    },
  };
};

/** A clock that stands still until a test advances it. */
export const createManualClock = (
  startMs = Date.UTC(2026, 0, 1),
): Clock & {
  /** Moves the time and ends due waits in order. Each one sees the time at which it was due, and may start others. */
  advance(ms: number): Promise<void>;
} => {
  const { now, wait, advance } = createClock(1, startMs);
  return {
    now,
    wait,
    advance: async (ms) => {
      await advance(ms);
      await advance(0); // One more turn: what ended last may have a response to send.
    },
  };
};

/** Wraps a clock so that a control route can move it forward (contract 6.4). */
export type ShiftableClock = Clock & {
  shift(ms: number): void;
  /** How far it has been moved, in milliseconds. */
  offset(): number;
};

/** `initialOffset`: how far the clock was moved in an earlier run, if the state was loaded from a file. */
export const createShiftableClock = (base: Clock, initialOffset = 0): ShiftableClock => {
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
    // Wakes every wait, the earliest first. One that is not due yet waits again for the rest.
    shift: (ms) => {
      offset += ms;
      for (let next = waiters.next(Infinity); next !== undefined; next = waiters.next(Infinity)) next.wake();
    },
  };
};

/** Unix time in whole seconds, as the API writes it. */
export const unixNow = ({ clock }: { clock: Clock }): number => Math.floor(clock.now() / 1000);
