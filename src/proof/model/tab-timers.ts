/** The clock of a tab. It stands still until the explorer moves it, and tells when its timers are due. */
import type { Clock } from '../../clock/clock.ts';

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
    /** Time passes, in ms. No timer runs yet. */
    move(ms: number) {
      now += ms;
    },
    /** Runs the timers that are due, each followed by all that needs no time. */
    async run(settled: () => Promise<void>) {
      for (let next = byTime()[0]; next && next.due <= now; next = byTime()[0]) {
        next.end();
        await settled();
      }
    },
    count: () => timers.size,
    /** When the timers are due, the next one first. */
    dues: () => byTime().map(({ due }) => due),
    fingerprint: () => byTime().map(({ due, ms }) => [Math.max(due - now, 0), ms]),
  };
};
