/** outcomes 2.4: when two reads settle an attempt, and when the next one is due. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import { exampleIntent, examplePolling } from './payment.fixture.ts';
import type { Intent, PaymentState, Polling } from './payment-state.ts';
import {
  CONFIRMING,
  confirmFailed,
  DECLINED,
  drive,
  HELD_ATTEMPT,
  initialReadOf,
  NETWORK,
  play,
  RETRIEVE,
  RETRY,
  refused,
  retrieved,
  retrieveFailed,
  SILENT,
  WAITED,
  wait,
} from './transition.fixture.ts';

/** A read under way at 30 s, after a press that got no answer. */
const readingAt30s = (polling: Partial<Polling>, intent: Partial<Intent> = {}): PaymentState => ({
  status: 'resolving',
  intent: exampleIntent(intent),
  polling: { ...examplePolling, reads: 5, readAt: 29_000, askedAt: 30_000, activity: 'reading', ...polling },
});

/** Polls of a silent press that all fail, up to the read that is due at the given time. */
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
    expect(step.state).toBe(pendingAt19.state); // asked too soon after the last read
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

  it('a count that was unknown before the press says nothing', () => {
    const state = readingAt30s({ attemptsBefore: null, earlierRead: agreeing('pending', 1) });
    const step = drive(state, [30_000, retrieved({ confirmation_attempts: 1 })]);
    expect(step.state).toMatchObject({ status: 'ready', feedback: { notice: { kind: 'not_charged' } } });
  });

  it('reads with the same count but another status do not agree', () => {
    const state = readingAt30s({ attemptsBefore: 0, earlierRead: agreeing('processing', 1) });
    const step = drive(state, [
      30_000,
      retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED }),
    ]);
    expect(step.state).toMatchObject({ status: 'resolving', polling: { earlierRead: { at: 30_000 } } });
  });

  it('a status of a later service is not over, whatever error it carries', () => {
    const read = retrieved({ status: 'requires_action', last_payment_error: DECLINED });
    expect(drive(readingAt30s({}), [30_000, read]).state.status).toBe('processing');
  });

  it('an error that blames the integration is not believed while an attempt is held', () => {
    const refusal = confirmFailed(refused(400, 'validation_error'));
    const polled = drive(CONFIRMING, [0, refusal], [1000, WAITED], [1000, retrieved(HELD_ATTEMPT)]);
    expect(polled.state.status).toBe('resolving');
  });
});
