/** From `booting` to `ready`: the first read, and the read before the buyer may press again. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../api/errors.ts';
import { exampleIntent } from './payment.fixture.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmFailed,
  DECLINED,
  drive,
  FIRST_POLL,
  HELD_ATTEMPT,
  LOADING,
  MALFORMED,
  NETWORK,
  NOT_PENDING,
  play,
  press,
  READY,
  REFRESH,
  RELEASE,
  RESTORED,
  RETRIEVE,
  RETRY,
  ready,
  refused,
  retrieved,
  retrieveFailed,
  TIMEOUT,
  throttled,
  WAITED,
  wait,
  woke,
} from './transition.fixture.ts';
import { initial } from './transition.ts';

describe('outcomes 2.2: from booting to ready', () => {
  it('booting --opened--> loading, with a read', () => {
    expect(LOADING).toEqual({
      state: { status: 'loading', replaces: null, failures: 0, activity: 'reading' },
      effects: RETRIEVE,
    });
  });

  it('booting ignores every other event, even a press', () => {
    for (const event of [press(), RETRY, REFRESH, RESTORED, woke(), WAITED, retrieved()]) {
      expect(drive(initial, [0, event])).toEqual({ state: initial, effects: [] });
    }
  });

  it('loading --pending--> ready', () => {
    expect(drive(LOADING, [0, retrieved()])).toEqual({
      state: {
        status: 'ready',
        intent: exampleIntent(),
        feedback: { notice: null, previousTotal: null },
        readAt: 0,
        armedAt: 500,
      },
      effects: [],
    });
  });

  it.each(['succeeded', 'canceled'])('loading --%s--> %s, with no effects', (status) => {
    expect(drive(LOADING, [0, retrieved({ status })])).toMatchObject({ state: { status }, effects: [] });
  });

  it.each(['processing', 'requires_action', 'PENDING', 'constructor'])(
    'loading --%s--> processing, polled by the schedule',
    (status) => {
      const step = drive(LOADING, [0, retrieved({ status })]);
      expect(step).toMatchObject({ state: { status: 'processing' }, effects: FIRST_POLL });
      const story = play(step, 0, () => retrieved({ status }));
      expect(story.state.status).toBe('unknown');
      expect(story.reads).toHaveLength(30);
    },
  );

  it('outcomes 2.7, contract 3.6: a declined attempt whose answer a reload lost is released and reported', () => {
    const step = drive(LOADING, [0, retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED })]);
    expect(step).toMatchObject({ state: { status: 'releasing' }, effects: RELEASE });
    const story = play(step, 0, () => retrieved({ confirmation_attempts: 1 }));
    expect(story).toMatchObject({
      state: {
        status: 'ready',
        feedback: {
          notice: { kind: 'declined', error: { code: 'payment_method_declined', message: 'Declined.' } },
        },
      },
      reads: [0],
      releases: [0],
    });
  });

  it('outcomes 2.7, contract 4.4: after a reload, processing with last_payment_error (holdFailedAttempts) is released', () => {
    const step = drive(LOADING, [0, retrieved(HELD_ATTEMPT)]);
    expect(step.effects).toEqual(RELEASE);
    expect(play(step, 0, () => retrieved({ confirmation_attempts: 1 })).state.status).toBe('ready');
  });
});

describe('outcomes 2.6, first read', () => {
  /** Every read fails in the same way. */
  const load = (failure: Failure) => play(LOADING, 0, () => retrieveFailed(failure), 600_000);

  it.each<[string, Failure]>([
    ['DNS, connection, reset, redirect', NETWORK],
    ['timeout: as network', TIMEOUT],
  ])('%s: 3 retries (1, 3, 8 s), then load_failed', (_, failure) => {
    const story = load(failure);
    expect(story.reads).toEqual([0, 1000, 4000, 12_000]);
    expect(story.state).toMatchObject({ status: 'load_failed', failure, intent: null });
  });

  it('200 malformed, truncated, wrong object or missing field: retried like a 502', () => {
    const story = load(MALFORMED);
    expect(story.reads).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(story.state).toMatchObject({ status: 'load_failed', failure: MALFORMED });
  });

  it('200 with a required field missing or invalid: load_failed, code malformed', () => {
    expect(load(MALFORMED).state).toMatchObject({ status: 'load_failed', failure: MALFORMED });
  });

  it.each<[number, string]>([
    [500, 'internal_error'],
    [502, 'provider_error'],
    [500, 'http_500'],
    [503, 'http_503'],
    [504, 'http_504'],
    [408, 'http_408'],
    [425, 'http_425'],
  ])('%i %s: 4 retries (1, 2, 4, 8 s), then load_failed', (status, code) => {
    const story = load(refused(status, code));
    expect(story.reads).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(story.state).toMatchObject({ status: 'load_failed', failure: { code } });
  });

  it.each<[number, string]>([
    [400, 'validation_error'],
    [400, 'amount_too_small'],
    [400, 'amount_too_large'],
    [400, 'unsupported_currency'],
    [400, 'non_physical_goods_not_allowed'],
    [400, 'merchant_suspended'],
    [400, 'merchant_not_approved'],
    [400, 'a_later_code'],
    [400, 'http_400'],
    [401, 'invalid_api_key'],
    [401, 'api_key_revoked'],
    [401, 'invalid_client_secret'],
    [401, 'http_401'],
    [403, 'http_403'],
    [404, 'payment_intent_not_found'],
    [404, 'not_found'],
    [409, 'a_later_code'],
    [413, 'http_413'],
    [451, 'http_451'],
    [500, 'fee_plan_not_configured'],
  ])('%i %s: blocked, no retry', (status, code) => {
    const story = load(refused(status, code));
    expect(story.reads).toEqual([0]);
    expect(story.state).toMatchObject({ status: 'blocked', recoverable: false, error: { code } });
  });

  it.each([0, 1, 59, 60, 3600])(
    '429 with Retry-After %i: waits exactly that long, then reads again',
    (seconds) => {
      const step = drive(LOADING, [0, retrieveFailed(throttled(seconds))]);
      expect(step).toMatchObject({
        state: { status: 'loading', activity: 'pausing' },
        effects: wait(seconds * 1000 + 100),
      });
      expect(drive(step, [seconds * 1000 + 100, WAITED])).toMatchObject({
        state: { status: 'loading', activity: 'reading' },
        effects: RETRIEVE,
      });
    },
  );

  it('429 without a usable Retry-After: waits 60 s', () => {
    expect(drive(LOADING, [0, retrieveFailed(throttled(60, false))]).effects).toEqual(wait(60_100));
  });

  it.each([3601, 1_000_000_000])(
    '429 with Retry-After %i: load_failed, and a retry reads only after that time',
    (seconds) => {
      const step = drive(LOADING, [0, retrieveFailed(throttled(seconds))]);
      const notBefore = seconds * 1000 + 100;
      expect(step).toMatchObject({ state: { status: 'load_failed', notBefore }, effects: [] });
      expect(drive(step, [notBefore - 3_600_101, RETRY]), 'says how long').toEqual({
        state: { ...step.state, secondsLeft: 3601 },
        effects: [],
      });
      expect(drive(step, [notBefore - 3_600_000, RETRY]).effects).toEqual(wait(3_600_000));
      expect(drive(step, [notBefore, RETRY]).effects).toEqual(RETRIEVE);
    },
  );

  it('429 does not use up a retry', () => {
    const answers = [
      throttled(5),
      throttled(5),
      throttled(5),
      throttled(5),
      NETWORK,
      NETWORK,
      NETWORK,
      NETWORK,
    ];
    const story = play(LOADING, 0, () => retrieveFailed(answers.shift() ?? TIMEOUT));
    expect(story.reads).toEqual([0, 5100, 10_200, 15_300, 20_400, 21_400, 24_400, 32_400]);
    expect(story.state).toMatchObject({ status: 'load_failed', failure: NETWORK });
  });

  it('load_failed: the button, refresh(), waking and a restored page read again, 2 s after the failure or later', () => {
    const { state, ended } = load(NETWORK);
    for (const event of [RETRY, REFRESH, RESTORED, woke(1000)]) {
      expect(drive(state, [ended + 2000, event])).toEqual(LOADING);
      const early = drive(state, [ended + 500, event]); // under way at once
      expect(early).toEqual({ state: { ...LOADING.state, activity: 'pausing' }, effects: wait(1500) });
      expect(drive(early, [ended + 2000, WAITED])).toEqual(LOADING);
    }
  });

  it('success after failures: ready, without a notice', () => {
    const answers = [retrieveFailed(NETWORK), retrieveFailed(refused(502, 'provider_error')), retrieved()];
    const story = play(LOADING, 0, () => answers.shift() ?? CLOSED);
    expect(story.reads).toEqual([0, 1000, 3000]);
    expect(ready(story).feedback.notice).toBeNull();
  });
});

