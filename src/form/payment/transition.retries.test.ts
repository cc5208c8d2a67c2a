/** Retries, reasons and repeated reads at the edges of their schedules. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import { exampleConfirming, exampleIntent } from './payment.fixture.ts';
import type { Intent, PaymentState } from './payment-state.ts';
import { SCHEDULE } from './timing.ts';
import {
  CONFIRMING,
  confirmed,
  confirmFailed,
  DECLINED,
  drive,
  initialReadOf,
  LOADING,
  NETWORK,
  READY,
  RELEASE,
  RESTORED,
  RETRIEVE,
  refused,
  releaseFailed,
  retrieved,
  retrieveFailed,
  UNKNOWN,
  WAITED,
  wait,
  woke,
} from './transition.fixture.ts';

const DECLINE = refused(402, 'payment_method_declined');

describe('outcomes 2.6: a read on the way to ready is retried', () => {
  it.each([
    ['after no answer', NETWORK, [1000, 3000, 8000]],
    ['after a 5xx', refused(503, 'http_503'), [1000, 2000, 4000, 8000]],
  ])('%s', (_, failure, delays) => {
    let step = LOADING;
    for (const ms of delays) {
      step = drive(step, [0, retrieveFailed(failure)]);
      expect(step.effects).toEqual(wait(ms));
      step = drive(step, [0, WAITED]);
    }
    expect(drive(step, [0, retrieveFailed(failure)]).state.status).toBe('load_failed');
  });

  /** The last retry of the read after a decline, which was polled for `reads` slots before. */
  const lastRetry = (reads: number): PaymentState => ({
    status: 'reloading',
    intent: exampleIntent(),
    feedback: { notice: { kind: 'declined', error: DECLINE }, previousTotal: null },
    failures: 3,
    again: false,
    usedUpAt: null,
    reads,
    activity: 'reading',
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

describe('outcomes 2.6: why the form polls', () => {
  it.each([
    ['no answer', confirmFailed(NETWORK), false],
    ['200 with pending', confirmed({}), true],
    ['500', confirmFailed(refused(500, 'internal_error')), true],
    ['503 of a proxy', confirmFailed(refused(503, 'http_503')), false],
  ])('%s: it is not known whether the buyer was charged', (_, event, answered) => {
    const { state } = drive(CONFIRMING, [0, event]);
    expect(state).toMatchObject({
      status: 'resolving',
      polling: { reason: { kind: 'no_answer' }, answered },
    });
  });

  it('restored from the back/forward cache: neither', () => {
    const { state } = drive(CONFIRMING, [0, RESTORED]);
    expect(state).toMatchObject({ polling: { reason: { kind: 'no_answer' }, answered: false } });
  });

  it('a release refused for its keys: unknown, since no read will be answered', () => {
    const { state } = drive(
      CONFIRMING,
      [0, confirmFailed(DECLINE)],
      [0, releaseFailed(refused(401, 'invalid_api_key'))],
    );
    expect(state).toMatchObject({
      status: 'unknown',
      notBefore: null,
      polling: { reason: { kind: 'no_answer' } },
    });
  });

  it('409: read again before the buyer presses, and the notice says so', () => {
    const error = refused(409, 'payment_intent_updated');
    expect(drive(CONFIRMING, [0, confirmFailed(error)])).toMatchObject({
      state: { status: 'reloading', feedback: { notice: { kind: 'check_again', error } } },
      effects: RETRIEVE,
    });
  });

  it('"Check status" has a schedule of its own', () => {
    expect(UNKNOWN.state).toMatchObject({
      polling: { plan: 'check', reads: 0, earlierRead: null, activity: 'pausing' },
    });
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

describe('outcomes 2.4: an intent without attempts left', () => {
  const USED_UP: Partial<Intent> = { attempts_left: 0, confirmation_attempts: 3 };
  const first = drive(initialReadOf(USED_UP), [0, WAITED]);

  it('one read is not believed, however late it comes', () => {
    const read = drive(READY, [60_000, RESTORED], [60_000, retrieved(USED_UP)]);
    expect(read.state).toMatchObject({ status: 'reloading', usedUpAt: 60_000, activity: 'pausing' });
    expect(read.effects).toEqual(wait(5000));
  });

  it('a second read that comes too soon waits for the rest', () => {
    const early = drive(READY, [60_000, RESTORED], [60_000, retrieved(USED_UP)], [62_000, WAITED]);
    const again = drive(early, [62_000, retrieved(USED_UP)]);
    expect(again.state.status).toBe('reloading');
    expect(again.effects).toEqual(wait(3000));
  });

  it('two reads 5 s apart are', () => {
    expect(drive(first, [5000, retrieved(USED_UP)]).state.status).toBe('exhausted');
  });
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

  it('is released again after a while if the release got no answer', () => {
    const releasing = drive(CONFIRMING, [0, confirmFailed(DECLINE)]);
    expect(releasing).toMatchObject({
      state: { status: 'releasing', activity: 'reading' },
      effects: RELEASE,
    });
    const paused = drive(releasing, [0, releaseFailed(NETWORK)]);
    expect(paused).toMatchObject({ state: { activity: 'pausing', failures: 1 }, effects: wait(1000) });
    expect(drive(paused, [1000, WAITED])).toMatchObject({
      state: { status: 'releasing', activity: 'reading', failures: 1 },
      effects: RELEASE,
    });
  });
});
