import type { Clock } from '../api/clock.ts';

/** A clock that stands still until it is moved, and knows who waits. */
export type VirtualClock = Clock & {
  /** Moves time; every wait that becomes due ends at its own moment, and what follows from it happens then. */
  advance(ms: number): Promise<void>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
  /** How many waits there are. */
  waiting(): number;
};

/** Turns of the event loop after which whatever needs no time has happened: bodies are streams. */
const TURNS = 3;

/** A clock at `start` ms. */
export const createVirtualClock = (start: number): VirtualClock => {
  let now = start;
  const waiters = new Set<{ due: number; wake(): void }>();

  const settle = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
  };

  return {
    now: () => now,
    settle,
    waiting: () => waiters.size,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve();
        const waiter = {
          due: now + ms,
          wake() {
            waiters.delete(waiter);
            signal?.removeEventListener('abort', waiter.wake);
            resolve();
          },
        };
        waiters.add(waiter);
        signal?.addEventListener('abort', waiter.wake);
      }),
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (;;) {
        let next: { due: number; wake(): void } | undefined;
        for (const waiter of waiters) {
          if (waiter.due <= until && (!next || waiter.due < next.due)) next = waiter;
        }
        if (!next) break;
        now = Math.max(now, next.due);
        next.wake();
        await settle();
      }
      now = until;
    },
  };
};
