/** A clock for tests that stands still until `advance` moves it. The package's sandbox uses it, too. */
import { setImmediate } from 'node:timers';
import type { Clock } from './clock.ts';

export type ManualClock = Clock & {
  /**
   * Moves time forward. Waits end in the order in which they are due, each at its own time, and everything that follows
   * from one has happened before the next ends.
   */
  advance(ms: number): Promise<void>;
  /** The number of pending waits. */
  waiting(): number;
};

type Waiter = { due: number; end: () => void };

// Read at load, so that this yields to the event loop even in a test that replaces the timers. A jsdom page has no
// global `setImmediate`.
const immediate = setImmediate;

/**
 * Creates a clock at `startMs`. After each wait it yields to the event loop `turns` times so that what follows can run.
 * One turn is enough for promises; request bodies are streams and need more.
 */
export const createManualClock = (turns = 1, startMs = 0): ManualClock => {
  let now = startMs;
  const waiters = new Set<Waiter>();

  const wait = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (ms <= 0 || signal?.aborted) return resolve();
      const end = () => {
        waiters.delete(waiter);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const waiter: Waiter = { due: now + ms, end };
      waiters.add(waiter);
      signal?.addEventListener('abort', end);
    });

  const earliest = (): Waiter | undefined => {
    let first: Waiter | undefined;
    for (const waiter of waiters) if (!first || waiter.due < first.due) first = waiter;
    return first;
  };

  const advance = async (ms: number) => {
    const target = now + ms;
    await settled();
    for (let next = earliest(); next && next.due <= target; next = earliest()) {
      now = Math.max(now, next.due);
      next.end();
      await settled();
    }
    now = Math.max(now, target); // time may be moved from two places at once
  };

  /** Resolves when everything that takes no time has happened. */
  const settled = async () => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => immediate(resolve));
  };

  return { now: () => now, wait, advance, waiting: () => waiters.size };
};
