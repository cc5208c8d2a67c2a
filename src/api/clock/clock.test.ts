import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';

/** `setTimeout` fires at once above this, in ms. */
const MOST = 2 ** 31 - 1;
const DAY = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Starts a wait and records whether it is over. */
const waiting = (ms: number, signal?: AbortSignal) => {
  const wait = { isOver: false };
  void systemClock.wait(ms, signal).then(() => {
    wait.isOver = true;
  });
  return wait;
};

describe('threat-model C65: no `setTimeout` overflow', () => {
  it('a wait of 30 days takes 30 days, in pieces that `setTimeout` allows', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout');
    const wait = waiting(30 * DAY);
    await vi.advanceTimersByTimeAsync(30 * DAY - 1);
    expect(wait.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(wait.isOver).toBe(true);
    for (const [, ms] of set.mock.calls) expect(ms).toBeLessThanOrEqual(MOST);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a wait of 10^9 seconds does not end at once', async () => {
    const ending = new AbortController();
    const wait = waiting(1e12, ending.signal);
    await vi.advanceTimersByTimeAsync(100 * DAY);
    expect(wait.isOver).toBe(false);
    ending.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(wait.isOver).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('outcomes I9: no timer is left', () => {
  it('a wait ends as soon as the signal aborts, without a timer', async () => {
    const ending = new AbortController();
    const wait = waiting(60_000, ending.signal);
    expect(vi.getTimerCount()).toBe(1);
    ending.abort();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(wait.isOver).toBe(true);
  });

  it.each([0, -5])('a wait of %i ms sets no timer', async (ms) => {
    const wait = waiting(ms);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(wait.isOver).toBe(true);
  });
});

it('threat-model C59: the clock does not follow the system time', () => {
  const before = systemClock.now();
  vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2019, 0, 1));
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
});
