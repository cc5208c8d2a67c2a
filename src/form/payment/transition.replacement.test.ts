/** A page that gives another intent when one ended unpaid. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import { exampleIntent } from './payment.fixture.ts';
import type { Effect, Intent, PaymentEvent } from './payment-state.ts';
import {
  CONFIRMING,
  confirmFailed,
  drive,
  driveReplacing,
  LOADING,
  NETWORK,
  NOT_PENDING,
  READY,
  REFRESH,
  RETRIEVE,
  RETRY,
  ready,
  refused,
  retrieved,
  retrieveFailed,
  throttled,
  WAITED,
} from './transition.fixture.ts';

describe('outcomes G4, fetchClientSecret: another intent replaces one that ended unpaid', () => {
  const RETRIEVE_REPLACEMENT: readonly Effect[] = [{ type: 'retrieve', replacement: true }];
  const CANCELED_END = { status: 'canceled', intent: exampleIntent({ status: 'canceled' }) } as const;
  const CANCELED = driveReplacing(READY.state, [5000, REFRESH], [5000, retrieved({ status: 'canceled' })]);
  const other = (different: Partial<Intent> = {}) => retrieved({ id: 'lg_pi_2', ...different });

  it('canceled: asks the page for another intent and reads it', () => {
    expect(CANCELED).toEqual({
      state: { status: 'loading', replaces: CANCELED_END, failures: 0, activity: 'reading' },
      effects: RETRIEVE_REPLACEMENT,
    });
  });

  it('attempts used up: asks only after not_pending and two reads that agree on pending', () => {
    let step = driveReplacing(CONFIRMING.state, [0, confirmFailed(NOT_PENDING)]);
    expect(step.effects).not.toContainEqual(expect.objectContaining({ replacement: true }));
    const reads: number[] = [];
    for (let now = 0; step.state.status === 'resolving'; ) {
      const [effect] = step.effects;
      if (effect?.type === 'wait') now += effect.ms;
      if (effect?.type === 'retrieve') reads.push(now);
      const event = effect?.type === 'wait' ? WAITED : retrieved();
      step = driveReplacing(step.state, [now, event]);
    }
    expect(reads.length).toBeGreaterThanOrEqual(2);
    expect(step.effects).toEqual(RETRIEVE_REPLACEMENT);
    expect(step.state).toMatchObject({
      status: 'loading',
      replaces: { status: 'exhausted', error: NOT_PENDING },
    });
  });

  it.each([
    ['silence', NETWORK],
    ['a rate limit', throttled(5)],
    ['a decline', refused(402, 'payment_method_declined')],
    ['an error of the service', refused(500, 'internal_error')],
    ['a wrong key', refused(401, 'invalid_api_key')],
  ])('outcomes G4: %s never asks for another intent', (_, failure) => {
    let step = driveReplacing(CONFIRMING.state, [0, confirmFailed(failure)]);
    for (let now = 0, steps = 0; step.effects.length > 0 && steps < 200; steps += 1) {
      expect(step.effects).not.toContainEqual(expect.objectContaining({ replacement: true }));
      const [effect] = step.effects;
      if (effect?.type === 'wait') now += effect.ms;
      const event: PaymentEvent =
        effect?.type === 'wait' ? WAITED : effect?.type === 'release' ? { type: 'released' } : retrieved();
      step = driveReplacing(step.state, [now, event]);
    }
    expect(['ready', 'blocked']).toContain(step.state.status);
  });

  it('the replacement is pending: ready with started_over', () => {
    const step = driveReplacing(CANCELED.state, [6000, other()]);
    expect(ready(step)).toMatchObject({
      intent: { id: 'lg_pi_2' },
      feedback: { notice: { kind: 'started_over' }, previousTotal: null },
      armedAt: 6500,
    });
  });

  it('the replacement cannot be read a second time: blocked, since nothing was sent for it', () => {
    const step = driveReplacing(
      CANCELED.state,
      [6000, other()],
      [20_000, REFRESH],
      [20_000, retrieveFailed(refused(401, 'api_key_revoked'))],
    );
    expect(step.state).toMatchObject({ status: 'blocked', intent: { id: 'lg_pi_2' } });
  });

  describe('canceled at the first read, and never tried: the buyer has seen nothing of it', () => {
    const first = (different: Partial<Intent>) =>
      driveReplacing(LOADING.state, [0, retrieved({ status: 'canceled', ...different })]);
    const UNTRIED = first({ confirmation_attempts: 0 });

    it('so another is asked for, and neither a try nor another total is told of', () => {
      expect(UNTRIED).toMatchObject({
        state: { status: 'loading', replaces: { status: 'canceled', untried: true } },
        effects: RETRIEVE_REPLACEMENT,
      });
      const step = driveReplacing(UNTRIED.state, [500, other({ amount_total: 9999 })]);
      expect(ready(step).feedback).toEqual({
        notice: { kind: 'started_over', untried: true },
        previousTotal: null,
      });
    });

    it('and the page is still not asked a third time, if all attempts of the other are used up', () => {
      const used = other({ attempts_left: 0, confirmation_attempts: 3, attempt_in_progress: false });
      const step = driveReplacing(UNTRIED.state, [500, used], [5500, WAITED], [5500, used]);
      expect(step.state.status).toBe('exhausted');
    });

    it('if the page gives none, the intent that it gave is shown as canceled', () => {
      const none = retrieveFailed({ kind: 'no_answer', reason: 'no_secret' });
      expect(driveReplacing(UNTRIED.state, [500, none]).state.status).toBe('canceled');
      expect(drive(LOADING, [0, retrieved({ status: 'canceled', confirmation_attempts: 0 })])).toMatchObject({
        state: { status: 'canceled' },
        effects: [],
      });
    });

    it.each([1, null])('but if %s attempts were counted, an earlier page may have tried', (attempts) => {
      const step = driveReplacing(first({ confirmation_attempts: attempts }).state, [500, other()]);
      expect(ready(step).feedback.notice).toEqual({ kind: 'started_over' });
    });
  });

  it('the replacement has another total: the previous total is kept for the buyer', () => {
    const step = driveReplacing(CANCELED.state, [6000, other({ amount_total: 1500 })]);
    expect(ready(step).feedback.previousTotal).toEqual({ amount: 1234, currency: 'usd' });
  });

  it.each<[string, PaymentEvent]>([
    ['the page has none', retrieveFailed({ kind: 'no_answer', reason: 'no_secret' })],
    ['the page gives the same again', retrieved({ status: 'canceled' })],
    ['the page gives the same again, which now reads as pending', retrieved()],
    ['the page gives another that is canceled, too', other({ status: 'canceled' })],
  ])('%s: canceled, without asking again', (_, event) => {
    expect(driveReplacing(CANCELED.state, [6000, event])).toEqual({ state: CANCELED_END, effects: [] });
  });

  describe('the page gives an intent again whose attempts seemed to be used up, and the read knows more', () => {
    const EXHAUSTED_END = { status: 'exhausted', intent: exampleIntent(), error: NOT_PENDING } as const;
    const asked = { status: 'loading', replaces: EXHAUSTED_END, failures: 0, activity: 'reading' } as const;
    const again = (status: string) => driveReplacing(asked, [6000, retrieved({ status })]);

    it('pending: used up, without asking again', () => {
      expect(again('pending')).toEqual({ state: EXHAUSTED_END, effects: [] });
    });

    it.each(['succeeded', 'canceled'])('%s: believed, without asking again', (status) => {
      expect(again(status)).toMatchObject({ state: { status, intent: { status } }, effects: [] });
    });

    it('processing: polled, for the last attempt was running after all', () => {
      expect(again('processing').state).toMatchObject({ status: 'processing' });
    });
  });

  it.each(['pending', 'processing', 'succeeded', 'canceled'] as const)(
    'canceled is final: the same intent again, now %s, is shown as canceled',
    (status) => {
      expect(driveReplacing(CANCELED.state, [6000, retrieved({ status })])).toEqual({
        state: CANCELED_END,
        effects: [],
      });
    },
  );

  it('the replacement cannot be read: retried without asking the page again, then by hand', () => {
    const failures: (readonly [number, PaymentEvent])[] = [];
    for (const at of [6000, 7000, 10_000, 18_000]) failures.push([at, retrieveFailed(NETWORK)], [at, WAITED]);
    const step = driveReplacing(CANCELED.state, ...failures);
    expect(step.state).toMatchObject({ status: 'load_failed', replaces: CANCELED_END });
    const again = driveReplacing(step.state, [30_000, RETRY]);
    expect(again.effects).toEqual(RETRIEVE);
    expect(ready(driveReplacing(again.state, [30_000, other()])).feedback.notice).toEqual({
      kind: 'started_over',
    });
  });

  it('the page gives none at first: load_failed without retries, because each would call its server', () => {
    const step = drive(LOADING, [0, retrieveFailed({ kind: 'no_answer', reason: 'no_secret' })]);
    expect(step).toMatchObject({ state: { status: 'load_failed', intent: null }, effects: [] });
    expect(drive(step, [3000, RETRY]).effects).toEqual(RETRIEVE);
  });

  it('a page with one intent: canceled', () => {
    expect(drive(READY, [5000, REFRESH], [5000, retrieved({ status: 'canceled' })])).toMatchObject({
      state: { status: 'canceled' },
      effects: [],
    });
  });
});
