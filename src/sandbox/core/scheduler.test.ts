import { describe, expect, it } from 'vitest';
import { createManualClock, createShiftableClock } from './clock.ts';
import { advance, createAlarms } from './scheduler.ts';

const start = 1_000_000;

const world = () => {
  const base = createManualClock(start);
  const clock = createShiftableClock(base);
  const closing = new AbortController();
  return { base, clock, closing, alarms: createAlarms(clock, closing.signal) };
};

describe('alarms', () => {
  it('go off at their moments, the passed ones at once', async () => {
    const { base, clock, alarms } = world();
    const went: string[] = [];
    const note = (name: string) => () => void went.push(`${name} ${clock.now() - start}`);
    alarms.at(start + 200, note('later'));
    alarms.at(start + 100, note('sooner'));
    alarms.at(start - 5, note('passed'));
    expect(alarms.next()).toBe(start - 5);
    await base.advance(99);
    expect(went).toEqual(['passed 0']);
    await base.advance(1000);
    expect(went).toEqual(['passed 0', 'sooner 100', 'later 200']);
    expect(alarms.next()).toBeNull();
  });

  it('none goes off after the end', async () => {
    const { base, alarms, closing } = world();
    let went = 0;
    alarms.at(start + 100, () => {
      went += 1;
    });
    closing.abort();
    await base.advance(1000);
    expect(went).toBe(0);
    expect(alarms.next()).toBeNull();
  });

  it('are idle when what they set off is done', async () => {
    const { alarms } = world();
    let finish = () => {};
    const work = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const order: string[] = [];
    alarms.at(start, async () => {
      await work;
      order.push('done');
    });
    const idle = alarms.idle().then(() => order.push('idle'));
    order.push('waiting');
    finish();
    await idle;
    expect(order).toEqual(['waiting', 'done', 'idle']);
  });
});

describe('moving the clock', () => {
  it('stops at every alarm, also at those that others set, until what it set off is done', async () => {
    const { clock, alarms } = world();
    const went: number[] = [];
    const again = (left: number) => async () => {
      await Promise.resolve();
      went.push(clock.now() - start);
      if (left > 0) alarms.at(clock.now() + 100, again(left - 1));
    };
    alarms.at(start + 50, again(3));
    await advance(clock, alarms, 300);
    expect(went).toEqual([50, 150, 250]);
    expect(clock.now()).toBe(start + 300);
    await advance(clock, alarms, 10_000);
    expect(went).toEqual([50, 150, 250, 350]);
    expect(clock.now()).toBe(start + 10_300);
  });
});
