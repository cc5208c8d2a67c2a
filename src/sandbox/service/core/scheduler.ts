import type { WallClock } from './clock.ts';

/**
 * Runs tasks at a given time on the sandbox's clock, without a request: settles payments, retries webhooks.
 *
 * Nothing here is saved. After a store is loaded, `resume` reschedules everything from its rows.
 */
export type Scheduler = {
  /** Calls `run` at `time` (milliseconds on the sandbox's clock), or at once if that time has passed. */
  at(time: number, run: () => void | Promise<void>): void;
  /** The time of the earliest waiting task, in milliseconds; `null` if there is none. */
  next(): number | null;
  /** Resolves when every due task is done, including the promises that tasks returned. */
  idle(): Promise<void>;
};

type Task = { time: number; canceled: AbortController };

// Read at load, so that this yields to the event loop even in a test that replaces the timers.
const immediate = setImmediate;
const eventLoopTurn = () => new Promise<void>((resolve) => immediate(resolve));

/** Creates an empty scheduler. Once `closing` aborts, no task starts. */
export const createScheduler = (clock: WallClock, closing: AbortSignal): Scheduler => {
  const waiting = new Set<Task>();
  // One listener for all tasks. AbortSignal.any leaks a little memory for each signal that follows a long-lived one.
  closing.addEventListener('abort', () => {
    for (const { canceled } of waiting) canceled.abort();
  });
  const running = new Set<Promise<void>>();

  const next = () => {
    let first: number | null = null;
    for (const { time } of waiting) if (first === null || time < first) first = time;
    return first;
  };

  const runInTime = async (task: Task, run: () => void | Promise<void>) => {
    await clock.wait(task.time - clock.now(), task.canceled.signal);
    waiting.delete(task);
    if (closing.aborted) return;
    const done = Promise.resolve(run());
    running.add(done);
    await done.finally(() => running.delete(done));
  };

  return {
    at: (time, run) => {
      const task = { time, canceled: new AbortController() };
      waiting.add(task);
      void runInTime(task, run);
    },
    next,
    idle: async () => {
      await eventLoopTurn();
      for (let due = next(); running.size > 0 || (due !== null && due <= clock.now()); due = next()) {
        await Promise.all([...running, eventLoopTurn()]);
        if (closing.aborted) return;
      }
    },
  };
};

/**
 * Moves the clock forward by `ms`, stopping at every task on the way until it is done. So the eight attempts of a
 * delivery over two days each happen at their own time, even if the clock moves two days at once.
 */
export const advance = async (
  clock: WallClock & { shift(ms: number): void },
  scheduler: Scheduler,
  ms: number,
): Promise<void> => {
  const target = clock.now() + ms;
  await scheduler.idle();
  for (let due = scheduler.next(); due !== null && due <= target; due = scheduler.next()) {
    clock.shift(Math.max(0, due - clock.now()));
    await scheduler.idle();
  }
  // The base clock kept running in the meantime, possibly beyond the target.
  clock.shift(Math.max(0, target - clock.now()));
  await eventLoopTurn();
};
