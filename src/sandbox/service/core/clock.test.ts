import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../api/clock/clock.ts';
import { createShiftableClock, type WallClock, wallClock } from './clock.ts';
import { createManualWallClock } from './manual-clock.ts';

describe('the manual clock', () => {
  it('ends due waits in order, each at the time it was due, and leaves the others', async () => {
    const clock = createManualWallClock(0);
    const seen: string[] = [];
    const wait = async (ms: number) => {
      await clock.wait(ms);
      seen.push(`${ms}@${clock.now()}`);
    };
    wait(30);
    wait(10);
    wait(20);
    await clock.advance(25);
    expect(seen).toEqual(['10@10', '20@20']);
    expect(clock.now()).toBe(25);
    await clock.advance(5);
    expect(seen).toEqual(['10@10', '20@20', '30@30']);
  });

  it('ends waits that begin when another ends', async () => {
    const clock = createManualWallClock(0);
    let ended = 0;
    const twice = async () => {
      await clock.wait(10);
      await clock.wait(10);
      ended = clock.now();
    };
    twice();
    await clock.advance(100);
    expect(ended).toBe(20);
  });

  it('ends a wait at once when its signal aborts', async () => {
    const clock = createManualWallClock(0);
    const controller = new AbortController();
    const waiting = clock.wait(10, controller.signal);
    controller.abort();
    await waiting;
    await clock.wait(10, controller.signal);
    expect(clock.now()).toBe(0);
  });
});

describe('contract 6.4: the clock can be moved by a control route', () => {
  it('wakes the waits that become due; the others wait for the remaining time', async () => {
    const base = createManualWallClock(0);
    const clock = createShiftableClock(base);
    const seen: string[] = [];
    const wait = async (ms: number) => {
      await clock.wait(ms);
      seen.push(`${ms}@${clock.now()}`);
    };
    wait(30);
    wait(10);
    clock.shift(15);
    await base.advance(0);
    expect(seen).toEqual(['10@15']);
    await base.advance(14);
    expect(seen).toEqual(['10@15']);
    await base.advance(1);
    expect(seen).toEqual(['10@15', '30@30']);
  });

  it('ends a wait at once when its signal aborts', async () => {
    const clock = createShiftableClock(createManualWallClock(0));
    const controller = new AbortController();
    const waiting = clock.wait(10, controller.signal);
    controller.abort();
    await waiting;
    expect(clock.now()).toBe(0);
  });
});

describe('the two clocks', () => {
  it('are of different types: neither compiles instead of the other', () => {
    // @ts-expect-error The wall clock can jump, and the form must not wait by it.
    const monotonic: Clock = wallClock;
    // @ts-expect-error A monotonic clock does not know what time it is.
    const wall: WallClock = systemClock;
    expect(monotonic.now() - wall.now()).toBeGreaterThan(1e12);
  });
});