describe('outcomes 2.6, first read: the same rules before the buyer may press again', () => {
  const RELOADING = drive(READY, [10_000, RESTORED]);

  it.each<[string, Failure, number[]]>([
    ['network', NETWORK, [0, 1000, 4000, 12_000]],
    ['502', refused(502, 'provider_error'), [0, 1000, 3000, 7000, 15_000]],
  ])('reloading, %s: the same retries, then load_failed with the last known intent', (_, failure, reads) => {
    const story = play(RELOADING, 0, () => retrieveFailed(failure));
    expect(story.reads).toEqual(reads);
    expect(story.state).toMatchObject({ status: 'load_failed', intent: exampleIntent(), failure });
  });

  it.each<[number, string]>([
    [401, 'api_key_revoked'],
    [404, 'payment_intent_not_found'],
    [500, 'fee_plan_not_configured'],
  ])('reloading, %i %s: blocked', (status, code) => {
    expect(play(RELOADING, 0, () => retrieveFailed(refused(status, code)))).toMatchObject({
      state: { status: 'blocked', recoverable: false, intent: exampleIntent() },
      reads: [0],
    });
  });

  it('reloading: an intent with another id is no answer', () => {
    const step = drive(RELOADING, [0, retrieved({ id: 'lg_pi_2', status: 'succeeded' })]);
    expect(step).toMatchObject({ state: { status: 'reloading', activity: 'pausing' } });
  });
});

describe('outcomes 2.7: every mount begins with a read, after a reload and in a second tab', () => {
  it.each<[string, string]>([
    ['succeeded', 'succeeded'],
    ['canceled', 'canceled'],
    ['processing', 'processing'],
    ['pending', 'ready'],
  ])('reload during a confirm, and the intent is %s: %s, without another confirm', (intentStatus, status) => {
    const step = drive(LOADING, [0, retrieved({ status: intentStatus })]);
    expect(step.state.status).toBe(status);
    expect(step.effects.some(({ type }) => type === 'confirm')).toBe(false);
  });

  it('another tab paid: not_pending, read, succeeded', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(NOT_PENDING)]);
    expect(play(step, 0, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });
});
