/** Effects of the page on a payment, and events that a state doesn't expect. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import type { PaymentEvent, PaymentState } from './payment-state.ts';
import { SCHEDULE } from './timing.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmed,
  confirmFailed,
  drive,
  FIRST_POLL,
  LOADING,
  type Moment,
  NETWORK,
  PROCESSING,
  play,
  press,
  READY,
  REFRESH,
  RESTORED,
  RETRIEVE,
  RETRY,
  ready,
  refused,
  releaseFailed,
  retrieved,
  retrieveFailed,
  SILENT,
  throttled,
  UNKNOWN,
  WAITED,
  wait,
  woke,
} from './transition.fixture.ts';
import { initial, transition } from './transition.ts';

describe('outcomes 2.7: "offline" is a hint; the request decides', () => {
  it('a press is answered by a read: if it is answered, the browser was wrong and the next press pays', () => {
    const step = drive(READY, [0, press(), true, true]);
    expect(step).toMatchObject({ state: { status: 'reloading' }, effects: RETRIEVE });
    const read = drive(step, [100, retrieved(), true, false]);
    expect(read.state.status).toBe('ready');
    expect(drive(read, [1000, press()]).state.status).toBe('confirming');
  });

  it('a press whose read gets no answer sends nothing', () => {
    const step = drive(READY, [0, press(), true, true]);
    expect(play(step, 0, () => retrieveFailed(NETWORK)).state.status).toBe('load_failed');
  });

  it('reads after a press go on, every 30 s, and use up none of the ten minutes', () => {
    const failed = drive(
      SILENT,
      [1000, WAITED, true, true],
      [1001, retrieveFailed(NETWORK), true, true],
      [31_001, WAITED, true, true],
    );
    expect(failed).toMatchObject({
      state: { polling: { activity: 'reading', reads: 1 } },
      effects: RETRIEVE,
    });
    const later = drive(failed, [31_002, retrieveFailed(NETWORK), true, true]);
    expect(later).toMatchObject({ state: { polling: { reads: 1 } }, effects: wait(30_000) });
    expect(drive(later, [31_500, woke(500)]).effects, 'connected again: at once').toEqual(RETRIEVE);
    expect(drive(later, [31_500, woke(500), true, true], [61_002, WAITED]).effects).toEqual([]);
  });

  it('"Check status" uses up its own schedule also while offline, so that it ends', () => {
    const step = drive(UNKNOWN.state, [1_200_000, RETRY, true, true]);
    expect(step.effects).toEqual(RETRIEVE);
    const failed = drive(step, [1_200_001, retrieveFailed(NETWORK), true, true]);
    expect(failed).toMatchObject({ state: { polling: { plan: 'check', reads: 1 } } });
  });
});

describe('outcomes 2.7: hidden or frozen', () => {
  it('hidden during a confirm: the confirm stays open', () => {
    const step = drive(CONFIRMING, [8000, WAITED, false], [20_000, WAITED, false]);
    expect(step).toMatchObject({ state: { status: 'confirming', activity: 'asleep' }, effects: [] });
    expect(drive(step, [60_000, confirmed({ status: 'succeeded' }), false]).state.status).toBe('succeeded');
  });

  it('visible again during a confirm: reads at once', () => {
    const asleep = drive(CONFIRMING, [8000, WAITED, false], [20_000, WAITED, false]);
    expect(drive(asleep, [30_000, woke()])).toMatchObject({
      state: { status: 'confirming', activity: 'reading' },
      effects: RETRIEVE,
    });
  });

  it('frozen during a confirm: reads at once on waking, even before 20 s', () => {
    expect(drive(CONFIRMING, [4000, woke(3000)]).effects).toEqual(RETRIEVE);
    expect(drive(CONFIRMING, [3999, woke(3000)])).toEqual({ state: CONFIRMING.state, effects: [] });
  });

  it('asleep beside an open confirm: reads on every waking, even soon after the last read', () => {
    const asleep = drive(
      CONFIRMING,
      [8000, WAITED],
      [20_000, WAITED],
      [20_000, retrieved()],
      [21_000, WAITED, false],
    );
    expect(asleep.state).toMatchObject({ activity: 'asleep' });
    expect(drive(asleep, [22_000, woke(1000)]).effects).toEqual(RETRIEVE);
  });

  it('a poll that comes due while hidden sends nothing until waking', () => {
    for (const from of [SILENT, PROCESSING]) {
      const step = drive(from, [1000, WAITED, false]);
      expect(step).toMatchObject({ state: { polling: { activity: 'asleep' } }, effects: [] });
      expect(drive(step, [3_600_000, woke(3_599_000)]).effects, 'however long it slept').toEqual(RETRIEVE);
      expect(drive(step, [1500, woke(500)]).effects, 'however short').toEqual(RETRIEVE);
    }
  });

  it('sleep uses up none of the ten minutes', () => {
    const asleep = drive(SILENT, [1000, WAITED, false]);
    const story = play(drive(asleep, [3_600_000, woke()]), 3_600_000, () => retrieveFailed(NETWORK));
    expect(story.reads).toHaveLength(SCHEDULE.length);
  });

  it('waking between two polls: reads at once, but not within 4 s of the last read', () => {
    const pausing = drive(SILENT, [1000, WAITED], [1000, retrieveFailed(NETWORK)]);
    expect(drive(pausing, [4999, woke()])).toEqual({ state: pausing.state, effects: [] });
    expect(drive(pausing, [5000, woke()]).effects).toEqual(RETRIEVE);
  });

  it('waking while a poll is being read: no second request', () => {
    const reading = drive(SILENT, [1000, WAITED]);
    for (const event of [woke(), RESTORED, REFRESH, RETRY, WAITED]) {
      expect(drive(reading, [60_000, event])).toEqual({ state: reading.state, effects: [] });
    }
  });

  it('waking in ready after more than 30 s: reads before the next press', () => {
    expect(drive(READY, [60_000, woke(30_001)])).toMatchObject({
      state: { status: 'reloading' },
      effects: RETRIEVE,
    });
    expect(drive(READY, [60_000, woke(30_000)])).toEqual({ state: READY.state, effects: [] });
  });

  it('notices survive a sleep, a restored page and refresh()', () => {
    const declined = play(drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_failed'))]), 0, () =>
      retrieved(),
    );
    for (const event of [woke(), RESTORED, REFRESH]) {
      const story = play(drive(declined.state, [60_000, event]), 60_000, () => retrieved());
      expect(ready(story).feedback).toMatchObject(ready(declined).feedback);
    }
  });

  it('waking changes nothing in unknown, throttled, loading, reloading and at the end', () => {
    const states = [
      UNKNOWN.state,
      drive(CONFIRMING, [0, confirmFailed(throttled(5))]).state,
      drive(CONFIRMING, [0, confirmed({ status: 'succeeded' })]).state,
      drive(READY, [0, RESTORED]).state,
      LOADING.state,
    ];
    for (const state of states) expect(drive(state, [4000, woke()])).toEqual({ state, effects: [] });
  });
});

describe('outcomes 2.7: restored from the back/forward cache', () => {
  it('ready: reads before Pay is enabled', () => {
    expect(drive(READY, [10_000, RESTORED])).toMatchObject({
      state: { status: 'reloading' },
      effects: RETRIEVE,
    });
  });

  it('confirming: resolving, because the request is lost but may have charged', () => {
    const step = drive(CONFIRMING, [10_000, RESTORED]);
    expect(step).toMatchObject({
      state: {
        status: 'resolving',
        polling: { reason: { kind: 'no_answer' }, answered: false, startedAt: 0 },
      },
      effects: FIRST_POLL,
    });
    expect(play(step, 10_000, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('resolving and processing: read at once', () => {
    for (const from of [SILENT, PROCESSING])
      expect(drive(from, [10_000, RESTORED]).effects).toEqual(RETRIEVE);
  });
});

describe('outcomes 2.7: refresh()', () => {
  it('ready: reads at once, or 4 s after the last read', () => {
    expect(drive(READY, [3000, REFRESH])).toMatchObject({
      state: { status: 'reloading' },
      effects: RETRIEVE,
    });
    expect(drive(READY, [1000, REFRESH])).toMatchObject({
      state: { status: 'reloading', activity: 'pausing' },
      effects: wait(2000),
    });
  });

  it('reloading: one more read afterwards, because the first may have been answered before the change', () => {
    const step = drive(READY, [10_000, RESTORED], [10_100, REFRESH], [10_200, retrieved()]);
    expect(step).toMatchObject({ state: { status: 'reloading', activity: 'pausing' }, effects: wait(4000) });
    const story = play(step, 10_200, () => retrieved({ amount_total: 1334 }));
    expect(story.reads).toEqual([14_200]);
    expect(ready(story).feedback.previousTotal).toEqual({ amount: 1234, currency: 'usd' });
  });

  it('a hundred calls in a row: one read at a time, 4 s apart', () => {
    const hundred = (at: number): Moment[] => Array.from({ length: 100 }, () => [at, REFRESH]);
    const first = drive(
      READY,
      [10_000, REFRESH],
      ...hundred(10_000),
      [10_100, retrieved()],
      ...hundred(10_200),
    );
    const story = play(drive(first, [14_100, WAITED]), 14_100, () => retrieved());
    expect(story).toMatchObject({ state: { status: 'ready' }, reads: [14_100] });
  });

  it('reloading, and the first read shows the end: no second read', () => {
    const step = drive(
      READY,
      [10_000, REFRESH],
      [10_000, REFRESH],
      [10_100, retrieved({ status: 'succeeded' })],
    );
    expect(step).toMatchObject({ state: { status: 'succeeded' }, effects: [] });
  });

  it('confirming: changes nothing, because the confirm ends with an answer or a read', () => {
    expect(drive(CONFIRMING, [10_000, REFRESH])).toEqual({ state: CONFIRMING.state, effects: [] });
  });

  it('resolving: reads, but not within 4 s of the last read', () => {
    const pausing = drive(SILENT, [1000, WAITED], [1000, retrieved()]);
    expect(drive(pausing, [4999, REFRESH])).toEqual({ state: pausing.state, effects: [] });
    expect(drive(pausing, [5000, REFRESH]).effects).toEqual(RETRIEVE);
  });
});

describe('outcomes 2.7: closed', () => {
  it('destroys every state; later events change nothing', () => {
    for (const { state } of [READY, LOADING, CONFIRMING, SILENT, PROCESSING, UNKNOWN]) {
      const step = drive(state, [0, CLOSED]);
      expect(step).toEqual({ state: { status: 'destroyed' }, effects: [] });
      const events = [press(), RETRY, REFRESH, RESTORED, woke(), WAITED, retrieved(), confirmed({}), CLOSED];
      for (const event of events)
        expect(drive(step, [1e6, event])).toEqual({ state: step.state, effects: [] });
    }
  });

  it('destroys a form that was never opened', () => {
    expect(drive(initial, [0, CLOSED]).state.status).toBe('destroyed');
  });
});

const RELOADING = drive(READY, [1000, RESTORED]);
const RELEASING = drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_method_declined'))]);
const ASKING = transition(READY.state, press(), { now: 0, awake: true, canReplace: false, asksPage: true });
const RELEASED: PaymentEvent = { type: 'released' };

const READ = [retrieved(), retrieveFailed(NETWORK)];
const CONFIRM = [
  confirmed({ status: 'succeeded' }),
  confirmFailed(NETWORK),
  { type: 'other_tab_paying' as const },
];
const RELEASE = [RELEASED, releaseFailed(NETWORK)];
const PAGE: readonly PaymentEvent[] = [{ type: 'page_answered', answer: { kind: 'allowed' } }];

describe('an event that a state does not expect returns the same state and no effects', () => {
  it.each<[string, PaymentState, readonly PaymentEvent[]]>([
    ['loading, reading', LOADING.state, [WAITED, ...CONFIRM, ...RELEASE, ...PAGE]],
    [
      'loading, pausing',
      drive(LOADING, [0, retrieveFailed(NETWORK)]).state,
      [...READ, ...CONFIRM, ...RELEASE, press()],
    ],
    ['ready', READY.state, [WAITED, ...READ, ...CONFIRM, ...RELEASE, ...PAGE]],
    ['asking_page, waiting', ASKING.state, [...READ, ...CONFIRM, ...RELEASE]],
    ['confirming, pausing', CONFIRMING.state, [...READ, ...RELEASE, ...PAGE]],
    ['confirming, reading', drive(CONFIRMING, [20_000, WAITED]).state, [WAITED, ...RELEASE, ...PAGE]],
    ['releasing', RELEASING.state, [WAITED, ...READ, ...CONFIRM, ...PAGE]],
    [
      'releasing, pausing',
      drive(RELEASING, [0, releaseFailed(NETWORK)]).state,
      [...READ, ...CONFIRM, ...RELEASE],
    ],
    ['reloading, reading', RELOADING.state, [WAITED, ...CONFIRM, ...RELEASE]],
    [
      'reloading, pausing',
      drive(RELOADING, [1000, retrieveFailed(NETWORK)]).state,
      [...READ, ...CONFIRM, press()],
    ],
    ['resolving, pausing', SILENT.state, [...READ, ...CONFIRM, ...RELEASE]],
    ['resolving, reading', drive(SILENT, [1000, WAITED]).state, [WAITED, ...CONFIRM, ...RELEASE]],
  ])('%s', (_, state, events) => {
    for (const event of events) {
      const step = drive(state, [20_000, event]);
      expect(step.state, event.type).toBe(state);
      expect(step.effects, event.type).toEqual([]);
    }
  });

  it('the second end of a form', () => {
    const { state } = drive(READY, [0, CLOSED]);
    expect(drive(state, [0, CLOSED]).state).toBe(state);
  });

  it('a wait that ends once the seconds of a 429 have been counted down', () => {
    const { state } = drive(CONFIRMING, [0, confirmFailed(throttled(3601))], [3_601_100, WAITED]);
    expect(state).toMatchObject({ status: 'throttled', secondsLeft: 0 });
    expect(drive(state, [3_601_200, WAITED]).state).toBe(state);
  });
});

describe('an intent with another id is no answer about this payment', () => {
  it('to a read: as unreadable as one that is malformed', () => {
    const stranger = retrieved({ id: 'lg_pi_2' });
    let step = RELOADING;
    for (const ms of [1000, 2000, 4000, 8000]) {
      step = drive(step, [1000, stranger]);
      expect(step.effects).toEqual([{ type: 'wait', ms, jitter: false }]);
      step = drive(step, [1000, WAITED]);
    }
    expect(drive(step, [1000, stranger]).state).toMatchObject({
      status: 'load_failed',
      failure: { kind: 'no_answer', reason: 'malformed' },
    });
  });
});
