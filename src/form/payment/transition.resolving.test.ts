/** How reads settle the outcome of a confirm, also for a service that reports little. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import { createListener } from '../frame/merchant/page.fixture.ts';
import { exampleIntent, examplePolling } from './payment.fixture.ts';
import type { Intent, PaymentEvent, PaymentState, Polling } from './payment-state.ts';
import { SCHEDULE } from './timing.ts';
import {
  CONFIRMING,
  confirmFailed,
  DECLINED,
  drive,
  driveReplacing,
  FIRST_POLL,
  HELD_ATTEMPT,
  initialReadOf,
  LOADING,
  NETWORK,
  NOT_PENDING,
  PROCESSING,
  play,
  press,
  RELEASE,
  RETRIEVE,
  RETRY,
  ready,
  refused,
  retrieved,
  retrieveFailed,
  SILENT,
  TIMEOUT,
  throttled,
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

  it.each([1, 3])(
    '%i more attempts than before: declined, because a replayed confirm counts several times',
    (more) => {
      const story = play(SILENT, 0, () => retrieved({ confirmation_attempts: more }));
      expect(ready(story).feedback.notice).toEqual({ kind: 'declined', error: null });
    },
  );

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

/** A read under way at 30 s, after a press that got no answer. */
const readingAt30s = (polling: Partial<Polling>, intent: Partial<Intent> = {}): PaymentState => ({
  status: 'resolving',
  intent: exampleIntent(intent),
  polling: { ...examplePolling, reads: 5, readAt: 29_000, askedAt: 30_000, activity: 'reading', ...polling },
});

/** Polls of an unanswered press that all fail, up to the read that is due at the given time. */
const failUntil = (last: number) =>
  [1000, 3000, 6000, 11_000, 19_000, 29_000]
    .filter((at) => at < last)
    .reduce((step, at) => drive(step, [at, WAITED], [at, retrieveFailed(NETWORK)]), SILENT);

describe('outcomes 2.4: the next read comes sooner if it could settle the outcome', () => {
  const pendingAt19 = drive(failUntil(19_000), [19_000, WAITED], [19_000, retrieved()]);

  it('after the first read that says pending: when a second one can be believed, without jitter', () => {
    expect(pendingAt19.effects).toEqual(wait(5000));
  });

  it('a read in between that fails does not put that off', () => {
    const step = drive(pendingAt19, [21_000, RETRY]);
    expect(step.state).toBe(pendingAt19.state); // requested too soon after the last read
    const failed = drive(pendingAt19, [23_500, RETRY], [23_500, retrieveFailed(NETWORK)]);
    expect(failed.effects).toEqual(wait(500));
  });

  it.each([24_000, 26_000])(
    'if the read that could settle it fails, at %i: the next slot of the schedule',
    (at) => {
      const failed = drive(pendingAt19, [24_000, WAITED], [at, retrieveFailed(NETWORK)]);
      expect(failed.effects).toEqual(wait(15_000, true));
    },
  );

  it('reads that contradict each other keep the schedule', () => {
    const step = drive(pendingAt19, [24_000, WAITED], [24_000, retrieved(HELD_ATTEMPT)]);
    expect(step.state).toMatchObject({
      status: 'resolving',
      polling: { earlierRead: { status: 'processing' } },
    });
    expect(step.effects).toEqual(wait(15_000, true));
  });

  it('"Try again" reads at once, if the last read is not recent', () => {
    const failed = drive(failUntil(19_000), [19_000, WAITED], [19_000, retrieveFailed(NETWORK)]);
    expect(drive(failed, [24_000, RETRY]).effects).toEqual(RETRIEVE);
  });

  it('an attempt of another tab settles 5 s after it was seen, since the service itself told of it', () => {
    const seen = drive(initialReadOf({ status: 'processing' }), [0, WAITED]);
    const story = play(seen, 0, () => retrieved({ last_payment_error: DECLINED }), 60_000);
    expect(story.releases[0]).toBeLessThanOrEqual(7000);
  });
});

