/** When no read can tell what became of a confirm. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import type { Step } from './payment-state.ts';
import { CHECK_SCHEDULE } from './timing.ts';
import {
  CONFIRMING,
  confirmFailed,
  drive,
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
  retrieved,
  retrieveFailed,
  throttled,
  UNKNOWN,
  WAITED,
  wait,
  woke,
} from './transition.fixture.ts';

describe('outcomes I4: a refused read after a press says nothing about the press', () => {
  const refusals = [
    refused(401, 'api_key_revoked'),
    refused(404, 'payment_intent_not_found'),
    refused(400, 'merchant_suspended'),
    refused(500, 'fee_plan_not_configured'),
  ];
  const afterPress: [string, Step][] = [
    ['429', drive(CONFIRMING, [0, confirmFailed(throttled(0))], [100, WAITED])],
    ['409', drive(CONFIRMING, [0, confirmFailed(refused(409, 'payment_intent_updated'))])],
    [
      '402 and its release',
      drive(
        CONFIRMING,
        [0, confirmFailed(refused(402, 'payment_method_declined'))],
        [0, { type: 'released' }],
      ),
    ],
    ['a press that met another tab', drive(CONFIRMING, [0, { type: 'other_tab_paying' }], [0, WAITED])],
  ];

  it.each(afterPress)(
    'after %s: unknown, because another delivery of the confirm may have charged',
    (_, step) => {
      expect(step.state.status).toBe('reloading');
      for (const refusal of refusals) {
        expect(drive(step, [1000, retrieveFailed(refusal)])).toMatchObject({
          state: { status: 'unknown', notBefore: null },
          effects: [],
        });
      }
    },
  );

  it('without a press: blocked, as on the first read', () => {
    const step = drive(READY, [10_000, REFRESH]);
    for (const refusal of refusals) {
      expect(drive(step, [10_000, retrieveFailed(refusal)]).state).toMatchObject({ status: 'blocked' });
    }
  });
});

describe('outcomes 2.7: unknown, and "Check status"', () => {
  const { state, ended } = UNKNOWN;
  const from = ended + 5000;

  it.each([RETRY, REFRESH])('$type: reads again, at least 5 s later', (event) => {
    expect(drive(state, [from - 1, event]).effects).toEqual(wait(1));
    expect(drive(state, [from, event])).toMatchObject({ state: { status: 'resolving' }, effects: RETRIEVE });
  });

  it.each([RETRY, REFRESH])(
    '$type within these 5 s: under way at once, and read when they are over',
    (event) => {
      const held = drive(state, [ended, event]);
      expect(held).toMatchObject({ state: { status: 'resolving' }, effects: wait(5000) });
      const read = drive(held, [from, WAITED]);
      expect(read).toEqual(drive(state, [from, event]));
    },
  );

  it('"Check status" before the `Retry-After` of the last read is over: under way at once, and read then', () => {
    let step: Step = drive(state, [from, RETRY]);
    let at = from;
    for (const _ of CHECK_SCHEDULE) {
      at += 20_000;
      step = drive(step, [at, retrieveFailed(NETWORK)], [at, WAITED]);
    }
    step = drive(step, [at, retrieveFailed(throttled(60))]);
    expect(step.state).toMatchObject({ status: 'unknown', notBefore: at + 60_100 });
    expect(drive(step, [at + 20_000, RETRY])).toMatchObject({
      state: { status: 'resolving' },
      effects: wait(40_100),
    });
  });

  it('every other event changes nothing', () => {
    for (const event of [press(), woke(), RESTORED, WAITED, retrieved({ status: 'succeeded' })]) {
      expect(drive(state, [from, event])).toEqual({ state, effects: [] });
    }
  });

  it.each(['succeeded', 'canceled'])('the check finds %s', (status) => {
    const story = play(drive(state, [from, RETRY]), from, () => retrieved({ status }));
    expect(story).toMatchObject({ state: { status }, reads: [from] });
  });

  it('the check finds pending: two reads 5 s apart, then ready', () => {
    const story = play(drive(state, [from, RETRY]), from, () => retrieved());
    expect(story.reads).toEqual([from, from + 2000, from + 5000]);
    expect(ready(story).feedback.notice).toEqual({ kind: 'not_charged' });
  });

  it('the check fails: unknown again after a few reads, and can be repeated', () => {
    const story = play(drive(state, [from, RETRY]), from, () => retrieveFailed(NETWORK));
    expect(story.reads).toHaveLength(1 + CHECK_SCHEDULE.length);
    expect(story.state).toMatchObject({ status: 'unknown', notBefore: story.ended + 5000 });
    expect(drive(story.state, [story.ended + 5000, RETRY]).effects).toEqual(RETRIEVE);
  });

  it('a check after processing is in processing', () => {
    const story = play(PROCESSING, 0, () => retrieved({ status: 'processing' }));
    expect(drive(story.state, [story.ended + 5000, RETRY])).toMatchObject({
      state: { status: 'processing' },
      effects: RETRIEVE,
    });
  });
});
