/** Time as an argument, so that a test decides what "now" is and when a wait ends (contract 6.4). */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
};

/** Above this `setTimeout` fires at once instead of late. */
const LONGEST_TIMEOUT = 2_147_483_647;

/** The machine's time, which can jump; the form's client has a monotonic clock instead (`src/api/clock.ts`). */
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

/** Waits that end when they are told to, the earliest first. */
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
    /** The earliest wait that is due at `now`; of several the one that was asked for first. */
    next: (now: number): Waiter | undefined => {
      let first: Waiter | undefined;
      for (const waiter of waiting) {
        if (waiter.due <= now && (first === undefined || waiter.due < first.due)) first = waiter;
      }
      return first;
    },
  };
};

// Taken at load, so that a test which replaces the timers still gets a turn of the event loop here.
const immediate = setImmediate;
const turn = () => new Promise<void>((resolve) => immediate(resolve));

/** A clock that stands still until a test advances it. */
export const createManualClock = (
  startMs = Date.UTC(2026, 0, 1),
): Clock & {
  /** Moves time, ending due waits in order; each sees the time it was due at, and may start further waits. */
  advance(ms: number): Promise<void>;
} => {
  let now = startMs;
  const waiters = createWaiters();
  return {
    now: () => now,
    wait: (ms, signal) => (ms <= 0 ? Promise.resolve() : waiters.add(now + ms, signal)),
    advance: async (ms) => {
      const target = now + ms;
      await turn(); // whoever is on the way to a wait gets there first
      for (let next = waiters.next(target); next !== undefined; next = waiters.next(target)) {
        now = Math.max(now, next.due);
        next.wake();
        await turn();
      }
      now = target;
      await turn();
    },
  };
};

/** A clock over another one that a control route can move forward (contract 6.4). */
export type ShiftableClock = Clock & {
  shift(ms: number): void;
  /** How far it was moved, in milliseconds. */
  offset(): number;
};

/** `moved`: how far it was moved before, by a service whose state was loaded. */
export const createShiftableClock = (base: Clock, moved = 0): ShiftableClock => {
  let offset = moved;
  const waiters = createWaiters();
  const now = () => base.now() + offset;
  return {
    now,
    offset: () => offset,
    wait: async (ms, signal) => {
      const due = now() + ms;
      while (now() < due && !signal?.aborted) {
        const ended = new AbortController();
        // By hand: AbortSignal.any keeps something of every signal that ever followed a lasting one.
        const end = () => ended.abort();
        signal?.addEventListener('abort', end);
        await Promise.race([base.wait(due - now(), ended.signal), waiters.add(due, ended.signal)]);
        signal?.removeEventListener('abort', end);
        end();
      }
    },
    // Everybody wakes, the earliest first: who is not due yet waits again, for less.
    shift: (ms) => {
      offset += ms;
      for (let next = waiters.next(Infinity); next !== undefined; next = waiters.next(Infinity)) next.wake();
    },
  };
};

/** The time in whole seconds, as the API writes it. */
export const unixNow = ({ clock }: { clock: Clock }): number => Math.floor(clock.now() / 1000);
