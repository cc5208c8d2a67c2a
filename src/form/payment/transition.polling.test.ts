/**
 * `resolving`, `processing` and `unknown`: every answer to a poll, and the times of polls. Times in ms from the press.
 */
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../api/errors.ts';
import { exampleConfirming, exampleState } from './payment.fixture.ts';
import type { PaymentEvent, PaymentState, Step } from './payment-state.ts';
import { CHECK_SCHEDULE, SCHEDULE } from './timing.ts';
import {
  CONFIRMING,
  confirmFailed,
  DECLINED,
  drive,
  initialReadOf,
  MALFORMED,
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
  SILENT,
  TIMEOUT,
  throttled,
  UNKNOWN,
  WAITED,
  wait,
  woke,
} from './transition.fixture.ts';

describe('outcomes 2.6, poll', () => {
  it.each<[string, Failure]>([
    ['network', NETWORK],
    ['timeout', TIMEOUT],
    ['200 malformed', MALFORMED],
    ['502 provider_error', refused(502, 'provider_error')],
    ['500 fee_plan_not_configured', refused(500, 'fee_plan_not_configured')],
    ['503 of a proxy', refused(503, 'http_503')],
    ['403 of a proxy', refused(403, 'http_403')],
  ])('%s: read again at the next slot of the schedule', (_, failure) => {
    for (const from of [SILENT, PROCESSING]) {
      const step = drive(from, [1000, WAITED], [1000, retrieveFailed(failure)]);
      expect(step).toEqual({
        state: expect.objectContaining({ status: from.state.status }),
        effects: wait(2000, true),
      });
    }
  });

  it('an intent with another id: the next slot, whatever status it has', () => {
    const stranger = retrieved({ id: 'lg_pi_2', status: 'succeeded' });
    expect(drive(SILENT, [1000, WAITED], [1000, stranger])).toMatchObject({
      state: { status: 'resolving' },
      effects: wait(2000, true),
    });
  });

  it.each<[number, string]>([
    [400, 'validation_error'],
    [401, 'invalid_api_key'],
    [404, 'payment_intent_not_found'],
  ])('outcomes G2: %i %s: no retry, and unknown instead of failed', (status, code) => {
    for (const from of [SILENT, PROCESSING]) {
      const story = play(from, 0, () => retrieveFailed(refused(status, code)));
      expect(story).toMatchObject({ state: { status: 'unknown', notBefore: null }, reads: [1000] });
      for (const event of [RETRY, REFRESH, RESTORED, woke(), press()]) {
        expect(drive(story.state, [1e9, event])).toEqual({ state: story.state, effects: [] });
      }
    }
  });

  it.each([
    [0, 2000],
    [5, 5100],
    [3600, 3_600_100],
  ])('429 with Retry-After %i: the next read is not sooner, and needs no buyer', (seconds, ms) => {
    const step = drive(SILENT, [1000, WAITED], [1000, retrieveFailed(throttled(seconds))]);
    expect(step).toMatchObject({ state: { status: 'resolving' }, effects: [{ type: 'wait', ms }] });
  });

  it('429: jitter never makes the wait shorter than stated', () => {
    for (let slot = 0; slot < SCHEDULE.length - 1; slot += 1) {
      for (let seconds = 0; seconds <= 60; seconds += 1) {
        let step = SILENT;
        for (let read = 0; read < slot; read += 1)
          step = drive(step, [0, WAITED], [0, retrieveFailed(NETWORK)]);
        step = drive(step, [0, WAITED], [0, retrieveFailed(throttled(seconds))]);
        const [effect] = step.effects;
        if (effect?.type !== 'wait') throw new Error('expected a wait');
        const shortest = effect.jitter ? effect.ms * 0.8 : effect.ms;
        expect(shortest, `Retry-After ${seconds}, slot ${slot}`).toBeGreaterThanOrEqual(seconds * 1000);
      }
    }
  });

  it.each([3601, 1_000_000_000])(
    '429 with Retry-After %i: unknown; "Check status" works after that time',
    (s) => {
      const step = drive(SILENT, [1000, WAITED], [1000, retrieveFailed(throttled(s))]);
      const notBefore = 1000 + s * 1000 + 100;
      expect(step).toMatchObject({ state: { status: 'unknown', notBefore }, effects: [] });
      expect(drive(step, [notBefore - 3_600_101, RETRY]), 'says how long').toEqual({
        state: { ...step.state, secondsLeft: 3601 },
        effects: [],
      });
      expect(drive(step, [notBefore - 3_600_000, RETRY]).effects).toEqual(wait(3_600_000));
      expect(drive(step, [notBefore, RETRY]).effects).toEqual(RETRIEVE);
    },
  );

  it.each(['requires_action', 'constructor', 'Succeeded'])('unknown status %s: polled on', (status) => {
    const story = play(SILENT, 0, () => retrieved({ status }));
    expect(story.state.status).toBe('unknown');
    expect(story.reads).toHaveLength(SCHEDULE.length);
  });

  it.each(['succeeded', 'canceled'])('%s: ends', (status) => {
    for (const from of [SILENT, PROCESSING]) {
      expect(play(from, 0, () => retrieved({ status }))).toMatchObject({ state: { status }, reads: [1000] });
    }
  });
});

