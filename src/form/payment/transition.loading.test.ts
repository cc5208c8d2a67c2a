/**
 * From `booting` to `ready`: the first read, the read before the buyer may press again, and intents that replace
 * another. Times in ms from the press.
 */
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../api/errors.ts';
import { exampleIntent, exampleState, STATUSES } from './payment.fixture.ts';
import type { Effect, Intent, PaymentEvent, Step } from './payment-state.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmFailed,
  DECLINED,
  drive,
  driveReplacing,
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

  it.each<[number, string]>([
    [502, 'provider_error'],
    [503, 'http_503'],
  ])('%i %s: 4 retries (1, 2, 4, 8 s), then load_failed', (status, code) => {
    const story = load(refused(status, code));
    expect(story.reads).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(story.state).toMatchObject({ status: 'load_failed', failure: { code } });
  });

  it.each<[number, string]>([
    [400, 'merchant_suspended'],
    [401, 'invalid_api_key'],
    [404, 'payment_intent_not_found'],
    [413, 'http_413'],
    [500, 'fee_plan_not_configured'],
  ])('%i %s: blocked, no retry', (status, code) => {
    const story = load(refused(status, code));
    expect(story.reads).toEqual([0]);
    expect(story.state).toMatchObject({ status: 'blocked', recoverable: false, error: { code } });
  });

  it.each([0, 60, 3600])('429 with Retry-After %i: waits exactly that long, then reads again', (seconds) => {
    const step = drive(LOADING, [0, retrieveFailed(throttled(seconds))]);
    expect(step).toMatchObject({
      state: { status: 'loading', activity: 'pausing' },
      effects: wait(seconds * 1000 + 100),
    });
    expect(drive(step, [seconds * 1000 + 100, WAITED])).toMatchObject({
      state: { status: 'loading', activity: 'reading' },
      effects: RETRIEVE,
    });
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
    const answers = [...Array(4).fill(throttled(5)), NETWORK, NETWORK, NETWORK, NETWORK];
    const story = play(LOADING, 0, () => retrieveFailed(answers.shift() ?? TIMEOUT));
    expect(story.reads).toEqual([0, 5100, 10_200, 15_300, 20_400, 21_400, 24_400, 32_400]);
    expect(story.state).toMatchObject({ status: 'load_failed', failure: NETWORK });
  });

  it('load_failed: the button, refresh(), waking and a restored page read again, 2 s after the failure or later', () => {
    const { state, ended } = load(NETWORK);
    for (const event of [RETRY, REFRESH, RESTORED, woke(1000)]) {
      expect(drive(state, [ended + 2000, event])).toEqual(LOADING);
      const early = drive(state, [ended + 500, event]); // changes the state at once
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
});

describe('outcomes 2.7: presses', () => {
  it('the second press of a double click changes nothing and sends nothing', () => {
    const again = drive(CONFIRMING, [0, press()]);
    expect(again.state).toBe(CONFIRMING.state);
    expect(again.effects).toEqual([]);
  });

  const appeared = drive(LOADING, [0, retrieved()]);

  it.each([0, 1, 499, 499.9])('a press %d ms after the form appeared does not count', (after) => {
    expect(drive(appeared, [after, press()])).toEqual({ state: appeared.state, effects: [] });
  });

  it('a press 500 ms after the form appeared counts', () => {
    expect(drive(appeared, [500, press()]).state.status).toBe('confirming');
  });

  it.each<[string, PaymentEvent]>([
    ['another total', press(1334)],
    ['a lower total', press(1233)],
    ['another currency', press(1234, 'eur')],
    ['NaN', press(Number.NaN)],
  ])('outcomes I5: a press on a button that shows %s sends nothing', (_, event) => {
    expect(drive(READY, [0, event])).toEqual({ state: READY.state, effects: [] });
  });

  it.each(STATUSES.filter((status) => status !== 'ready'))('a press in %s sends nothing', (status) => {
    const state = exampleState(status);
    const step = drive(state, [1e7, press()]);
    expect(step.state).toBe(state);
    expect(step.effects).toEqual([]);
  });
});

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
});

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
  const after402 = drive(CONFIRMING, [0, confirmFailed(declined)]);

  it('the form says so without another card, and keeps the decline for the report', () => {
    const story = play(after402, 0, () => retrieved(USED));
    expect(story).toMatchObject({ state: { status: 'exhausted' }, releases: [0], reads: [0, 5000] });
    const waiting = drive(after402, [0, { type: 'released' }], [0, retrieved(USED)]);
    expect(waiting.state).toMatchObject({
      status: 'reloading',
      feedback: { notice: { kind: 'declined', error: declined } },
    });
  });

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
});
