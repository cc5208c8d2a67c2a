/** A tab's clock. It stands still until the explorer moves it, and reports when its timers are due. */
import type { Clock } from '../../api/clock/clock.ts';

type Timer = { due: number; ms: number; order: number; end(): void };

export const createTabTimers = () => {
  let now = 0;
  let order = 0;
  const timers = new Set<Timer>();
  const clock: Clock = {
    now: () => now,
    wait: (ms, stop) =>
      new Promise<void>((resolve) => {
        if (ms <= 0 || stop?.aborted) return resolve();
        order += 1;
        const end = () => {
          timers.delete(timer);
          stop?.removeEventListener('abort', end);
          resolve();
        };
        const timer: Timer = { due: now + ms, ms, order, end };
        timers.add(timer);
        stop?.addEventListener('abort', end);
      }),
  };
  const byTime = () => [...timers].sort((a, b) => a.due - b.due || a.order - b.order);
  return {
    clock,
    /** Advances time by `ms`. Runs no timers yet. */
    move(ms: number) {
      now += ms;
    },
    /** Runs due timers, each followed by everything that needs no time. */
    async run(settled: () => Promise<void>) {
      for (let next = byTime()[0]; next && next.due <= now; next = byTime()[0]) {
        next.end();
        await settled();
      }
    },
    count: () => timers.size,
    /** Due times of the timers, in order. */
    dues: () => byTime().map(({ due }) => due),
    fingerprint: () => byTime().map(({ due, ms }) => [Math.max(due - now, 0), ms]),
  };
};
