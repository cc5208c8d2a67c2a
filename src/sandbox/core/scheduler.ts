import type { Clock } from './clock.ts';

/**
 * What happens by itself at its moment, though nobody asks: a payment settles, a webhook is sent again.
 *
 * Nothing here is saved. Whoever loads a store sets the alarms anew from what stands in it.
 */
export type Alarms = {
  /** Calls `act` at `at` (milliseconds on the service's clock), at once where that has passed. */
  at(at: number, act: () => void | Promise<void>): void;
  /** The earliest moment that is still to come, in milliseconds; `null` where nothing is. */
  next(): number | null;
  /** Resolves when all that is due has been done, the promises of `act` included. */
  idle(): Promise<void>;
};

// Taken at load, so that a test which replaces the timers still gets a turn of the event loop here.
const immediate = setImmediate;
const turn = () => new Promise<void>((resolve) => immediate(resolve));

/** No alarms yet. After `closing` none of them goes off. */
export const createAlarms = (clock: Clock, closing: AbortSignal): Alarms => {
  const waiting = new Set<{ at: number; off: AbortController }>();
  // One listener for all: a signal that many others follow (AbortSignal.any) keeps something of each.
  closing.addEventListener('abort', () => {
    for (const { off } of waiting) off.abort();
  });
  const running = new Set<Promise<void>>();

  const next = () => {
    let first: number | null = null;
    for (const { at } of waiting) if (first === null || at < first) first = at;
    return first;
  };

  const goOff = async (alarm: { at: number; off: AbortController }, act: () => void | Promise<void>) => {
    await clock.wait(alarm.at - clock.now(), alarm.off.signal);
    waiting.delete(alarm);
    if (closing.aborted) return;
    const doing = Promise.resolve(act());
    running.add(doing);
    await doing.finally(() => running.delete(doing));
  };

  return {
    at: (at, act) => {
      const alarm = { at, off: new AbortController() };
      waiting.add(alarm);
      void goOff(alarm, act);
    },
    next,
    idle: async () => {
      await turn();
      for (let due = next(); running.size > 0 || (due !== null && due <= clock.now()); due = next()) {
        await Promise.all([...running, turn()]);
        if (closing.aborted) return;
      }
    },
  };
};

/**
 * Moves the clock forward by `ms`, stopping at every alarm on the way until what it set off is done: eight
 * deliveries over two days then happen each at its own time, however fast the two days go by.
 */
export const advance = async (
  clock: Clock & { shift(ms: number): void },
  alarms: Alarms,
  ms: number,
): Promise<void> => {
  const target = clock.now() + ms;
  await alarms.idle();
  for (let due = alarms.next(); due !== null && due <= target; due = alarms.next()) {
    clock.shift(Math.max(0, due - clock.now()));
    await alarms.idle();
  }
  // Time went on meanwhile, perhaps beyond the target.
  clock.shift(Math.max(0, target - clock.now()));
  await turn();
};
