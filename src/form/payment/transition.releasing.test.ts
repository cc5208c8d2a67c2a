/** A declined attempt is released before the next one. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../api/errors.ts';
import type { PaymentEvent } from './payment-state.ts';
import {
  CONFIRMING,
  confirmFailed,
  DECLINED,
  drive,
  NETWORK,
  play,
  REFRESH,
  RELEASE,
  RESTORED,
  RETRIEVE,
  RETRY,
  ready,
  refused,
  releaseFailed,
  retrieved,
  retrieveFailed,
  TIMEOUT,
  throttled,
  WAITED,
  wait,
  woke,
} from './transition.fixture.ts';

describe('outcomes 2.6, release', () => {
  const error = refused(402, 'payment_method_declined');
  const RELEASING = drive(CONFIRMING, [0, confirmFailed(error)]);
  const GOES_ON = {
    state: { status: 'reloading', feedback: { notice: { kind: 'declined' } } },
    effects: RETRIEVE,
  };

  it('an answer, readable or not: the read that follows decides', () => {
    expect(drive(RELEASING, [500, { type: 'released' }])).toMatchObject(GOES_ON);
  });

  it.each<[string, Failure]>([
    ['network', NETWORK],
    ['timeout', TIMEOUT],
    ['500 internal_error', refused(500, 'internal_error')],
    ['502 provider_error', refused(502, 'provider_error')],
    ['503 of a proxy', refused(503, 'http_503')],
    ['408 of a proxy', refused(408, 'http_408')],
  ])('%s: 3 tries, then retrieve', (_, failure) => {
    const second = drive(RELEASING, [0, releaseFailed(failure)]);
    expect(second.effects).toEqual(wait(1000));
    expect(drive(second, [1000, WAITED]).effects).toEqual(RELEASE);
    const third = drive(second, [1000, WAITED], [1000, releaseFailed(failure)]);
    expect(third.effects).toEqual(wait(3000));
    expect(drive(third, [4000, WAITED]).effects).toEqual(RELEASE);
    expect(drive(third, [4000, WAITED], [4000, releaseFailed(failure)])).toMatchObject(GOES_ON);
  });

  it.each<[number, string]>([
    [400, 'validation_error'],
    [400, 'payment_intent_not_pending'],
    [400, 'a_later_code'],
    [400, 'http_400'],
    [403, 'http_403'],
    [404, 'payment_intent_not_found'],
    [404, 'not_found'],
    [409, 'a_later_code'],
    [413, 'http_413'],
  ])('%i %s: no retry, retrieve', (status, code) => {
    expect(drive(RELEASING, [0, releaseFailed(refused(status, code))])).toMatchObject(GOES_ON);
  });

  it.each(['invalid_api_key', 'api_key_revoked', 'invalid_client_secret'])(
    '401 %s: unknown, and nothing more is sent',
    (code) => {
      expect(drive(RELEASING, [0, releaseFailed(refused(401, code))])).toMatchObject({
        state: { status: 'unknown', notBefore: null },
        effects: [],
      });
    },
  );

  it.each([0, 5, 60, 3599])('429 with Retry-After %i: waits, then releases again', (seconds) => {
    const step = drive(RELEASING, [0, releaseFailed(throttled(seconds))]);
    expect(step.effects).toEqual(wait(seconds * 1000 + 100));
    expect(drive(step, [seconds * 1000 + 100, WAITED]).effects).toEqual(RELEASE);
  });

  it('429 with Retry-After 3600: still waited for', () => {
    expect(drive(RELEASING, [0, releaseFailed(throttled(3600))]).effects).toEqual(wait(3_600_100));
  });

  it('429 with Retry-After 3601: retrieve without a release', () => {
    expect(drive(RELEASING, [0, releaseFailed(throttled(3601))])).toMatchObject(GOES_ON);
  });

  it('fails for good, and the read says pending: ready', () => {
    const step = drive(RELEASING, [0, releaseFailed(refused(404, 'not_found'))]);
    const story = play(step, 0, () => retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED }));
    expect(ready(story).feedback.notice).toEqual({ kind: 'declined', error, isAnswer: true });
    expect(story.releases, 'no second release').toEqual([]);
  });

  it('fails for good, and the read fails too: resolving', () => {
    const step = drive(RELEASING, [0, releaseFailed(refused(404, 'not_found'))]);
    const story = play(step, 0, () => retrieveFailed(NETWORK), 12_001);
    expect(story.reads).toEqual([0, 1000, 4000, 12_000]);
    expect(story.state.status).toBe('resolving');
  });

  it('outcomes 2.4: the decline is still reported when the reads after the release succeed late', () => {
    const story = play(drive(RELEASING, [0, { type: 'released' }]), 0, (now) =>
      now < 20_000 ? retrieveFailed(NETWORK) : retrieved({ confirmation_attempts: 1 }),
    );
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined' });
  });

  const TOLD = drive(RELEASING, [0, { type: 'released' }], [100, retrieved({ confirmation_attempts: 1 })]);

  it.each<[string, number, PaymentEvent]>([
    ['a restored page', 10_000, RESTORED],
    ['a page that woke after a minute', 10_000, woke()],
    ['refresh()', 10_000, REFRESH],
    ['refresh() within 2 s of the last read', 500, REFRESH],
  ])(
    'a decline that was shown leaves nothing to find out: after %s, failing reads end in load_failed',
    (_, start, event) => {
      const { notice } = ready(TOLD).feedback;
      const story = play(drive(TOLD, [start, event]), start, () => retrieveFailed(NETWORK));
      expect(story.state).toMatchObject({ status: 'load_failed', feedback: { notice } });
      const again = drive(story.state, [90_000, RETRY], [90_100, retrieved({ confirmation_attempts: 1 })]);
      expect(ready(again).feedback.notice).toBe(notice);
      expect(
        play(drive(story.state, [90_000, RETRY]), 90_000, () => retrieveFailed(NETWORK)).state.status,
      ).toBe('load_failed');
    },
  );

  it('nor does it when the total has changed since, and a read said that no attempt is left', () => {
    const step = drive(
      TOLD,
      [10_000, RESTORED],
      [10_000, retrieved({ confirmation_attempts: 2, attempts_left: 0, amount_total: 9999 })],
    );
    expect(step.state).toMatchObject({ status: 'reloading', usedUpAt: 10_000 });
    const story = play(step, 10_000, () => retrieveFailed(NETWORK));
    expect(story.state).toMatchObject({
      status: 'load_failed',
      feedback: { previousTotal: { amount: 1234 } },
    });
  });
});
