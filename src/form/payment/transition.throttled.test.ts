/** A confirm that was answered with 429. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import { exampleIntent } from './payment.fixture.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmed,
  confirmFailed,
  drive,
  NETWORK,
  play,
  press,
  REFRESH,
  RESTORED,
  RETRIEVE,
  RETRY,
  ready,
  retrieved,
  retrieveFailed,
  throttled,
  WAITED,
  wait,
  woke,
} from './transition.fixture.ts';

describe('outcomes 2.6, confirm, 429: waits, reads, then ready', () => {
  const limited = (seconds: number, stated = true) =>
    drive(CONFIRMING, [0, confirmFailed(throttled(seconds, stated))]);

  it.each([
    [0, 100],
    [1, 1100],
    [59, 59_100],
    [60, 60_100],
    [3600, 3_600_100],
  ])('threat-model C64: Retry-After %i: reads after exactly that long plus 100 ms', (seconds, readAt) => {
    const step = limited(seconds);
    expect(step.state).toMatchObject({ status: 'throttled', until: readAt, secondsLeft: seconds });
    const story = play(step, 0, () => retrieved());
    expect(story.reads).toEqual([readAt]);
    expect(ready(story).feedback).toEqual({ notice: { kind: 'throttle_over' }, previousTotal: null });
  });

  it('counts down by the second and never shows less time than is left', () => {
    const shown: [number, number][] = [];
    let step = limited(3);
    for (let now = 0; step.state.status === 'throttled'; ) {
      shown.push([now, step.state.secondsLeft]);
      const [effect] = step.effects;
      if (effect?.type !== 'wait') break;
      expect(effect.jitter, 'a stated wait is not spread').toBe(false);
      now += effect.ms;
      step = drive(step, [now, WAITED]);
    }
    expect(shown).toEqual([
      [0, 3],
      [100, 3],
      [1100, 2],
      [2100, 1],
    ]);
    expect(step).toMatchObject({ state: { status: 'reloading' }, effects: RETRIEVE });
  });

  it('a timer that fires early waits for the rest', () => {
    const step = drive(limited(1), [100, WAITED], [1099.5, WAITED]);
    expect(step.state).toMatchObject({ status: 'throttled' });
    expect(step.effects).toEqual(wait(0.5));
  });

  it('outcomes 2.7: a timer that fires late, after a sleep, reads at once', () => {
    expect(drive(limited(60), [3_000_000, WAITED]).effects).toEqual(RETRIEVE);
  });

  it('without a usable Retry-After: 60 s, marked as not stated by the service', () => {
    const step = limited(60, false);
    expect(step.state).toMatchObject({ until: 60_100, error: { retryAfter: 60, stated: false } });
  });

  it('outcomes I6: no event makes it send early, and no press counts', () => {
    const { state } = limited(60);
    for (const event of [press(), RETRY, REFRESH, RESTORED, woke(), retrieved(), confirmed({})]) {
      expect(drive(state, [60_099, event])).toEqual({ state, effects: [] });
    }
  });

  it('a total that changed while it waited: ready, and no confirm without a press', () => {
    const story = play(limited(5), 0, () => retrieved({ amount_total: 1334 }));
    expect(ready(story).feedback.previousTotal).toEqual({ amount: 1234, currency: 'usd' });
  });

  it.each([3601, 1_000_000_000])(
    'Retry-After %i: counted down, but the next read is started by hand',
    (seconds) => {
      const step = limited(seconds);
      const until = seconds * 1000 + 100;
      expect(step.state).toMatchObject({ status: 'throttled', until, secondsLeft: seconds });
      expect(step.effects.every((effect) => effect.type === 'wait' && effect.ms <= 1000)).toBe(true);
      expect(drive(step, [until - 1, RETRY])).toEqual({ state: step.state, effects: [] });
      const over = drive(step, [until, WAITED]);
      expect(over).toMatchObject({ state: { status: 'throttled', secondsLeft: 0 }, effects: [] });
      for (const event of [RETRY, REFRESH]) expect(drive(over, [until, event]).effects).toEqual(RETRIEVE);
    },
  );

  it('no answer to the reads that follow: load_failed with the intent, and "Try again" is held', () => {
    const story = play(limited(5), 0, () => retrieveFailed(NETWORK));
    expect(story.reads).toEqual([5100, 6100, 9100, 17_100]);
    expect(story.state).toMatchObject({ status: 'load_failed', intent: exampleIntent(), failure: NETWORK });
    expect(drive(story.state, [story.ended + 500, RETRY])).toMatchObject({
      state: { status: 'reloading', activity: 'pausing', feedback: { notice: { kind: 'throttle_over' } } },
      effects: wait(1500),
    });
  });

  it('429 for the read that follows: waits again', () => {
    const answers = [retrieveFailed(throttled(7)), retrieved()];
    const story = play(limited(5), 0, () => answers.shift() ?? CLOSED);
    expect(story.reads).toEqual([5100, 12_200]);
    expect(story.state.status).toBe('ready');
  });
});
