/** How reads settle what became of a confirm. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import type { Intent, PaymentEvent } from './payment-state.ts';
import { SCHEDULE } from './timing.ts';
import {
  CONFIRMING,
  confirmFailed,
  DECLINED,
  drive,
  FIRST_POLL,
  HELD_ATTEMPT,
  LOADING,
  NETWORK,
  NOT_PENDING,
  PROCESSING,
  play,
  press,
  RELEASE,
  ready,
  refused,
  retrieved,
  retrieveFailed,
  SILENT,
  TIMEOUT,
  WAITED,
  wait,
} from './transition.fixture.ts';

describe('outcomes 2.6, confirm, 400 payment_intent_not_pending, threat-model C50: reads before it reports anything', () => {
  const step = drive(CONFIRMING, [0, confirmFailed(NOT_PENDING)]);

  it('is resolving, not exhausted yet', () => {
    expect(step).toMatchObject({
      state: { status: 'resolving', polling: { reason: { kind: 'not_pending' }, answered: true } },
      effects: FIRST_POLL,
    });
  });

  it.each(['succeeded', 'canceled'])('a read says %s: %s', (status) => {
    expect(play(step, 0, () => retrieved({ status }))).toMatchObject({ state: { status }, reads: [1000] });
  });

  it('a read says processing: polls on', () => {
    expect(drive(step, [1000, WAITED], [1000, retrieved({ status: 'processing' })])).toMatchObject({
      state: { status: 'processing' },
      effects: wait(2000, true),
    });
  });

  it('two reads 5 s apart say pending: exhausted', () => {
    const story = play(step, 0, () => retrieved());
    expect(story.reads).toEqual([1000, 3000, 6000]);
    expect(story.state).toMatchObject({ status: 'exhausted', error: NOT_PENDING });
  });

  it('pending with more attempts than before: declined, because a replay of the confirm was refused', () => {
    const story = play(step, 0, () => retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED }));
    expect(story.releases).toEqual([6000]);
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined', error: { message: 'Declined.' } });
  });

  it('no read succeeds: unknown, never failed', () => {
    expect(play(step, 0, () => retrieveFailed(NETWORK)).state.status).toBe('unknown');
  });
});

describe('outcomes 2.4: two reads must agree', () => {
  const ANSWERED = drive(CONFIRMING, [0, confirmFailed(refused(502, 'provider_error'))]);

  it('no answer: pending is believed 20 s after the press', () => {
    const story = play(SILENT, 0, () => retrieved());
    expect(story.reads).toEqual([1000, 3000, 6000, 11_000, 19_000, 20_000]);
    expect(story).toMatchObject({
      state: { status: 'ready', feedback: { notice: { kind: 'not_charged' } } },
    });
    expect(story.ended).toBe(20_000);
  });

  it('an answer of the service: pending is believed after 5 s, and 5 s between the two reads', () => {
    const story = play(ANSWERED, 0, () => retrieved());
    expect(story.reads).toEqual([1000, 3000, 6000]);
    expect(story.ended).toBe(6000);
  });

  it('a proxy`s 502 counts as no answer: 20 s', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(502, 'http_502'))]);
    expect(play(step, 0, () => retrieved()).ended).toBe(20_000);
  });

  it('the 20 s count from the press, not from the timeout', () => {
    const step = drive(CONFIRMING, [75_000, confirmFailed(TIMEOUT)]);
    const story = play(step, 75_000, () => retrieved());
    expect(story.reads).toEqual([76_000, 78_000, 81_000]);
    expect(story.state.status).toBe('ready');
  });

  it('one read is never enough, however late', () => {
    const step = drive(SILENT, [300_000, WAITED], [300_000, retrieved()]);
    expect(step).toMatchObject({ state: { status: 'resolving', polling: { earlierRead: { at: 300_000 } } } });
  });

  it.each([4999, 4999.9])('two reads %i ms apart are not enough', (apart) => {
    const first = drive(SILENT, [300_000, WAITED], [300_000, retrieved()]);
    const second = drive(first, [300_000 + apart, WAITED], [300_000 + apart, retrieved()]);
    expect(second.state.status).toBe('resolving');
    const third = drive(second, [305_000, WAITED], [305_000, retrieved()]);
    expect(third.state.status).toBe('ready');
  });

  it('failed reads between the two are ignored', () => {
    const story = play(ANSWERED, 0, (now) => (now === 3000 ? retrieveFailed(NETWORK) : retrieved()));
    expect(story.ended).toBe(6000);
  });

  it('more attempts than before the press: released, read, declined', () => {
    const story = play(SILENT, 0, () =>
      retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED }),
    );
    expect(story.releases).toEqual([20_000]);
    expect(ready(story).feedback.notice).toMatchObject({
      kind: 'declined',
      error: { kind: 'refused', code: 'payment_method_declined', message: 'Declined.' },
    });
  });

  it.each([1, 2, 3])(
    '%i more attempts than before: declined, because a replayed confirm counts several times',
    (more) => {
      const story = play(SILENT, 0, () => retrieved({ confirmation_attempts: more }));
      expect(ready(story).feedback.notice).toEqual({ kind: 'declined', error: null });
    },
  );

  it('as many attempts as before: not_charged', () => {
    const story = play(SILENT, 0, () => retrieved());
    expect(story.releases).toEqual([]);
    expect(ready(story).feedback.notice).toEqual({ kind: 'not_charged' });
  });

  it('as many attempts as before, with an older failed attempt: released, then not_charged', () => {
    const story = play(SILENT, 0, () => retrieved({ last_payment_error: DECLINED }));
    expect(story.releases).toEqual([20_000]);
    expect(ready(story).feedback.notice).toEqual({ kind: 'not_charged' });
  });

  it('fewer attempts than before: a replica that lags, so it never settles', () => {
    const before = drive(LOADING, [-1000, retrieved({ confirmation_attempts: 2 })]);
    const silent = drive(before, [0, press()], [0, confirmFailed(NETWORK)]);
    expect(play(silent, 0, () => retrieved({ confirmation_attempts: 1 })).state.status).toBe('unknown');
  });

  it.each<[string, Partial<Intent>, string]>([
    ['and a failed attempt in the intent', { last_payment_error: DECLINED }, 'declined'],
    ['and no failed attempt', {}, 'not_charged'],
  ])('no number of attempts, %s: decided by last_payment_error', (_, different, kind) => {
    const before = drive(LOADING, [-1000, retrieved({ confirmation_attempts: null })]);
    const silent = drive(before, [0, press()], [0, confirmFailed(NETWORK)]);
    const story = play(silent, 0, () => retrieved({ confirmation_attempts: null, ...different }));
    expect(ready(story).feedback.notice).toMatchObject({ kind });
    expect(story.ended).toBe(20_000);
  });

  it('a number of attempts only before the press: decided by last_payment_error', () => {
    const story = play(SILENT, 0, () =>
      retrieved({ confirmation_attempts: null, last_payment_error: DECLINED }),
    );
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined' });
  });

  it.each<[string, PaymentEvent]>([
    ['after no answer', confirmFailed(NETWORK)],
    ['after not_pending', confirmFailed(NOT_PENDING)],
  ])(
    'a service that tells nothing of attempts, %s: unknown, and no other payment is asked for',
    (_, answer) => {
      const silent = {
        confirmation_attempts: null,
        attempts_left: null,
        attempt_in_progress: null,
        attemptsAreOver: false,
      };
      const before = drive(LOADING, [-1000, retrieved(silent)]);
      const step = drive(before, [0, press()], [0, answer]);
      expect(play(step, 0, () => retrieved(silent)).state.status).toBe('unknown');
    },
  );

  it.each([
    ['no attempt left', 0, 'exhausted'],
    ['an attempt left', 1, 'ready'],
  ])('no number of attempts, after not_pending, and %s: %s', (_, attempts_left, status) => {
    const uncounted = { confirmation_attempts: null, attempts_left: 1, attempt_in_progress: false };
    const before = drive(LOADING, [-1000, retrieved(uncounted)]);
    const step = drive(before, [0, press()], [0, confirmFailed(NOT_PENDING)]);
    expect(play(step, 0, () => retrieved({ ...uncounted, attempts_left })).state.status).toBe(status);
  });

  it('two reads that disagree on the attempts settle nothing; the later becomes the first of two', () => {
    const story = play(ANSWERED, 0, (now) => retrieved({ confirmation_attempts: now < 6000 ? 0 : 1 }));
    expect(story.reads).toEqual([1000, 3000, 6000, 11_000, 11_000]);
    expect(story.releases).toEqual([11_000]);
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined' });
  });

  it('two reads that disagree on the status settle nothing', () => {
    const story = play(ANSWERED, 0, (now) => retrieved(now === 3000 ? { status: 'processing' } : {}));
    // After processing, pending means that the attempt failed (contract 4.1).
    expect(story.reads.slice(0, 4)).toEqual([1000, 3000, 6000, 11_000]);
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined' });
  });

  it('replicas that never agree settle nothing: unknown', () => {
    let attempts = 0;
    const story = play(ANSWERED, 0, () => {
      attempts = 1 - attempts;
      return retrieved({ confirmation_attempts: attempts });
    });
    expect(story.state.status).toBe('unknown');
  });

  it('pending, pending, succeeded: a late charge is found', () => {
    const story = play(SILENT, 0, (now) => retrieved(now < 20_000 ? {} : { status: 'succeeded' }));
    expect(story.state.status).toBe('succeeded');
  });

  it('outcomes G1: a confirm that acts after not_charged: the next press finds the payment', () => {
    const settled = play(SILENT, 0, () => retrieved());
    const again = drive(settled.state, [30_000, press()], [31_000, confirmFailed(NOT_PENDING)]);
    expect(play(again, 31_000, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('the total has changed: not_charged together with the previous total', () => {
    const story = play(SILENT, 0, () => retrieved({ amount_total: 1334 }));
    expect(ready(story).feedback).toEqual({
      notice: { kind: 'not_charged' },
      previousTotal: { amount: 1234, currency: 'usd' },
    });
  });

  describe('contract 4.4, holdFailedAttempts: processing with last_payment_error until released', () => {
    it('no answer: settles like pending, then releases, reads, declined', () => {
      let released = false;
      const story = play(SILENT, 0, (now) => {
        released = now >= 20_000 && released;
        const answer = retrieved(released ? { confirmation_attempts: 1 } : HELD_ATTEMPT);
        released ||= now >= 20_000;
        return answer;
      });
      expect(story.releases[0]).toBe(20_000);
      expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined' });
    });

    it('after 200 processing: two reads 5 s apart, then releases', () => {
      const step = drive(PROCESSING, [1000, WAITED], [1000, retrieved(HELD_ATTEMPT)]);
      expect(step.state.status).toBe('processing');
      const story = play(
        step,
        1000,
        (now) => retrieved(now <= 6000 ? HELD_ATTEMPT : { confirmation_attempts: 1 }),
        6000,
      );
      expect(story.state.status).toBe('processing');
      const settled = drive(step, [6000, WAITED], [6000, retrieved(HELD_ATTEMPT)]);
      expect(settled).toMatchObject({
        state: {
          status: 'releasing',
          feedback: { notice: { kind: 'declined', error: { message: 'Declined.' } } },
        },
        effects: RELEASE,
      });
      const after = play(settled, 6000, () => retrieved({ confirmation_attempts: 1 }));
      expect(ready(after).feedback.notice).toMatchObject({ kind: 'declined' });
    });

    it('one read of a held attempt is not enough: succeeded may follow', () => {
      const step = drive(PROCESSING, [1000, WAITED], [1000, retrieved(HELD_ATTEMPT)]);
      expect(play(step, 1000, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
    });

    it('after not_pending: declined, not exhausted', () => {
      const step = drive(CONFIRMING, [0, confirmFailed(NOT_PENDING)]);
      const story = play(step, 0, (now) => retrieved(now <= 6000 && now > 0 ? HELD_ATTEMPT : {}), 6000);
      expect(story.state.status).not.toBe('exhausted');
      expect(drive(story.state, [7000, WAITED], [7000, retrieved(HELD_ATTEMPT)])).toMatchObject({
        state: { status: 'releasing' },
      });
    });

    it('a service that never releases it: unknown after a bounded number of reads', () => {
      const story = play(PROCESSING, 0, () => retrieved(HELD_ATTEMPT));
      expect(story.state.status).toBe('unknown');
      expect(story.reads.length).toBeLessThan(2 * SCHEDULE.length);
    });
  });

  it('contract 4.1: processing, then pending in two reads that agree: declined', () => {
    const story = play(PROCESSING, 0, (now) =>
      retrieved(
        now < 10_000 ? { status: 'processing' } : { confirmation_attempts: 1, last_payment_error: DECLINED },
      ),
    );
    expect(story.releases).toHaveLength(1);
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined', error: { message: 'Declined.' } });
  });
});
