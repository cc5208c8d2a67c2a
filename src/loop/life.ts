/** The life of a page: it can be out of sight, frozen (nothing runs) and offline, several at once. */
import type { Clock } from '../api/clock.ts';

/** What can keep a page from doing anything. */
export type Sleep = 'hide' | 'freeze' | 'offline';

export type Life = {
  /** The page's own timers: they come late where the page was frozen. */
  clock: Clock;
  /** How many of its timers run. */
  waiting(): number;
  isAwake(): boolean;
  isOnline(): boolean;
  /** Fulfils as soon as the page's scripts run. */
  running(): Promise<void>;
  /** Lasts `ms`; the page is told when nothing keeps it asleep any more. */
  sleep(how: Sleep, ms: number): void;
  /** The page is gone, and with it everything that slept. */
  end(): void;
};

/** A page that is awake; `onWake` gets how long it slept, in ms. */
export const createLife = (clock: Clock, onWake: (gap: number) => void): Life => {
  const asleep: Record<Sleep, number> = { hide: 0, freeze: 0, offline: 0 };
  const ending = new AbortController();
  const frozen: (() => void)[] = [];
  let since = 0;
  let timers = 0;
  const isAwake = () => asleep.hide + asleep.freeze + asleep.offline === 0;
  // One task after the other, as an event loop runs what has queued up.
  const thaw = async () => {
    for (const goOn of frozen.splice(0)) {
      goOn();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };
  const running = () =>
    asleep.freeze === 0 ? Promise.resolve() : new Promise<void>((resolve) => frozen.push(resolve));

  return {
    clock: {
      now: clock.now,
      async wait(ms, signal) {
        timers += 1;
        await clock.wait(ms, signal);
        if (!signal?.aborted) await running();
        timers -= 1;
      },
    },
    waiting: () => timers,
    isAwake,
    isOnline: () => asleep.offline === 0,
    running,
    sleep(how, ms) {
      if (isAwake()) since = clock.now();
      asleep[how] += 1;
      void clock.wait(ms, ending.signal).then(() => {
        asleep[how] -= 1;
        if (asleep.freeze === 0) void thaw();
        if (isAwake() && !ending.signal.aborted) onWake(clock.now() - since);
      });
    },
    end() {
      ending.abort();
      void thaw();
    },
  };
};
