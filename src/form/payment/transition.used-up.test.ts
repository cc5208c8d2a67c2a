/** An intent whose attempts are used up, where the service says so (contract 3.5). Times in ms. */
import { describe, expect, it } from 'vitest';
import type { Intent, PaymentEvent, PaymentState, Step } from './payment-state.ts';
import { TIMING } from './timing.ts';
import {
  CONFIRMING,
  confirmFailed,
  DECLINED,
  drive,
  driveReplacing,
  LOADING,
  NETWORK,
  play,
  REFRESH,
  RETRIEVE,
  RETRY,
  ready,
  refused,
  retrieved,
  retrieveFailed,
  WAITED,
  wait,
} from './transition.fixture.ts';
import { transition } from './transition.ts';

const USED = { confirmation_attempts: 5, attempts_left: 0 } as const;

describe('contract 4.6: no attempt is left', () => {
  const step = drive(LOADING, [0, retrieved(USED)]);

  it('one read is not believed: the last attempt may be running', () => {
    expect(step).toMatchObject({ state: { status: 'reloading', usedUpAt: 0 }, effects: wait(5000) });
  });

  it('outcomes 2.4: two reads 5 s apart are believed, before anybody has pressed', () => {
    const story = play(step, 0, () => retrieved(USED));
    expect(story.reads).toEqual([5000]);
    expect(story.state).toMatchObject({
      status: 'exhausted',
      error: {
        kind: 'refused',
        status: 400,
        code: 'payment_intent_not_pending',
        type: 'invalid_request_error',
        message: 'All payment attempts of this intent are used (attempts_left is 0).',
        param: null,
        declineCode: null,
      },
    });
  });

  it('the last attempt was running and succeeds: succeeded', () => {
    expect(play(step, 0, () => retrieved({ ...USED, status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('the first read was old: ready', () => {
    const story = play(step, 0, () => retrieved({ confirmation_attempts: 5, attempts_left: 1 }));
    expect(ready(story).feedback).toMatchObject({ notice: null, previousTotal: null });
  });

  it('refresh() in the meantime does not make it sooner', () => {
    const refreshed = drive(step, [100, REFRESH]);
    expect(refreshed.effects).toEqual([]);
    expect(play({ ...refreshed, effects: step.effects }, 0, () => retrieved(USED)).state.status).toBe(
      'exhausted',
    );
  });

  it('the second read fails: tried again', () => {
    const answers = [retrieveFailed(NETWORK), retrieved(USED)];
    const story = play(step, 0, () => answers.shift() ?? retrieved(USED));
    expect(story.reads).toEqual([5000, 6000]);
    expect(story.state.status).toBe('exhausted');
  });

  it.each([null, 1, 5])('attempts_left is %j: ready at once', (attempts_left) => {
    const now = drive(LOADING, [0, retrieved({ confirmation_attempts: 5, attempts_left })]);
    expect(ready(now).feedback.notice).toBeNull();
  });

  it('processing or succeeded with no attempt left is what it is', () => {
    expect(drive(LOADING, [0, retrieved({ ...USED, status: 'processing' })]).state.status).toBe('processing');
    expect(drive(LOADING, [0, retrieved({ ...USED, status: 'succeeded' })]).state.status).toBe('succeeded');
  });
});

describe('the last attempt is declined', () => {
  const declined = refused(402, 'payment_method_declined', { type: 'card_error' });

  it('the form says so without another card, and keeps the decline for the report', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(declined)]);
    const seen: PaymentState[] = [];
    const story = play(step, 0, () => retrieved(USED));
    seen.push(story.state);
    expect(story).toMatchObject({ state: { status: 'exhausted' }, releases: [0], reads: [0, 5000] });
    const waiting = drive(step, [0, { type: 'released' }], [0, retrieved(USED)]);
    expect(waiting.state).toMatchObject({
      status: 'reloading',
      feedback: { notice: { kind: 'declined', error: declined } },
    });
  });

  const after402 = drive(CONFIRMING, [0, confirmFailed(declined)]);
  const only = { ...USED, confirmation_attempts: 1 } as const;

  it('by the 402 of this form, the only attempt since the last read: one read is enough', () => {
    const story = play(after402, 0, () => retrieved({ ...only, attempt_in_progress: false }));
    expect(story).toMatchObject({ state: { status: 'exhausted' }, releases: [0], reads: [0] });
  });

  it.each<[string, Partial<Intent>]>([
    ['the service does not say whether an attempt runs', { attempt_in_progress: null }],
    ['another browser has tried, too', { confirmation_attempts: 2, attempt_in_progress: false }],
    ['the service does not count', { confirmation_attempts: null, attempt_in_progress: false }],
  ])('by the 402 of this form, but %s: two reads', (_, different) => {
    const story = play(after402, 0, () => retrieved({ ...only, ...different }));
    expect(story).toMatchObject({ state: { status: 'exhausted' }, reads: [0, 5000] });
  });

  it('as only a read tells: two reads', () => {
    const failed = drive(LOADING, [0, retrieved({ ...only, last_payment_error: DECLINED })]);
    const story = play(failed, 0, () => retrieved({ ...only, attempt_in_progress: false }));
    expect(story).toMatchObject({ state: { status: 'exhausted' }, reads: [0, 5000] });
  });

  it('and no read succeeds for a while: it never becomes ready', () => {
    const answers = [NETWORK, NETWORK, NETWORK, NETWORK, NETWORK].map(retrieveFailed);
    const story = play(after402, 0, () => answers.shift() ?? retrieved(only));
    expect(story.state.status).toBe('exhausted');
  });

  it('is told once, and no failing or refused read makes the outcome unknown afterwards', () => {
    const untold = { ...only, attempt_in_progress: null };
    const shown = drive(after402, [0, { type: 'released' }], [0, retrieved(untold)]);
    const cut = play(shown, 0, () => retrieveFailed(NETWORK));
    expect(cut.state).toMatchObject({ status: 'load_failed', feedback: { notice: { kind: 'declined' } } });
    const refusal = retrieveFailed(refused(404, 'payment_intent_not_found'));
    expect(drive(shown, [5000, WAITED], [5000, refusal]).state.status).toBe('blocked');
    const again = play(drive(cut.state, [60_000, RETRY]), 60_000, () => retrieved(untold));
    expect(again.state).toMatchObject({ status: 'exhausted', declined: true });
  });

  it('a failed attempt of an earlier page is released first', () => {
    const step = drive(LOADING, [0, retrieved({ ...USED, last_payment_error: DECLINED })]);
    expect(step.state.status).toBe('releasing');
    expect(play(step, 0, () => retrieved(USED)).state.status).toBe('exhausted');
  });
});

describe('outcomes G4: a page that can give another intent', () => {
  const usedUp = (id: string): PaymentEvent => retrieved({ ...USED, id });
  const second = (from: Step): Step => driveReplacing(from.state, [5000, WAITED], [5000, usedUp('lg_pi_1')]);
  const first = driveReplacing(LOADING.state, [0, usedUp('lg_pi_1')]);

  it('is asked only once two reads agree', () => {
    expect(first.effects).toEqual(wait(5000));
    expect(second(first)).toMatchObject({
      state: { status: 'loading', replaces: { status: 'exhausted' } },
      effects: [{ type: 'retrieve', replacement: true }],
    });
  });

  it('gives the same again, which is being paid by now: its reads start with this one', () => {
    const paying = driveReplacing(second(first).state, [6000, retrieved({ ...USED, status: 'processing' })]);
    expect(paying.state).toMatchObject({ status: 'processing', polling: { readAt: 6000, askedAt: 6000 } });
  });

  it('is not asked again if that one is used up, too', () => {
    const other = driveReplacing(
      second(first).state,
      [6000, usedUp('lg_pi_2')],
      [11_000, WAITED],
      [11_000, usedUp('lg_pi_2')],
    );
    expect(other).toMatchObject({ state: { status: 'exhausted', intent: { id: 'lg_pi_2' } }, effects: [] });
  });

  it('the wait ends on time', () => {
    const { state } = first;
    const early = transition(state, WAITED, {
      now: TIMING.agreement,
      awake: true,
      canReplace: true,
      asksPage: false,
    });
    expect(early.effects).toEqual(RETRIEVE);
  });
});