describe('outcomes 2.3: times of an open confirm and of polling', () => {
  it('confirm at once, "still confirming" at 10 s, reads beside it from 20 s on', () => {
    expect(CONFIRMING).toMatchObject({
      state: { status: 'confirming', slow: false, sentAt: 0 },
      effects: [
        { type: 'confirm', shown: { amount: 1234, currency: 'usd' } },
        { type: 'wait', ms: 10_000, jitter: false },
      ],
    });
    const slow = drive(CONFIRMING, [10_000, WAITED]);
    expect(slow).toMatchObject({ state: { status: 'confirming', slow: true }, effects: wait(10_000) });
    expect(drive(slow, [20_000, WAITED])).toMatchObject({
      state: { status: 'confirming', activity: 'reading' },
      effects: RETRIEVE,
    });
  });

  it('a timer that fires early changes nothing early', () => {
    const early = drive(CONFIRMING, [9999.5, WAITED]);
    expect(early).toMatchObject({ state: { slow: false }, effects: wait(0.5) });
    expect(drive(early, [19_999.5, WAITED])).toMatchObject({ state: { slow: true }, effects: wait(0.5) });
  });

  it('reads beside an open confirm follow the schedule, at most 20 a minute', () => {
    const { reads, state } = play(CONFIRMING, 0, () => retrieved(), 75_000);
    expect(reads).toEqual([20_000, 21_000, 23_000, 26_000, 31_000, 39_000, 49_000, 64_000]);
    expect(state.status).toBe('confirming');
  });

  it.each(['succeeded', 'canceled'])(
    'a read beside the confirm says %s: the first definite answer counts',
    (status) => {
      expect(play(CONFIRMING, 0, () => retrieved({ status }))).toMatchObject({
        state: { status },
        reads: [20_000],
        ended: 20_000,
      });
    },
  );

  it.each<[string, PaymentEvent]>([
    ['pending', retrieved()],
    ['pending with a failed attempt', retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED })],
    ['processing', retrieved({ status: 'processing' })],
    ['an unknown status', retrieved({ status: 'requires_action' })],
    ['a network error', retrieveFailed(NETWORK)],
    ['401', retrieveFailed(refused(401, 'api_key_revoked'))],
    ['another id', retrieved({ id: 'lg_pi_2', status: 'succeeded' })],
  ])('a read beside the confirm says %s: the open confirm decides', (_, event) => {
    const step = drive(CONFIRMING, [8000, WAITED], [20_000, WAITED], [20_500, event]);
    expect(step).toMatchObject({ state: { status: 'confirming', activity: 'pausing' }, effects: wait(1000) });
  });

  it('429 for a read beside the confirm: the next one waits at least that long', () => {
    const failure = retrieveFailed(throttled(30));
    const step = drive(CONFIRMING, [8000, WAITED], [20_000, WAITED], [20_000, failure]);
    expect(step.effects).toEqual(wait(30_100));
  });

  it('the poll schedule: 1, 2, 3, 5, 8, 10, 15, 15, every 15 s to 3 min, every 30 s to 10 min', () => {
    expect(SCHEDULE.slice(0, 8)).toEqual([1000, 2000, 3000, 5000, 8000, 10_000, 15_000, 15_000]);
    const { reads, state, ended } = play(PROCESSING, 0, () => retrieved({ status: 'processing' }));
    expect(reads.slice(0, 9)).toEqual([1000, 3000, 6000, 11_000, 19_000, 29_000, 44_000, 59_000, 74_000]);
    const gaps = reads.slice(8).map((at, index) => at - (reads[index + 7] ?? 0));
    expect(gaps).toEqual([
      ...Array.from({ length: 8 }, () => 15_000),
      ...Array.from({ length: 14 }, () => 30_000),
    ]);
    expect(ended).toBeGreaterThan(590_000);
    expect(ended).toBeLessThanOrEqual(600_000);
    expect(state).toMatchObject({ status: 'unknown' });
  });

  it('even if every wait is 20 % shorter, at most 9 reads fall into the first minute', () => {
    let at = 0;
    const times = SCHEDULE.map((ms) => {
      at += ms * 0.8;
      return at;
    });
    expect(times.filter((time) => time < 60_000)).toHaveLength(9);
  });

  it('every wait of the schedule has jitter, so that many forms do not read in step', () => {
    let step = PROCESSING;
    for (const ms of SCHEDULE) {
      expect(step.effects).toEqual(wait(ms, true));
      step = drive(step, [0, WAITED], [0, retrieved({ status: 'processing' })]);
    }
    expect(step.state.status).toBe('unknown');
  });

  it('after 10 minutes: unknown; "Check status" works 5 s later', () => {
    expect(UNKNOWN.state).toMatchObject({ status: 'unknown', notBefore: UNKNOWN.ended + 5000 });
  });
});

