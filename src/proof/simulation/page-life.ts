/** The lifecycle of a page: it can be hidden, frozen (no script runs) and offline, several at once. */
import { signal } from '@preact/signals';
import type { Clock } from '../../api/clock/clock.ts';
import type { Lifecycle } from '../../form/frame/session/lifecycle.ts';

/** Things that keep a page from working. */
export type Sleep = 'hide' | 'freeze' | 'offline';

export type PageLife = Lifecycle & {
  /** The page's own timers: they fire late if the page was frozen. */
  clock: Clock;
  /** Number of its running timers. */
  waiting(): number;
  /** Resolves as soon as the page's scripts run. */
  running(): Promise<void>;
  /** Sleeps for `ms`. The page gets `woke` once nothing keeps it asleep any more. */
  sleep(how: Sleep, ms: number): void;
  /** The document is restored from the back/forward cache. */
  restore(): void;
  /** Destroys the page, and every pending sleep with it. */
  end(): void;
};

/** A page that is awake. */
export const createPageLife = (clock: Clock): PageLife => {
  const asleep: Record<Sleep, number> = { hide: 0, freeze: 0, offline: 0 };
  const online = signal(true);
  const ending = new AbortController();
  const frozen: (() => void)[] = [];
  let send: Parameters<Lifecycle['listen']>[0] = () => undefined;
  let since = 0;
  let timers = 0;
  const isAwake = () => asleep.hide + asleep.freeze === 0;
  const isWorking = () => isAwake() && asleep.offline === 0;
  // One task after another, as an event loop drains its queue. Uses the clock, which doesn't advance meanwhile.
  const thaw = async () => {
    while (asleep.freeze === 0 || ending.signal.aborted) {
      const resume = frozen.shift();
      if (!resume) return;
      resume();
      await clock.wait(1, ending.signal);
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
    online,
    isAwake,
    running,
    listen(listener, signal) {
      send = listener;
      signal.addEventListener('abort', () => {
        send = () => undefined;
      });
    },
    sleep(how, ms) {
      if (isWorking()) since = clock.now();
      asleep[how] += 1;
      online.value = asleep.offline === 0;
      void clock.wait(ms, ending.signal).then(() => {
        asleep[how] -= 1;
        online.value = asleep.offline === 0;
        if (asleep.freeze === 0) void thaw();
        if (isWorking() && !ending.signal.aborted) send({ type: 'woke', gap: clock.now() - since });
      });
    },
    restore: () => send({ type: 'restored' }),
    end() {
      ending.abort();
      void thaw();
    },
  };
};