describe('outcomes 2.4: a read with fewer attempts than before the press is discarded', () => {
  it('and the next slot is kept', () => {
    const step = drive(readingAt30s({ attemptsBefore: 1 }), [
      30_000,
      retrieved({ confirmation_attempts: 0 }),
    ]);
    expect(step.state).toMatchObject({ status: 'resolving', polling: { earlierRead: null, reads: 6 } });
    expect(step.effects).toEqual(wait(10_000, true));
  });

  it('one without a count is not', () => {
    const read = retrieved({ confirmation_attempts: null });
    const { state } = drive(readingAt30s({ attemptsBefore: 1 }), [30_000, read]);
    expect(state).toMatchObject({ status: 'resolving', polling: { earlierRead: { attempts: null } } });
  });
});

describe('contract 4.6: a service that does not tell whether an attempt runs', () => {
  const untold = { attempt_in_progress: null, attemptsAreOver: false };
  it.each([
    ['as many attempts as before the press: none of this press was counted', 1, 1, 'resolving'],
    ['more attempts than before the press: one may be running', 1, 2, 'processing'],
    ['no count in the read', 1, null, 'resolving'],
    ['no count before the press', null, 1, 'resolving'],
  ])('%s', (_, before, now, status) => {
    const state = readingAt30s({ attemptsBefore: before }, { ...untold, confirmation_attempts: now });
    const step = drive(state, [30_000, retrieved({ ...untold, confirmation_attempts: now })]);
    expect(step.state).toMatchObject({
      status,
      polling: { earlierRead: status === 'resolving' ? { status: 'pending' } : null },
    });
  });
});

describe('outcomes 2.4: what two reads that agree settle', () => {
  const agreeing = (status: string, attempts: number | null) => ({ at: 20_000, status, attempts });

  it('an attempt that is held as processing, with its error, has failed, also if it is not counted as new', () => {
    const state = readingAt30s({ attemptsBefore: 1, earlierRead: agreeing('processing', 1) });
    const step = drive(state, [30_000, retrieved(HELD_ATTEMPT)]);
    expect(step.state).toMatchObject({ status: 'releasing', feedback: { notice: { kind: 'declined' } } });
  });

  it('reads with the same count but another status do not agree', () => {
    const state = readingAt30s({ attemptsBefore: 0, earlierRead: agreeing('processing', 1) });
    const step = drive(state, [
      30_000,
      retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED }),
    ]);
    expect(step.state).toMatchObject({ status: 'resolving', polling: { earlierRead: { at: 30_000 } } });
  });

  it('an error that blames the integration is not believed while an attempt is held', () => {
    const refusal = confirmFailed(refused(400, 'validation_error'));
    const polled = drive(CONFIRMING, [0, refusal], [1000, WAITED], [1000, retrieved(HELD_ATTEMPT)]);
    expect(polled.state.status).toBe('resolving');
  });
});

/** A read that doesn't say whether an attempt is running. */
const silentRead = (different: Partial<Intent> = {}): PaymentEvent =>
  retrieved({ attempt_in_progress: null, attemptsAreOver: false, ...different });
const LAST = { confirmation_attempts: 1, attempts_left: 0 } as const;

const READY = drive(LOADING, [-1000, silentRead()]);
const UNTOLD_CONFIRMING = drive(READY, [0, press()]);
const UNTOLD_SILENT = drive(UNTOLD_CONFIRMING, [7000, confirmFailed(NETWORK)]);

