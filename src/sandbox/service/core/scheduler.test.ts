import { describe, expect, it } from 'vitest';
import { createShiftableClock } from './clock.ts';
import { createManualWallClock } from './manual-clock.ts';
import { advance, createScheduler } from './scheduler.ts';

const start = 1_000_000;

const world = () => {
  const base = createManualWallClock(start);
  const clock = createShiftableClock(base);
  const closing = new AbortController();
  return { base, clock, closing, scheduler: createScheduler(clock, closing.signal) };
};

describe('the scheduler', () => {
  it('runs tasks at their times, and overdue tasks at once', async () => {
    const { base, clock, scheduler } = world();
    const went: string[] = [];
    const note = (name: string) => () => void went.push(`${name} ${clock.now() - start}`);
    scheduler.at(start + 200, note('later'));
    scheduler.at(start + 100, note('sooner'));
    scheduler.at(start - 5, note('passed'));
    expect(scheduler.next()).toBe(start - 5);
    await base.advance(99);
    expect(went).toEqual(['passed 0']);
    await base.advance(1000);
    expect(went).toEqual(['passed 0', 'sooner 100', 'later 200']);
    expect(scheduler.next()).toBeNull();
  });

  it('starts no task after it is closed', async () => {
    const { base, scheduler, closing } = world();
    let went = 0;
    scheduler.at(start + 100, () => {
      went += 1;
    });
    closing.abort();
    await base.advance(1000);
    expect(went).toBe(0);
    expect(scheduler.next()).toBeNull();
  });

  it('is idle when the tasks it started are done', async () => {
    const { scheduler } = world();
    let finish = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const order: string[] = [];
    scheduler.at(start, async () => {
      await work;
      order.push('done');
    });
    const idle = scheduler.idle().then(() => order.push('idle'));
    order.push('waiting');
    finish();
    await idle;
    expect(order).toEqual(['waiting', 'done', 'idle']);
  });
});

describe('moving the clock', () => {
  it('stops at every task, also at those that other tasks schedule, until the task is done', async () => {
    const { clock, scheduler } = world();
    const went: number[] = [];
    const again = (left: number) => async () => {
      await Promise.resolve();
      went.push(clock.now() - start);
      if (left > 0) scheduler.at(clock.now() + 100, again(left - 1));
    };
    scheduler.at(start + 50, again(3));
    await advance(clock, scheduler, 300);
    expect(went).toEqual([50, 150, 250]);
    expect(clock.now()).toBe(start + 300);
    await advance(clock, scheduler, 10_000);
    expect(went).toEqual([50, 150, 250, 350]);
    expect(clock.now()).toBe(start + 10_300);
  });
});