const DECLINE = refused(402, 'payment_method_declined');

describe('outcomes 2.6: a read on the way to ready is retried', () => {
  /** The last retry of the read after a decline, with `reads` slots of polling before it. */
  const lastRetry = (reads: number): PaymentState =>
    exampleState('reloading', {
      feedback: { notice: { kind: 'declined', error: DECLINE }, previousTotal: null },
      failures: 3,
      reads,
    });

  it.each([
    [0, 5000],
    [2, 10_000],
    [SCHEDULE.length, 30_000],
  ])('after a decline it is polled then, going on after %i reads and the retries', (reads, ms) => {
    const step = drive(lastRetry(reads), [30_000, retrieveFailed(NETWORK)]);
    expect(step.state).toMatchObject({ status: 'resolving', polling: { reason: { kind: 'declined' } } });
    expect(step.effects).toEqual(wait(ms, true));
  });
});

describe('outcomes 2.3: reads beside an open confirm', () => {
  it('waking soon after one reads no second time', () => {
    const read = drive(CONFIRMING, [20_000, WAITED], [20_000, retrieved()]);
    expect(drive(read, [22_000, woke()])).toEqual({ state: read.state, effects: [] });
    expect(drive(read, [24_000, woke()]).effects).toEqual(RETRIEVE);
  });

  it('one more read follows, even if they have used up the whole schedule', () => {
    const step = drive({ ...exampleConfirming, reads: SCHEDULE.length }, [900_000, confirmFailed(NETWORK)]);
    expect(step.state.status).toBe('resolving');
    expect(step.effects).toEqual(wait(30_000, true));
  });
});

it('outcomes 2.4: a second read that comes too soon to believe that no attempt is left waits for the rest', () => {
  const usedUp = retrieved({ attempts_left: 0, confirmation_attempts: 3 });
  const early = drive(READY, [60_000, RESTORED], [60_000, usedUp], [62_000, WAITED]);
  const again = drive(early, [62_000, usedUp]);
  expect(again.state.status).toBe('reloading');
  expect(again.effects).toEqual(wait(3000));
});

describe('outcomes 2.5: a failed attempt', () => {
  it('is told with the field and the code that the service gave', () => {
    const error = { ...DECLINED, param: 'card.cvc', decline_code: 'incorrect_cvc' };
    expect(initialReadOf({ confirmation_attempts: 1, last_payment_error: error }).state).toMatchObject({
      feedback: { notice: { kind: 'declined', error: { param: 'card.cvc', declineCode: 'incorrect_cvc' } } },
    });
  });

  it('is told without them if it gave none', () => {
    expect(initialReadOf({ confirmation_attempts: 1, last_payment_error: DECLINED }).state).toMatchObject({
      feedback: { notice: { error: { param: null, declineCode: null } } },
    });
  });
});

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