describe('contract 4.6: while an attempt may be running, the form neither denies a charge nor asks for another intent', () => {
  it('no answer, and an attempt was counted: not "declined", and no end is believed until the service tells one', () => {
    const story = play(UNTOLD_SILENT, 7000, () => silentRead({ confirmation_attempts: 1, attempts_left: 4 }));
    expect(story.state.status).toBe('unknown');
  });

  it.each<[string, Partial<Intent>, string]>([
    ['that it failed', { last_payment_error: DECLINED }, 'releasing'],
    ['that none is running', { attempt_in_progress: false }, 'releasing'],
    ['that it succeeded', { status: 'succeeded' }, 'succeeded'],
  ])('until the service tells %s', (_, told, status) => {
    const running = { confirmation_attempts: 1, attempts_left: 4 };
    const seen: string[] = [];
    let step = UNTOLD_SILENT;
    for (let now = 7000; now < 120_000; ) {
      const [effect] = step.effects;
      if (!effect || seen.includes(status)) break;
      if (effect.type === 'wait') now += effect.ms;
      const answer = silentRead(now < 60_000 ? running : { ...running, ...told });
      step = drive(step, [now, effect.type === 'wait' ? { type: 'waited' } : answer]);
      if (now < 60_000) expect(step.state.status).toMatch(/resolving|processing/);
      else seen.push(step.state.status);
    }
    expect(seen).toContain(status);
  });

  it('400 payment_intent_not_pending, and reads tell of attempts that are left: the intent is not over', () => {
    const counted = { confirmation_attempts: 1, attempts_left: 4 } as const;
    const pressed = drive(LOADING, [-1000, retrieved(counted)], [0, press()]);
    const refusedByOther = drive(pressed, [0, confirmFailed(NOT_PENDING)]);
    const { state } = play(refusedByOther, 0, () => retrieved(counted));
    expect(state).toMatchObject({ status: 'ready', feedback: { notice: { kind: 'not_charged' } } });
    const spent = { confirmation_attempts: 1, attempts_left: 0 } as const;
    expect(play(refusedByOther, 0, () => retrieved(spent)).state.status).toBe('exhausted');
  });

  it('a read beside the open confirm tells of an attempt; a 429 after it does not deny a charge', () => {
    const told = { status: 'processing', confirmation_attempts: 1, attempt_in_progress: true };
    const reading = drive(UNTOLD_CONFIRMING, [8000, WAITED], [20_000, WAITED]);
    const step = drive(
      reading,
      [21_000, retrieved({ ...told, attemptsAreOver: false })],
      [22_000, confirmFailed(throttled(5))],
    );
    const knowledge = createListener();
    knowledge.pass(step.state);
    expect([step.state.status, knowledge.charged()]).toEqual(['throttled', 'unknown']);
  });

  it('400 payment_intent_not_pending while the last attempt runs: never exhausted', () => {
    const step = drive(UNTOLD_CONFIRMING, [1000, confirmFailed(NOT_PENDING)]);
    expect(play(step, 1000, () => silentRead(LAST)).state.status).toBe('unknown');
  });

  it('a page that opens while the last attempt runs: no other intent', () => {
    const step = driveReplacing(LOADING.state, [0, silentRead(LAST)]);
    expect(step.state.status).toBe('processing');
    expect(play(step, 0, () => silentRead(LAST)).state.status).toBe('unknown');
  });
});

describe('contract 4.6: what tells that the counted attempts are over', () => {
  it('the 402 of the only attempt since: used up, another intent may follow', () => {
    const declined = drive(UNTOLD_CONFIRMING, [1000, confirmFailed(refused(402, 'payment_method_declined'))]);
    expect(play(declined, 1000, () => silentRead(LAST)).state.status).toBe('exhausted');
  });

  it('but not that of one attempt among two', () => {
    const declined = drive(UNTOLD_CONFIRMING, [1000, confirmFailed(refused(402, 'payment_method_declined'))]);
    const both = { confirmation_attempts: 2, attempts_left: 0 };
    expect(play(declined, 1000, () => silentRead(both)).state.status).toBe('unknown');
  });

  it('`processing` that goes back to `pending`', () => {
    const counted = { confirmation_attempts: 1, attempts_left: 4 };
    const processing = drive(
      UNTOLD_SILENT,
      [8000, { type: 'waited' }],
      [8000, silentRead({ ...counted, status: 'processing' })],
    );
    const story = play(processing, 8000, () => silentRead(counted), 60_000);
    expect(story.releases).toHaveLength(1);
  });
});

describe('outcomes 2.4: a read is as old as its question', () => {
  it('asked 10 s after the press and answered at 20 s, it does not say that the press is lost', () => {
    let step = drive(UNTOLD_SILENT, [8000, { type: 'waited' }], [8000, silentRead()]);
    step = drive(step, [10_000, { type: 'waited' }], [20_500, silentRead()]);
    expect(step.state.status).toBe('resolving');
    const wait = step.effects[0];
    expect(wait?.type).toBe('wait');
    const asked = drive(step, [21_000, { type: 'waited' }]);
    expect(asked.effects).toEqual(RETRIEVE);
    expect(drive(asked, [21_100, silentRead()]).state).toMatchObject({
      status: 'ready',
      feedback: { notice: { kind: 'not_charged' } },
    });
  });
});
