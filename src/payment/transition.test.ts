/** The tables of research "Paying exactly once", row by row, with the true durations. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import type { Failure, Refusal } from '../api/errors.ts';
import type { Money } from '../api/money.ts';
import { totalOf } from '../api/money.ts';
import { exampleIntent } from './payment.fixture.ts';
import type { Effect, Intent, PaymentEvent, PaymentState, Step } from './payment-state.ts';
import { CHECK, SCHEDULE, TIMING } from './timing.ts';
import { initial, transition } from './transition.ts';

type Moment = readonly [at: number, event: PaymentEvent, awake?: boolean];

/** Feeds events, each at its time, and returns what the last of them led to. */
const drive = (from: PaymentState | Step, ...moments: readonly Moment[]): Step =>
  moments.reduce<Step>(
    ({ state }, [now, event, awake = true]) => transition(state, event, { now, awake, canReplace: false }),
    'effects' in from ? from : { state: from, effects: [] },
  );

type Story = { state: PaymentState; reads: number[]; releases: number[]; ended: number };

/**
 * Goes on from a step until nothing is under way: every wait ends when it is due, every release is answered,
 * every read is answered at once by `answer`. An open confirm stays open.
 */
const play = (from: Step, start: number, answer: (now: number) => PaymentEvent, until = Infinity): Story => {
  const story: Story = { state: from.state, reads: [], releases: [], ended: start };
  let step = from;
  for (let now = start, steps = 0; now < until; steps += 1) {
    if (steps > 10_000) throw new Error(`a story without an end, in ${step.state.status}`);
    const effect = step.effects.find(({ type }) => type !== 'confirm');
    story.state = step.state;
    story.ended = now;
    if (!effect || effect.type === 'confirm') break;
    if (effect.type === 'wait') now += effect.ms;
    if (effect.type === 'retrieve') story.reads.push(now);
    if (effect.type === 'release') story.releases.push(now);
    const event: PaymentEvent =
      effect.type === 'wait'
        ? { type: 'waited' }
        : effect.type === 'release'
          ? { type: 'released' }
          : answer(now);
    step = transition(step.state, event, { now, awake: true, canReplace: false });
  }
  return story;
};

const refused = (status: number, code: string, different: Partial<Refusal> = {}): Refusal => ({
  kind: 'refused',
  status,
  code,
  type: 'api_error',
  message: '',
  param: null,
  declineCode: null,
  ...different,
});
const throttled = (retryAfter: number, stated = true): Failure => ({ kind: 'throttled', retryAfter, stated });
const NETWORK: Failure = { kind: 'no_answer', reason: 'network' };
const TIMEOUT: Failure = { kind: 'no_answer', reason: 'timeout' };
const MALFORMED: Failure = { kind: 'no_answer', reason: 'malformed' };

const retrieved = (different: Partial<Intent> = {}): PaymentEvent => ({
  type: 'retrieved',
  intent: exampleIntent(different),
});
const confirmed = (different: Partial<Intent>): PaymentEvent => ({
  type: 'confirmed',
  intent: exampleIntent(different),
});
const retrieveFailed = (failure: Failure): PaymentEvent => ({ type: 'retrieve_failed', failure });
const confirmFailed = (failure: Failure): PaymentEvent => ({ type: 'confirm_failed', failure });
const releaseFailed = (failure: Failure): PaymentEvent => ({ type: 'release_failed', failure });
const WAITED: PaymentEvent = { type: 'waited' };
const RETRY: PaymentEvent = { type: 'retry_requested' };
const REFRESH: PaymentEvent = { type: 'refresh_requested' };
const RESTORED: PaymentEvent = { type: 'restored' };
const CLOSED: PaymentEvent = { type: 'closed' };
const woke = (gap = 60_000): PaymentEvent => ({ type: 'woke', gap });
const press = (amount = 1234, currency: Money['currency'] = 'usd'): PaymentEvent => ({
  type: 'submitted',
  shown: { amount, currency },
});

const RETRIEVE: readonly Effect[] = [{ type: 'retrieve' }];
const RELEASE: readonly Effect[] = [{ type: 'release' }];
const wait = (ms: number, jitter = false): readonly Effect[] => [{ type: 'wait', ms, jitter }];
const FIRST_LOOK = wait(1000, true);

const DECLINED = { type: 'card_error', code: 'payment_method_declined', message: 'Declined.' };
const HELD_ATTEMPT = {
  status: 'processing',
  confirmation_attempts: 1,
  last_payment_error: DECLINED,
} as const;

// The form was ready before time 0; the button is pressed at 0.
const LOADING = drive(initial, [-1000, { type: 'opened' }]);
const READY = drive(LOADING, [-1000, retrieved()]);
const CONFIRMING = drive(READY, [0, press()]);
/** Looking, after silence at 0. */
const SILENT = drive(CONFIRMING, [0, confirmFailed(NETWORK)]);
/** Polling, after the service said `processing` at 0. */
const PROCESSING = drive(CONFIRMING, [0, confirmed({ status: 'processing', confirmation_attempts: 1 })]);
const NOT_PENDING = refused(400, 'payment_intent_not_pending');
const UNKNOWN = (() => {
  const { state, ended } = play(SILENT, 0, () => retrieveFailed(NETWORK));
  return { state, ended };
})();

const ready = (step: Step | Story) => {
  if (step.state.status !== 'ready') throw new Error(`expected ready, got ${step.state.status}`);
  return step.state;
};

describe('I4: after a press, a read that the service refuses is no verdict on it', () => {
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
    [
      'a press that another tab came before',
      drive(CONFIRMING, [0, { type: 'other_tab_paying' }], [0, WAITED]),
    ],
  ];

  it.each(afterPress)('%s: unknown, for another delivery of the press may have paid', (_, step) => {
    expect(step.state.status).toBe('reloading');
    for (const refusal of refusals) {
      expect(drive(step, [1000, retrieveFailed(refusal)])).toMatchObject({
        state: { status: 'unknown', notBefore: null },
        effects: [],
      });
    }
  });

  it('without a press: blocked, as on load', () => {
    const step = drive(READY, [10_000, REFRESH]);
    for (const refusal of refusals) {
      expect(drive(step, [10_000, retrieveFailed(refusal)]).state).toMatchObject({ status: 'blocked' });
    }
  });
});

describe('2.2: the way to the form', () => {
  it('booting --opened--> loading, with a read', () => {
    expect(LOADING).toEqual({
      state: { status: 'loading', replaces: null, failures: 0, activity: 'reading' },
      effects: RETRIEVE,
    });
  });

  it('booting hears nothing else, not even a press', () => {
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

  it.each(['succeeded', 'canceled'])('loading --%s--> %s: the end', (status) => {
    expect(drive(LOADING, [0, retrieved({ status })])).toMatchObject({ state: { status }, effects: [] });
  });

  it.each(['processing', 'requires_action', 'PENDING', 'constructor'])(
    'loading --%s--> processing: no Pay button, polled with the budget',
    (status) => {
      const step = drive(LOADING, [0, retrieved({ status })]);
      expect(step).toMatchObject({ state: { status: 'processing' }, effects: FIRST_LOOK });
      const story = play(step, 0, () => retrieved({ status }));
      expect(story.state.status).toBe('unknown');
      expect(story.reads).toHaveLength(30);
    },
  );

  it('2.7 reload after a declined attempt whose answer was lost: contract 3.6, released and told', () => {
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

  it('2.7 reload under holdFailedAttempts (contract 4.4): processing with last_payment_error is released', () => {
    const step = drive(LOADING, [0, retrieved(HELD_ATTEMPT)]);
    expect(step.effects).toEqual(RELEASE);
    expect(play(step, 0, () => retrieved({ confirmation_attempts: 1 })).state.status).toBe('ready');
  });
});

describe('2.6, column "load"', () => {
  /** Every read fails in the same way until the form says so. */
  const load = (failure: Failure) => play(LOADING, 0, () => retrieveFailed(failure), 600_000);

  it.each<[string, Failure]>([
    ['DNS, connection, reset, redirect', NETWORK],
    ['timeout: as network', TIMEOUT],
  ])('2.6 load, %s: 3 tries (1, 3, 8 s), then load_failed and a button', (_, failure) => {
    const story = load(failure);
    expect(story.reads).toEqual([0, 1000, 4000, 12_000]);
    expect(story.state).toMatchObject({ status: 'load_failed', failure, intent: null });
  });

  it('2.6 load, 200 malformed, truncated, wrong object, missing field: treated as 502', () => {
    const story = load(MALFORMED);
    expect(story.reads).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(story.state).toMatchObject({ status: 'load_failed', failure: MALFORMED });
  });

  it('2.6 load, 200 missing or invalid required field: at the end load_failed, code malformed', () => {
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
  ])('2.6 load, %i %s: 4 tries (1, 2, 4, 8 s), then load_failed', (status, code) => {
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
  ])('2.6 load, %i %s: blocked, no retry', (status, code) => {
    const story = load(refused(status, code));
    expect(story.reads).toEqual([0]);
    expect(story.state).toMatchObject({ status: 'blocked', recoverable: false, error: { code } });
  });

  it.each([0, 1, 59, 60, 3600])(
    '2.6 load, 429 with Retry-After %i: waits exactly that, then goes on',
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

  it('2.6 load, 429 without a usable Retry-After: 60 s', () => {
    expect(drive(LOADING, [0, retrieveFailed(throttled(60, false))]).effects).toEqual(wait(60_100));
  });

  it.each([3601, 1_000_000_000])(
    '2.6 load, 429 with Retry-After %i: no wait by itself, but a time',
    (seconds) => {
      const step = drive(LOADING, [0, retrieveFailed(throttled(seconds))]);
      const notBefore = seconds * 1000 + 100;
      expect(step).toMatchObject({ state: { status: 'load_failed', notBefore }, effects: [] });
      expect(drive(step, [notBefore - 1, RETRY])).toEqual({ state: step.state, effects: [] });
      expect(drive(step, [notBefore, RETRY]).effects).toEqual(RETRIEVE);
    },
  );

  it('2.6 load, 429 does not use up a try', () => {
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

  it('2.6 load, after load_failed: a button, a refresh, waking and coming back load again, but not within 2 s', () => {
    const { state, ended } = load(NETWORK);
    for (const event of [RETRY, REFRESH, RESTORED, woke(1000)]) {
      expect(drive(state, [ended + 1999, event])).toEqual({ state, effects: [] });
      expect(drive(state, [ended + 2000, event])).toEqual(LOADING);
    }
  });

  it('2.6 load, success after failures: ready, and the failures are forgotten', () => {
    const answers = [retrieveFailed(NETWORK), retrieveFailed(refused(502, 'provider_error')), retrieved()];
    const story = play(LOADING, 0, () => answers.shift() ?? CLOSED);
    expect(story.reads).toEqual([0, 1000, 3000]);
    expect(ready(story).feedback.notice).toBeNull();
  });
});

describe('2.6, column "load", for the read before the buyer may press again', () => {
  const RELOADING = drive(READY, [10_000, RESTORED]);

  it.each<[string, Failure, number[]]>([
    ['network', NETWORK, [0, 1000, 4000, 12_000]],
    ['502', refused(502, 'provider_error'), [0, 1000, 3000, 7000, 15_000]],
  ])('reloading, %s: the same tries, then load_failed with what is known', (_, failure, reads) => {
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

  it('reloading, an intent with another id: not an answer', () => {
    const step = drive(RELOADING, [0, retrieved({ id: 'lg_pi_2', status: 'succeeded' })]);
    expect(step).toMatchObject({ state: { status: 'reloading', activity: 'pausing' } });
  });
});

describe('2.6, column "confirm": answers with 200', () => {
  it('2.6 confirm, 200 succeeded', () => {
    expect(drive(CONFIRMING, [5000, confirmed({ status: 'succeeded' })])).toEqual({
      state: { status: 'succeeded', intent: exampleIntent({ status: 'succeeded' }), shown: null },
      effects: [],
    });
  });

  it.each<[string, Partial<Intent>]>([
    ['amount_total', { amount_total: 1334 }],
    ['currency', { currency: 'eur' }],
  ])(
    '2.6 confirm, 200 succeeded with another %s than shown: succeeded with the service`s, and told',
    (_, other) => {
      const intent = exampleIntent({ status: 'succeeded', ...other });
      const shown = { amount: 1234, currency: 'usd' };
      const expected = { state: { status: 'succeeded', intent, shown }, effects: [] };
      expect(drive(CONFIRMING, [5000, { type: 'confirmed', intent }])).toEqual(expected);
      expect(drive(SILENT, [1000, WAITED], [1000, { type: 'retrieved', intent }])).toEqual(expected);
    },
  );

  it('2.6 load, 200 succeeded with any amount: the service`s amount, nothing to compare with', () => {
    expect(drive(LOADING, [0, retrieved({ status: 'succeeded', amount_total: 5 })])).toMatchObject({
      state: { status: 'succeeded', shown: null },
    });
  });

  it('2.6 confirm, 200 canceled: canceled', () => {
    expect(drive(CONFIRMING, [5000, confirmed({ status: 'canceled' })])).toMatchObject({
      state: { status: 'canceled' },
      effects: [],
    });
  });

  it.each(['processing', 'requires_action', 'toString'])(
    '2.6 confirm, 200 %s: processing, no Pay button, polled',
    (status) => {
      expect(drive(CONFIRMING, [5000, confirmed({ status })])).toMatchObject({
        state: { status: 'processing', polling: { shown: { amount: 1234 }, answered: true } },
        effects: FIRST_LOOK,
      });
    },
  );

  it('2.6 confirm, 200 pending: unresolved, never an instant Pay button', () => {
    const step = drive(CONFIRMING, [0, confirmed({})]);
    expect(step).toMatchObject({ state: { status: 'resolving' }, effects: FIRST_LOOK });
    const story = play(step, 0, () => retrieved());
    expect(story.reads).toEqual([1000, 3000, 6000]);
    expect(ready(story).feedback.notice).toEqual({ kind: 'not_charged' });
  });

  it('2.6 confirm, 200 with another id: resolving, whatever it says', () => {
    for (const status of ['succeeded', 'canceled', 'pending', 'processing']) {
      expect(drive(CONFIRMING, [5000, confirmed({ id: 'lg_pi_2', status })])).toMatchObject({
        state: {
          status: 'resolving',
          intent: { id: 'lg_pi_1', status: 'pending' },
          polling: { answered: false },
        },
        effects: FIRST_LOOK,
      });
    }
  });
});

describe('2.6, column "confirm": no answer, or one that proves nothing', () => {
  it.each<[string, Failure, boolean]>([
    ['DNS, connection or reset: resolving', NETWORK, false],
    ['timeout after 75 s: resolving', TIMEOUT, false],
    ['200 malformed, HTML, truncated, 204: resolving', MALFORMED, false],
    ['402 whose body is malformed: resolving, not releasing', refused(402, 'http_402'), false],
    ['402 with an unknown code: resolving', refused(402, 'a_later_code'), false],
    ['401 that is not well-formed: resolving', refused(401, 'http_401'), false],
    ['400 that is not well-formed: resolving', refused(400, 'http_400'), false],
    ['500 internal_error: resolving, may have been charged', refused(500, 'internal_error'), true],
    ['500 fee_plan_not_configured: resolving', refused(500, 'fee_plan_not_configured'), true],
    ['502 provider_error: resolving, not a decline', refused(502, 'provider_error'), true],
    ['403 of a proxy: resolving', refused(403, 'http_403'), false],
    ['408 of a proxy: resolving', refused(408, 'http_408'), false],
    ['413 of a proxy: resolving', refused(413, 'http_413'), false],
    ['425 of a proxy: resolving', refused(425, 'http_425'), false],
    ['451 of a proxy: resolving', refused(451, 'http_451'), false],
    ['500 of a proxy: resolving', refused(500, 'http_500'), false],
    ['503 of a proxy: resolving', refused(503, 'http_503'), false],
    ['504 of a proxy: resolving', refused(504, 'http_504'), false],
    ['429 in words but not in status: resolving', refused(500, 'rate_limited'), true],
  ])('2.6 confirm, %s', (_, failure, answered) => {
    const step = drive(CONFIRMING, [5000, confirmFailed(failure)]);
    expect(step).toMatchObject({
      state: {
        status: 'resolving',
        polling: {
          reason: { kind: 'no_answer' },
          answered,
          sentAt: 0,
          attemptsBefore: 0,
          shown: { amount: 1234, currency: 'usd' },
        },
      },
      effects: FIRST_LOOK,
    });
    // and the charge that was made after all is found
    expect(play(step, 5000, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('2.6 confirm, silence: nothing but waits and reads follow, to the very end', () => {
    const story = play(SILENT, 0, () => retrieveFailed(NETWORK));
    expect(story.state.status).toBe('unknown');
    expect(story.releases).toEqual([]);
    expect(story.reads).toHaveLength(SCHEDULE.length);
  });
});

describe('2.6, column "confirm": refusals', () => {
  it.each<[string, Refusal]>([
    ['402 payment_method_declined', refused(402, 'payment_method_declined')],
    ['402 with decline_code', refused(402, 'payment_method_declined', { declineCode: 'insufficient_funds' })],
    ['402 payment_failed', refused(402, 'payment_failed')],
  ])('2.6 confirm, %s: release, retrieve, ready with the reason', (_, failure) => {
    const step = drive(CONFIRMING, [5000, confirmFailed(failure)]);
    expect(step).toMatchObject({ state: { status: 'releasing' }, effects: RELEASE });
    const story = play(step, 5000, () => retrieved({ confirmation_attempts: 1 }));
    expect(story).toMatchObject({ releases: [5000], reads: [5000] });
    expect(ready(story).feedback).toEqual({
      notice: { kind: 'declined', error: failure },
      previousTotal: null,
    });
    expect(ready(story).armedAt).toBe(5500);
  });

  it('2.6 confirm, 402, and the total changed meanwhile: both are told', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_failed'))]);
    const story = play(step, 0, () => retrieved({ amount_total: 1334 }));
    expect(ready(story).feedback).toMatchObject({
      notice: { kind: 'declined' },
      previousTotal: { amount: 1234, currency: 'usd' },
    });
  });

  it('2.6 confirm, 402, and the read says succeeded (another delivery of the same press paid): succeeded', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_method_declined'))]);
    expect(play(step, 0, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('2.6 confirm, 409 payment_intent_updated: read, "changed from X to Y", a new press, at the new total only', () => {
    const step = drive(CONFIRMING, [5000, confirmFailed(refused(409, 'payment_intent_updated'))]);
    expect(step).toMatchObject({ state: { status: 'reloading' }, effects: RETRIEVE });
    const after = drive(step, [6000, retrieved({ amount_total: 1334 })]);
    expect(after.effects).toEqual([]);
    expect(ready(after).feedback).toEqual({
      notice: null,
      previousTotal: { amount: 1234, currency: 'usd' },
    });
    expect(drive(after, [6499, press(1334)])).toEqual({ state: after.state, effects: [] });
    expect(drive(after, [6500, press(1234)])).toEqual({ state: after.state, effects: [] });
    expect(drive(after, [6500, press(1334)]).effects[0]).toEqual({
      type: 'confirm',
      shown: { amount: 1334, currency: 'usd' },
    });
  });

  it('2.6 confirm, 409, and the total reads as before: asks to check again', () => {
    const error = refused(409, 'payment_intent_updated');
    const story = play(drive(CONFIRMING, [0, confirmFailed(error)]), 0, () => retrieved());
    expect(ready(story).feedback).toEqual({ notice: { kind: 'check_again', error }, previousTotal: null });
  });

  it('2.6 confirm, 400 invalid_billing_details: ready at once with the param, nothing is read or released', () => {
    const error = refused(400, 'invalid_billing_details', { param: 'billing_details.address.postal_code' });
    const step = drive(CONFIRMING, [1000, confirmFailed(error)]);
    expect(step.effects).toEqual([]);
    expect(ready(step).feedback.notice).toEqual({ kind: 'details_refused', error });
  });

  it.each([
    [100, 3000],
    [2400, 3000],
    [2600, 3100],
    [20_000, 20_500],
  ])(
    '400 invalid_billing_details after %i ms: the next press counts from %i ms on',
    (answeredAt, armedAt) => {
      const failure = refused(400, 'invalid_billing_details');
      expect(ready(drive(CONFIRMING, [answeredAt, confirmFailed(failure)])).armedAt).toBe(armedAt);
    },
  );

  it.each(['payment_details_missing', 'invalid_payment_details'])(
    '2.6 confirm, 400 %s: blocked until the merchant mends it and calls refresh()',
    (code) => {
      const step = drive(CONFIRMING, [1000, confirmFailed(refused(400, code))]);
      expect(step).toMatchObject({ state: { status: 'blocked', recoverable: true }, effects: [] });
      expect(drive(step, [60_000, RETRY])).toEqual({ state: step.state, effects: [] });
      const story = play(drive(step, [60_000, REFRESH]), 60_000, () => retrieved());
      expect(story.reads).toEqual([60_000]);
      expect(ready(story).feedback.notice).toBeNull();
    },
  );

  it.each(['invalid_api_key', 'api_key_revoked', 'invalid_client_secret'])(
    '2.6 confirm, well-formed 401 %s: blocked, and nothing more is sent',
    (code) => {
      const step = drive(CONFIRMING, [1000, confirmFailed(refused(401, code))]);
      expect(step).toMatchObject({ state: { status: 'blocked', recoverable: false }, effects: [] });
      for (const event of [RETRY, REFRESH, RESTORED, woke(), press()]) {
        expect(drive(step, [60_000, event])).toEqual({ state: step.state, effects: [] });
      }
    },
  );

  const ONE_LOOK: readonly [number, string][] = [
    [400, 'validation_error'],
    [400, 'invalid_amount'],
    [400, 'amount_too_small'],
    [400, 'amount_too_large'],
    [400, 'unsupported_currency'],
    [400, 'non_physical_goods_not_allowed'],
    [400, 'merchant_suspended'],
    [400, 'merchant_not_approved'],
    [400, 'a_later_code'],
    [404, 'payment_intent_not_found'],
    [404, 'not_found'],
    [409, 'idempotency_key_reused'],
    [409, 'a_later_code'],
  ];

  it.each(ONE_LOOK)('2.6 confirm, %i %s: one look, then blocked', (status, code) => {
    const error = refused(status, code);
    const step = drive(CONFIRMING, [0, confirmFailed(error)]);
    expect(step).toMatchObject({ state: { status: 'resolving' }, effects: FIRST_LOOK });
    const story = play(step, 0, () => retrieved());
    expect(story).toMatchObject({ state: { status: 'blocked', error, recoverable: false }, reads: [1000] });
  });

  it.each(ONE_LOOK)('2.6 confirm, %i %s, but the look shows that it was paid: succeeded', (status, code) => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(status, code))]);
    expect(play(step, 0, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('2.6 confirm, 400 validation_error, and the look fails: looks on; it is not believed unseen', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(400, 'validation_error'))]);
    const answers = [retrieveFailed(NETWORK), retrieveFailed(refused(502, 'provider_error')), retrieved()];
    const story = play(step, 0, () => answers.shift() ?? CLOSED);
    expect(story.reads).toEqual([1000, 3000, 6000]);
    expect(story.state.status).toBe('blocked');
  });
});

describe('2.6 confirm, 400 payment_intent_not_pending: looks before it says anything', () => {
  const step = drive(CONFIRMING, [0, confirmFailed(NOT_PENDING)]);

  it('is resolving, not failed', () => {
    expect(step).toMatchObject({
      state: { status: 'resolving', polling: { reason: { kind: 'not_pending' }, answered: true } },
      effects: FIRST_LOOK,
    });
  });

  it.each(['succeeded', 'canceled'])('%s: that is the outcome', (status) => {
    expect(play(step, 0, () => retrieved({ status }))).toMatchObject({ state: { status }, reads: [1000] });
  });

  it('processing: polls', () => {
    expect(drive(step, [1000, WAITED], [1000, retrieved({ status: 'processing' })])).toMatchObject({
      state: { status: 'processing' },
      effects: wait(2000, true),
    });
  });

  it('pending, settled by two reads 5 s apart: exhausted, and only now', () => {
    const story = play(step, 0, () => retrieved());
    expect(story.reads).toEqual([1000, 3000, 6000]);
    expect(story.state).toMatchObject({ status: 'exhausted', error: NOT_PENDING });
  });

  it('pending with more attempts than before: this press failed first and was refused when it was replayed', () => {
    const story = play(step, 0, () => retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED }));
    expect(story.releases).toEqual([6000]);
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined', error: { message: 'Declined.' } });
  });

  it('no read succeeds: unknown, never failed', () => {
    expect(play(step, 0, () => retrieveFailed(NETWORK)).state.status).toBe('unknown');
  });
});

describe('2.6, column "confirm", 429: waits, reads, and lets the buyer press', () => {
  const limited = (seconds: number, stated = true) =>
    drive(CONFIRMING, [0, confirmFailed(throttled(seconds, stated))]);

  it.each([
    [0, 100],
    [1, 1100],
    [59, 59_100],
    [60, 60_100],
    [3600, 3_600_100],
  ])('Retry-After %i: the read comes after exactly that long (and 100 ms)', (seconds, readAt) => {
    const step = limited(seconds);
    expect(step.state).toMatchObject({ status: 'throttled', until: readAt, secondsLeft: seconds });
    const story = play(step, 0, () => retrieved());
    expect(story.reads).toEqual([readAt]);
    expect(ready(story).feedback).toEqual({ notice: { kind: 'throttle_over' }, previousTotal: null });
  });

  it('counts down second by second, and never shows less than is left', () => {
    const shown: [number, number][] = [];
    let step = limited(3);
    for (let now = 0; step.state.status === 'throttled'; ) {
      shown.push([now, step.state.secondsLeft]);
      const [effect] = step.effects;
      if (effect?.type !== 'wait') break;
      expect(effect.jitter, 'a stated wait is not spread').toBe(false);
      now += effect.ms;
      step = drive(step, [now, WAITED]);
    }
    expect(shown).toEqual([
      [0, 3],
      [100, 3],
      [1100, 2],
      [2100, 1],
    ]);
    expect(step).toMatchObject({ state: { status: 'reloading' }, effects: RETRIEVE });
  });

  it('a timer that fires early waits for the rest', () => {
    const step = drive(limited(1), [100, WAITED], [1099.5, WAITED]);
    expect(step.state).toMatchObject({ status: 'throttled' });
    expect(step.effects).toEqual(wait(0.5));
  });

  it('2.7 network sleep: a timer that fires late reads at once', () => {
    expect(drive(limited(60), [3_000_000, WAITED]).effects).toEqual(RETRIEVE);
  });

  it('without a usable Retry-After: 60 s, and the state says that nobody stated it', () => {
    const step = limited(60, false);
    expect(step.state).toMatchObject({ until: 60_100, error: { retryAfter: 60, stated: false } });
  });

  it('I6: nothing makes it send early, and no press counts', () => {
    const { state } = limited(60);
    for (const event of [press(), RETRY, REFRESH, RESTORED, woke(), retrieved(), confirmed({})]) {
      expect(drive(state, [60_099, event])).toEqual({ state, effects: [] });
    }
  });

  it('no auto-confirm afterwards: the new total waits for a press', () => {
    const story = play(limited(5), 0, () => retrieved({ amount_total: 1334 }));
    expect(ready(story).feedback.previousTotal).toEqual({ amount: 1234, currency: 'usd' });
  });

  it.each([3601, 1_000_000_000])('Retry-After %i: counted down, but the next step is by hand', (seconds) => {
    const step = limited(seconds);
    const until = seconds * 1000 + 100;
    expect(step.state).toMatchObject({ status: 'throttled', until, secondsLeft: seconds });
    expect(step.effects.every((effect) => effect.type === 'wait' && effect.ms <= 1000)).toBe(true);
    expect(drive(step, [until - 1, RETRY])).toEqual({ state: step.state, effects: [] });
    const over = drive(step, [until, WAITED]);
    expect(over).toMatchObject({ state: { status: 'throttled', secondsLeft: 0 }, effects: [] });
    for (const event of [RETRY, REFRESH]) expect(drive(over, [until, event]).effects).toEqual(RETRIEVE);
  });

  it('the read afterwards is limited too: waits again', () => {
    const answers = [retrieveFailed(throttled(7)), retrieved()];
    const story = play(limited(5), 0, () => answers.shift() ?? CLOSED);
    expect(story.reads).toEqual([5100, 12_200]);
    expect(story.state.status).toBe('ready');
  });
});

describe('2.6, column "poll"', () => {
  it.each<[string, Failure]>([
    ['network', NETWORK],
    ['timeout', TIMEOUT],
    ['200 malformed', MALFORMED],
    ['500 internal_error', refused(500, 'internal_error')],
    ['502 provider_error', refused(502, 'provider_error')],
    ['503 of a proxy', refused(503, 'http_503')],
    ['504 of a proxy', refused(504, 'http_504')],
    ['408 of a proxy', refused(408, 'http_408')],
    ['425 of a proxy', refused(425, 'http_425')],
  ])('2.6 poll, %s: the next slot', (_, failure) => {
    for (const from of [SILENT, PROCESSING]) {
      const step = drive(from, [1000, WAITED], [1000, retrieveFailed(failure)]);
      expect(step).toEqual({
        state: expect.objectContaining({ status: from.state.status }),
        effects: wait(2000, true),
      });
    }
  });

  it.each([403, 413, 451])(
    '2.6 poll, %i that no service wrote: the next slot, since a proxy passes',
    (status) => {
      const failure = refused(status, `http_${status}`);
      expect(drive(SILENT, [1000, WAITED], [1000, retrieveFailed(failure)]).effects).toEqual(
        wait(2000, true),
      );
    },
  );

  it('2.6 poll, 500 fee_plan_not_configured: the next slot', () => {
    const failure = refused(500, 'fee_plan_not_configured');
    expect(drive(SILENT, [1000, WAITED], [1000, retrieveFailed(failure)]).effects).toEqual(wait(2000, true));
  });

  it('2.6 poll, an intent with another id: the next slot, whatever it says', () => {
    const stranger = retrieved({ id: 'lg_pi_2', status: 'succeeded' });
    expect(drive(SILENT, [1000, WAITED], [1000, stranger])).toMatchObject({
      state: { status: 'resolving' },
      effects: wait(2000, true),
    });
  });

  it.each<[number, string]>([
    [400, 'validation_error'],
    [400, 'a_later_code'],
    [401, 'invalid_api_key'],
    [401, 'api_key_revoked'],
    [401, 'invalid_client_secret'],
    [404, 'payment_intent_not_found'],
    [404, 'not_found'],
  ])('2.6 poll, %i %s: no retry; and since nothing is known (G2) unknown, not failed', (status, code) => {
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
    [1, 2000],
    [5, 5100],
    [60, 60_100],
    [3599, 3_599_100],
  ])('2.6 poll, 429 with Retry-After %i: not sooner than that', (seconds, ms) => {
    const step = drive(SILENT, [1000, WAITED], [1000, retrieveFailed(throttled(seconds))]);
    expect(step).toMatchObject({ state: { status: 'resolving' }, effects: [{ type: 'wait', ms }] });
  });

  it('2.6 poll, 429 with Retry-After 3600: not "> 3600", so waited by itself', () => {
    const step = drive(SILENT, [1000, WAITED], [1000, retrieveFailed(throttled(3600))]);
    expect(step.effects).toEqual(wait(3_600_100));
  });

  it('2.6 poll, 429: no jitter makes the stated wait shorter', () => {
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
    '2.6 poll, 429 with Retry-After %i: unknown, to be checked by hand after it',
    (s) => {
      const step = drive(SILENT, [1000, WAITED], [1000, retrieveFailed(throttled(s))]);
      const notBefore = 1000 + s * 1000 + 100;
      expect(step).toMatchObject({ state: { status: 'unknown', notBefore }, effects: [] });
      expect(drive(step, [notBefore - 1, RETRY]).effects).toEqual([]);
      expect(drive(step, [notBefore, RETRY]).effects).toEqual(RETRIEVE);
    },
  );

  it.each(['requires_action', 'constructor', 'Succeeded'])(
    '2.6 poll, unknown status %s: polled on',
    (status) => {
      const story = play(SILENT, 0, () => retrieved({ status }));
      expect(story.state.status).toBe('unknown');
      expect(story.reads).toHaveLength(SCHEDULE.length);
    },
  );

  it.each(['succeeded', 'canceled'])('2.6 poll, %s: the end', (status) => {
    for (const from of [SILENT, PROCESSING]) {
      expect(play(from, 0, () => retrieved({ status }))).toMatchObject({ state: { status }, reads: [1000] });
    }
  });
});

describe('2.6, column "release"', () => {
  const error = refused(402, 'payment_method_declined');
  const RELEASING = drive(CONFIRMING, [0, confirmFailed(error)]);
  const GOES_ON = {
    state: { status: 'reloading', feedback: { notice: { kind: 'declined' } } },
    effects: RETRIEVE,
  };

  it('2.6 release, answered with anything readable or not: the read decides', () => {
    expect(drive(RELEASING, [500, { type: 'released' }])).toMatchObject(GOES_ON);
  });

  it.each<[string, Failure]>([
    ['network', NETWORK],
    ['timeout', TIMEOUT],
    ['500 internal_error', refused(500, 'internal_error')],
    ['502 provider_error', refused(502, 'provider_error')],
    ['503 of a proxy', refused(503, 'http_503')],
    ['408 of a proxy', refused(408, 'http_408')],
  ])('2.6 release, %s: 3 tries, then goes on to retrieve', (_, failure) => {
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
  ])('2.6 release, %i %s: gives up, retrieve', (status, code) => {
    expect(drive(RELEASING, [0, releaseFailed(refused(status, code))])).toMatchObject(GOES_ON);
  });

  it.each(['invalid_api_key', 'api_key_revoked', 'invalid_client_secret'])(
    '2.6 release, 401 %s: stop, and what became of the press is not known',
    (code) => {
      expect(drive(RELEASING, [0, releaseFailed(refused(401, code))])).toMatchObject({
        state: { status: 'unknown', notBefore: null },
        effects: [],
      });
    },
  );

  it.each([0, 5, 60, 3599])('2.6 release, 429 with Retry-After %i: waits, then tries again', (seconds) => {
    const step = drive(RELEASING, [0, releaseFailed(throttled(seconds))]);
    expect(step.effects).toEqual(wait(seconds * 1000 + 100));
    expect(drive(step, [seconds * 1000 + 100, WAITED]).effects).toEqual(RELEASE);
  });

  it('2.6 release, 429 with Retry-After 3600: not "> 3600", so waited by itself', () => {
    expect(drive(RELEASING, [0, releaseFailed(throttled(3600))]).effects).toEqual(wait(3_600_100));
  });

  it('2.6 release, 429 with Retry-After 3601: goes on without it', () => {
    expect(drive(RELEASING, [0, releaseFailed(throttled(3601))])).toMatchObject(GOES_ON);
  });

  it('2.6 release fails for good, and the read says pending: still ready', () => {
    const step = drive(RELEASING, [0, releaseFailed(refused(404, 'not_found'))]);
    const story = play(step, 0, () => retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED }));
    expect(ready(story).feedback.notice).toEqual({ kind: 'declined', error });
    expect(story.releases, 'no second release, no loop').toEqual([]);
  });

  it('2.6 release fails for good, and the read fails too: resolving', () => {
    const step = drive(RELEASING, [0, releaseFailed(refused(404, 'not_found'))]);
    const story = play(step, 0, () => retrieveFailed(NETWORK), 12_001);
    expect(story.reads).toEqual([0, 1000, 4000, 12_000]);
    expect(story.state.status).toBe('resolving');
  });

  it('2.6 release, and the reads after it come back late: the buyer is still told of the decline (2.4)', () => {
    const story = play(drive(RELEASING, [0, { type: 'released' }]), 0, (now) =>
      now < 20_000 ? retrieveFailed(NETWORK) : retrieved({ confirmation_attempts: 1 }),
    );
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined' });
  });
});

describe('2.3: the durations', () => {
  it('confirm at once, "still confirming" at 8 s, reading beside it from 20 s', () => {
    expect(CONFIRMING).toMatchObject({
      state: { status: 'confirming', slow: false, sentAt: 0 },
      effects: [
        { type: 'confirm', shown: { amount: 1234, currency: 'usd' } },
        { type: 'wait', ms: 8000, jitter: false },
      ],
    });
    const slow = drive(CONFIRMING, [8000, WAITED]);
    expect(slow).toMatchObject({ state: { status: 'confirming', slow: true }, effects: wait(12_000) });
    expect(drive(slow, [20_000, WAITED])).toMatchObject({
      state: { status: 'confirming', activity: 'reading' },
      effects: RETRIEVE,
    });
  });

  it('a timer that fires early says nothing early', () => {
    const early = drive(CONFIRMING, [7999.5, WAITED]);
    expect(early).toMatchObject({ state: { slow: false }, effects: wait(0.5) });
    expect(drive(early, [19_999.5, WAITED])).toMatchObject({ state: { slow: true }, effects: wait(0.5) });
  });

  it('beside an open confirm it reads by the schedule, at most 20 times a minute', () => {
    const { reads, state } = play(CONFIRMING, 0, () => retrieved(), 75_000);
    expect(reads).toEqual([20_000, 21_000, 23_000, 26_000, 31_000, 39_000, 49_000, 64_000]);
    expect(state.status).toBe('confirming');
  });

  it.each(['succeeded', 'canceled'])(
    'a read beside the confirm says %s: the first definitive answer wins',
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
  ])('a read beside the confirm says %s: the confirm has the word', (_, event) => {
    const step = drive(CONFIRMING, [8000, WAITED], [20_000, WAITED], [20_500, event]);
    expect(step).toMatchObject({ state: { status: 'confirming', activity: 'pausing' }, effects: wait(1000) });
  });

  it('a read beside the confirm says 429: the next one waits at least that long', () => {
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

  it('every wait of the schedule is spread, so that many forms do not ask in step', () => {
    let step = PROCESSING;
    for (const ms of SCHEDULE) {
      expect(step.effects).toEqual(wait(ms, true));
      step = drive(step, [0, WAITED], [0, retrieved({ status: 'processing' })]);
    }
    expect(step.state.status).toBe('unknown');
  });

  it('after 10 minutes: unknown, with a check 5 s later at the soonest', () => {
    expect(UNKNOWN.state).toMatchObject({ status: 'unknown', notBefore: UNKNOWN.ended + 5000 });
  });
});

describe('2.4: the resolution rule', () => {
  const ANSWERED = drive(CONFIRMING, [0, confirmFailed(refused(502, 'provider_error'))]);

  it('after silence pending is settled 20 s after the press, not sooner', () => {
    const story = play(SILENT, 0, () => retrieved());
    expect(story.reads).toEqual([1000, 3000, 6000, 11_000, 19_000, 20_000]);
    expect(story).toMatchObject({
      state: { status: 'ready', feedback: { notice: { kind: 'not_charged' } } },
    });
    expect(story.ended).toBe(20_000);
  });

  it('after an answer of the service 5 s, and 5 s between the two reads', () => {
    const story = play(ANSWERED, 0, () => retrieved());
    expect(story.reads).toEqual([1000, 3000, 6000]);
    expect(story.ended).toBe(6000);
  });

  it('after an answer that is not the service`s (a proxy`s 502) as after silence', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(502, 'http_502'))]);
    expect(play(step, 0, () => retrieved()).ended).toBe(20_000);
  });

  it('counts the 20 s from the press, not from the timeout', () => {
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

  it('failed reads between the two do not count and do not harm', () => {
    const story = play(ANSWERED, 0, (now) => (now === 3000 ? retrieveFailed(NETWORK) : retrieved()));
    expect(story.ended).toBe(6000);
  });

  it('attempts > A0: the attempt failed; released, read and told', () => {
    const story = play(SILENT, 0, () =>
      retrieved({ confirmation_attempts: 1, last_payment_error: DECLINED }),
    );
    expect(story.releases).toEqual([20_000]);
    expect(ready(story).feedback.notice).toMatchObject({
      kind: 'declined',
      error: { kind: 'refused', code: 'payment_method_declined', message: 'Declined.' },
    });
  });

  it.each([1, 2, 3])('attempts = A0 + %i: the same, for one press may count as several (replay)', (more) => {
    const story = play(SILENT, 0, () => retrieved({ confirmation_attempts: more }));
    expect(ready(story).feedback.notice).toEqual({ kind: 'declined', error: null });
  });

  it('attempts == A0: nothing recorded', () => {
    const story = play(SILENT, 0, () => retrieved());
    expect(story.releases).toEqual([]);
    expect(ready(story).feedback.notice).toEqual({ kind: 'not_charged' });
  });

  it('attempts == A0 with an older failed attempt still there: released, and yet "nothing recorded"', () => {
    const story = play(SILENT, 0, () => retrieved({ last_payment_error: DECLINED }));
    expect(story.releases).toEqual([20_000]);
    expect(ready(story).feedback.notice).toEqual({ kind: 'not_charged' });
  });

  it('attempts < A0 is an older state of the intent than the one known before the press: never settles', () => {
    const before = drive(LOADING, [-1000, retrieved({ confirmation_attempts: 2 })]);
    const silent = drive(before, [0, press()], [0, confirmFailed(NETWORK)]);
    expect(play(silent, 0, () => retrieved({ confirmation_attempts: 1 })).state.status).toBe('unknown');
  });

  it.each<[string, Partial<Intent>, string]>([
    ['and a failed attempt is shown', { last_payment_error: DECLINED }, 'declined'],
    ['and none is shown', {}, 'not_charged'],
  ])('attempts missing %s: decided by last_payment_error', (_, different, kind) => {
    const before = drive(LOADING, [-1000, retrieved({ confirmation_attempts: null })]);
    const silent = drive(before, [0, press()], [0, confirmFailed(NETWORK)]);
    const story = play(silent, 0, () => retrieved({ confirmation_attempts: null, ...different }));
    expect(ready(story).feedback.notice).toMatchObject({ kind });
    expect(story.ended).toBe(20_000);
  });

  it('attempts missing in the later reads only: decided by last_payment_error', () => {
    const story = play(SILENT, 0, () =>
      retrieved({ confirmation_attempts: null, last_payment_error: DECLINED }),
    );
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined' });
  });

  it('attempts missing and not_pending: exhausted', () => {
    const before = drive(LOADING, [-1000, retrieved({ confirmation_attempts: null })]);
    const step = drive(before, [0, press()], [0, confirmFailed(NOT_PENDING)]);
    expect(play(step, 0, () => retrieved({ confirmation_attempts: null })).state.status).toBe('exhausted');
  });

  it('two reads that disagree on attempts settle nothing: the later one counts as the first', () => {
    const story = play(ANSWERED, 0, (now) => retrieved({ confirmation_attempts: now < 6000 ? 0 : 1 }));
    expect(story.reads).toEqual([1000, 3000, 6000, 11_000, 11_000]);
    expect(story.releases).toEqual([11_000]);
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined' });
  });

  it('two reads that disagree on the status settle nothing', () => {
    const story = play(ANSWERED, 0, (now) => retrieved(now === 3000 ? { status: 'processing' } : {}));
    // processing was seen, so that pending means: the attempt failed (contract 4.1)
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

  it('pending, pending, succeeded: the charge that arrived late is found', () => {
    const story = play(SILENT, 0, (now) => retrieved(now < 20_000 ? {} : { status: 'succeeded' }));
    expect(story.state.status).toBe('succeeded');
  });

  it('a confirm that arrives after it was settled is harmless: the next press finds it', () => {
    const settled = play(SILENT, 0, () => retrieved());
    const again = drive(settled.state, [30_000, press()], [31_000, confirmFailed(NOT_PENDING)]);
    expect(play(again, 31_000, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('the total changed meanwhile: told together with "nothing recorded"', () => {
    const story = play(SILENT, 0, () => retrieved({ amount_total: 1334 }));
    expect(ready(story).feedback).toEqual({
      notice: { kind: 'not_charged' },
      previousTotal: { amount: 1234, currency: 'usd' },
    });
  });

  describe('holdFailedAttempts (contract 4.4): processing with last_payment_error, until it is released', () => {
    it('after silence: settles as pending does, then releases, reads and tells', () => {
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

    it('one read of a held attempt is not enough: succeeded still counts', () => {
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

    it('a service that never lets go of it: ends as unknown, in bounded reads', () => {
      const story = play(PROCESSING, 0, () => retrieved(HELD_ATTEMPT));
      expect(story.state.status).toBe('unknown');
      expect(story.reads.length).toBeLessThan(2 * SCHEDULE.length);
    });
  });

  it('processing, then pending: the attempt failed (contract 4.1), told after two reads that agree', () => {
    const story = play(PROCESSING, 0, (now) =>
      retrieved(
        now < 10_000 ? { status: 'processing' } : { confirmation_attempts: 1, last_payment_error: DECLINED },
      ),
    );
    expect(story.releases).toHaveLength(1);
    expect(ready(story).feedback.notice).toMatchObject({ kind: 'declined', error: { message: 'Declined.' } });
  });
});

describe('2.7: presses', () => {
  it('double press: the second changes nothing and sends nothing', () => {
    const again = drive(CONFIRMING, [0, press()]);
    expect(again.state).toBe(CONFIRMING.state);
    expect(again.effects).toEqual([]);
  });

  const appeared = drive(LOADING, [0, retrieved()]);

  it.each([0, 1, 499, 499.9])('a press %d ms after the form appeared is not believed', (after) => {
    expect(drive(appeared, [after, press()])).toEqual({ state: appeared.state, effects: [] });
  });

  it('a press 500 ms after the form appeared is believed', () => {
    expect(drive(appeared, [500, press()]).state.status).toBe('confirming');
  });

  it.each<[string, PaymentEvent]>([
    ['another total', press(1334)],
    ['a lower total', press(1233)],
    ['another currency', press(1234, 'eur')],
    ['no number', press(Number.NaN)],
  ])('I5: a press on a button that shows %s sends nothing', (_, event) => {
    expect(drive(READY, [0, event])).toEqual({ state: READY.state, effects: [] });
  });

  it('a press in any other state sends nothing', () => {
    const states: readonly PaymentState[] = [
      initial,
      LOADING.state,
      CONFIRMING.state,
      SILENT.state,
      PROCESSING.state,
      UNKNOWN.state,
      play(LOADING, 0, () => retrieveFailed(NETWORK)).state,
      drive(READY, [0, RESTORED]).state,
      drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_failed'))]).state,
      drive(CONFIRMING, [0, confirmFailed(throttled(5))]).state,
      drive(CONFIRMING, [0, confirmFailed(refused(400, 'payment_details_missing'))]).state,
      drive(CONFIRMING, [0, confirmed({ status: 'succeeded' })]).state,
      drive(CONFIRMING, [0, confirmed({ status: 'canceled' })]).state,
      play(drive(CONFIRMING, [0, confirmFailed(NOT_PENDING)]), 0, () => retrieved()).state,
      drive(READY, [0, CLOSED]).state,
    ];
    expect(new Set(states.map(({ status }) => status)).size).toBe(states.length);
    for (const state of states) {
      const step = drive(state, [1e7, press()]);
      expect(step.state, state.status).toBe(state);
      expect(step.effects, state.status).toEqual([]);
    }
  });

  it('what was told before is gone with the next press', () => {
    const declined = play(drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_failed'))]), 0, () =>
      retrieved(),
    );
    const again = drive(declined.state, [5000, press()]);
    expect(again.state.status).toBe('confirming');
    expect(again.state).not.toHaveProperty('feedback');
  });

  it('the total of an intent, as a button shows it', () => {
    expect(totalOf(exampleIntent({ amount_total: 5, currency: 'eur' }))).toEqual({
      amount: 5,
      currency: 'eur',
    });
  });
});

describe('2.7: hidden, offline, asleep', () => {
  it('offline during confirm: nothing is aborted', () => {
    const step = drive(CONFIRMING, [8000, WAITED, false], [20_000, WAITED, false]);
    expect(step).toMatchObject({ state: { status: 'confirming', activity: 'asleep' }, effects: [] });
    expect(drive(step, [60_000, confirmed({ status: 'succeeded' }), false]).state.status).toBe('succeeded');
  });

  it('online again during confirm: reads at once', () => {
    const asleep = drive(CONFIRMING, [8000, WAITED, false], [20_000, WAITED, false]);
    expect(drive(asleep, [30_000, woke()])).toMatchObject({
      state: { status: 'confirming', activity: 'reading' },
      effects: RETRIEVE,
    });
  });

  it('background freeze during confirm: on waking reads at once, even before 20 s', () => {
    expect(drive(CONFIRMING, [4000, woke(3000)]).effects).toEqual(RETRIEVE);
    expect(drive(CONFIRMING, [3999, woke(3000)])).toEqual({ state: CONFIRMING.state, effects: [] });
  });

  it('asleep beside an open confirm: every waking reads, also soon after the last read', () => {
    const asleep = drive(
      CONFIRMING,
      [8000, WAITED],
      [20_000, WAITED],
      [20_000, retrieved()],
      [21_000, WAITED, false],
    );
    expect(asleep.state).toMatchObject({ activity: 'asleep' });
    expect(drive(asleep, [22_000, woke(1000)]).effects).toEqual(RETRIEVE);
  });

  it('a poll that is due while hidden or offline sends nothing and rests', () => {
    for (const from of [SILENT, PROCESSING]) {
      const step = drive(from, [1000, WAITED, false]);
      expect(step).toMatchObject({ state: { polling: { activity: 'asleep' } }, effects: [] });
      expect(drive(step, [3_600_000, woke(3_599_000)]).effects, 'however long it slept').toEqual(RETRIEVE);
      expect(drive(step, [1500, woke(500)]).effects, 'however short').toEqual(RETRIEVE);
    }
  });

  it('sleep uses up none of the ten minutes', () => {
    const asleep = drive(SILENT, [1000, WAITED, false]);
    const story = play(drive(asleep, [3_600_000, woke()]), 3_600_000, () => retrieveFailed(NETWORK));
    expect(story.reads).toHaveLength(SCHEDULE.length);
  });

  it('woke while a poll pauses: reads at once, but not within 4 s of the last read', () => {
    const pausing = drive(SILENT, [1000, WAITED], [1000, retrieveFailed(NETWORK)]);
    expect(drive(pausing, [4999, woke()])).toEqual({ state: pausing.state, effects: [] });
    expect(drive(pausing, [5000, woke()]).effects).toEqual(RETRIEVE);
  });

  it('woke while a poll reads: no second request', () => {
    const reading = drive(SILENT, [1000, WAITED]);
    for (const event of [woke(), RESTORED, REFRESH, RETRY, WAITED]) {
      expect(drive(reading, [60_000, event])).toEqual({ state: reading.state, effects: [] });
    }
  });

  it('woke in ready after more than 30 s: reads before it believes what it knew', () => {
    expect(drive(READY, [60_000, woke(30_001)])).toMatchObject({
      state: { status: 'reloading' },
      effects: RETRIEVE,
    });
    expect(drive(READY, [60_000, woke(30_000)])).toEqual({ state: READY.state, effects: [] });
  });

  it('what was told before the sleep is still told after it', () => {
    const declined = play(drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_failed'))]), 0, () =>
      retrieved(),
    );
    for (const event of [woke(), RESTORED, REFRESH]) {
      const story = play(drive(declined.state, [60_000, event]), 60_000, () => retrieved());
      expect(ready(story).feedback).toEqual(ready(declined).feedback);
    }
  });

  it('woke changes nothing where nothing waits for it', () => {
    const states = [
      UNKNOWN.state,
      drive(CONFIRMING, [0, confirmFailed(throttled(5))]).state,
      drive(CONFIRMING, [0, confirmed({ status: 'succeeded' })]).state,
      drive(READY, [0, RESTORED]).state,
      LOADING.state,
    ];
    for (const state of states) expect(drive(state, [4000, woke()])).toEqual({ state, effects: [] });
  });
});

describe('2.7: restored from the back/forward cache', () => {
  it('ready: retrieve before Pay is enabled', () => {
    expect(drive(READY, [10_000, RESTORED])).toMatchObject({
      state: { status: 'reloading' },
      effects: RETRIEVE,
    });
  });

  it('confirming: the request did not survive, its effect may have', () => {
    const step = drive(CONFIRMING, [10_000, RESTORED]);
    expect(step).toMatchObject({
      state: { status: 'resolving', polling: { reason: { kind: 'no_answer' }, answered: false, sentAt: 0 } },
      effects: FIRST_LOOK,
    });
    expect(play(step, 10_000, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('resolving and processing: read at once', () => {
    for (const from of [SILENT, PROCESSING])
      expect(drive(from, [10_000, RESTORED]).effects).toEqual(RETRIEVE);
  });
});

describe('2.7: reload, a second tab: every mount begins with a read', () => {
  it.each<[string, string]>([
    ['succeeded', 'succeeded'],
    ['canceled', 'canceled'],
    ['processing', 'processing'],
    ['pending', 'ready'],
  ])('reload during confirm, and the payment is %s: %s, without a confirm', (intentStatus, status) => {
    const step = drive(LOADING, [0, retrieved({ status: intentStatus })]);
    expect(step.state.status).toBe(status);
    expect(step.effects.some(({ type }) => type === 'confirm')).toBe(false);
  });

  it('the other tab paid: not_pending, read, succeeded in both', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(NOT_PENDING)]);
    expect(play(step, 0, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });
});

describe('2.7: refresh()', () => {
  it('ready: reads at once if the last read is 4 s old, else when it is', () => {
    expect(drive(READY, [3000, REFRESH])).toMatchObject({
      state: { status: 'reloading' },
      effects: RETRIEVE,
    });
    expect(drive(READY, [1000, REFRESH])).toMatchObject({
      state: { status: 'reloading', activity: 'pausing' },
      effects: wait(2000),
    });
  });

  it('reloading: one more read afterwards, for the first may be too old', () => {
    const step = drive(READY, [10_000, RESTORED], [10_100, REFRESH], [10_200, retrieved()]);
    expect(step).toMatchObject({ state: { status: 'reloading', activity: 'pausing' }, effects: wait(4000) });
    const story = play(step, 10_200, () => retrieved({ amount_total: 1334 }));
    expect(story.reads).toEqual([14_200]);
    expect(ready(story).feedback.previousTotal).toEqual({ amount: 1234, currency: 'usd' });
  });

  it('a hundred times in a row: still one read at a time, 4 s apart', () => {
    const hundred = (at: number): Moment[] => Array.from({ length: 100 }, () => [at, REFRESH]);
    const first = drive(
      READY,
      [10_000, REFRESH],
      ...hundred(10_000),
      [10_100, retrieved()],
      ...hundred(10_200),
    );
    const story = play(drive(first, [14_100, WAITED]), 14_100, () => retrieved());
    expect(story).toMatchObject({ state: { status: 'ready' }, reads: [14_100] });
  });

  it('reloading, and the first read already shows the end: no more reads', () => {
    const step = drive(
      READY,
      [10_000, REFRESH],
      [10_000, REFRESH],
      [10_100, retrieved({ status: 'succeeded' })],
    );
    expect(step).toMatchObject({ state: { status: 'succeeded' }, effects: [] });
  });

  it('confirming: changes nothing; the confirm ends with a read or the truth', () => {
    expect(drive(CONFIRMING, [10_000, REFRESH])).toEqual({ state: CONFIRMING.state, effects: [] });
  });

  it('resolving: a read, not within 4 s of the last', () => {
    const pausing = drive(SILENT, [1000, WAITED], [1000, retrieved()]);
    expect(drive(pausing, [4999, REFRESH])).toEqual({ state: pausing.state, effects: [] });
    expect(drive(pausing, [5000, REFRESH]).effects).toEqual(RETRIEVE);
  });

  it('the end: changes nothing', () => {
    for (const status of ['succeeded', 'canceled']) {
      const { state } = drive(LOADING, [0, retrieved({ status })]);
      expect(drive(state, [10_000, REFRESH])).toEqual({ state, effects: [] });
    }
  });
});

describe('2.7: unknown, and "Check status"', () => {
  const { state, ended } = UNKNOWN;
  const from = ended + 5000;

  it.each([RETRY, REFRESH])('$type: looks again, at least 5 s later', (event) => {
    expect(drive(state, [from - 1, event])).toEqual({ state, effects: [] });
    expect(drive(state, [from, event])).toMatchObject({ state: { status: 'resolving' }, effects: RETRIEVE });
  });

  it('never sends and never offers anything else', () => {
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

  it('the check fails: unknown again after a few reads, and may be asked for again', () => {
    const story = play(drive(state, [from, RETRY]), from, () => retrieveFailed(NETWORK));
    expect(story.reads).toHaveLength(1 + CHECK.length);
    expect(story.state).toMatchObject({ status: 'unknown', notBefore: story.ended + 5000 });
    expect(drive(story.state, [story.ended + 5000, RETRY]).effects).toEqual(RETRIEVE);
  });

  it('a check of a payment that was processing is shown as processing', () => {
    const story = play(PROCESSING, 0, () => retrieved({ status: 'processing' }));
    expect(drive(story.state, [story.ended + 5000, RETRY])).toMatchObject({
      state: { status: 'processing' },
      effects: RETRIEVE,
    });
  });
});

describe('closed', () => {
  it('ends every state, and nothing is heard afterwards', () => {
    for (const { state } of [READY, LOADING, CONFIRMING, SILENT, PROCESSING, UNKNOWN]) {
      const step = drive(state, [0, CLOSED]);
      expect(step).toEqual({ state: { status: 'destroyed' }, effects: [] });
      const events = [press(), RETRY, REFRESH, RESTORED, woke(), WAITED, retrieved(), confirmed({}), CLOSED];
      for (const event of events)
        expect(drive(step, [1e6, event])).toEqual({ state: step.state, effects: [] });
    }
  });

  it('is heard even before the form was opened', () => {
    expect(drive(initial, [0, CLOSED]).state.status).toBe('destroyed');
  });
});

it('the guard and the distances are those of 2.3, 2.4 and 2.7', () => {
  expect(TIMING).toEqual({
    guard: 500,
    betweenConfirms: 3000,
    slow: 8000,
    probe: 20_000,
    agreement: 5000,
    settleUnanswered: 20_000,
    settleAnswered: 5000,
    betweenReads: 4000,
    betweenChecks: 5000,
    betweenRetries: 2000,
    staleAfter: 30_000,
    longestTurn: 90_000,
    longestWait: 3_600_000,
    waitGuard: 100,
  });
});

/** As `drive`, on a page that gives another intent when one is over. */
const driveRenewing = (from: PaymentState, ...moments: readonly (readonly [number, PaymentEvent])[]): Step =>
  moments.reduce<Step>(
    ({ state }, [now, event]) => transition(state, event, { now, awake: true, canReplace: true }),
    { state: from, effects: [] },
  );

describe('2.7: a second tab of the same intent, with the courtesy lock', () => {
  const YIELDING = drive(CONFIRMING, [0, { type: 'other_tab_paying' }]);

  it('a press that another tab came before sends nothing: it queues, and no longer than a confirm may take', () => {
    expect(YIELDING).toEqual({
      state: { status: 'waiting_for_tab', intent: exampleIntent() },
      effects: [{ type: 'wait_for_tab' }, { type: 'wait', ms: 90_000, jitter: false }],
    });
  });

  it.each<[string, PaymentEvent]>([
    ['the other tab is done', { type: 'other_tab_done' }],
    ['the other tab takes too long', WAITED],
    ['the other tab told of the end', REFRESH],
    ['the document comes back from the cache', RESTORED],
  ])('%s: reads, and sends nothing', (_, event) => {
    const step = drive(YIELDING, [5000, event]);
    expect(step.state.status).toBe('reloading');
    expect(step.effects).toEqual(RETRIEVE);
  });

  it('the other tab paid: succeeded in both', () => {
    expect(
      drive(YIELDING, [5000, { type: 'other_tab_done' }], [5000, retrieved({ status: 'succeeded' })]).state
        .status,
    ).toBe('succeeded');
  });

  it('the other tab did not pay: ready, told that nothing was sent, and a new press is needed', () => {
    const step = drive(YIELDING, [5000, { type: 'other_tab_done' }], [5000, retrieved()]);
    expect(ready(step).feedback.notice).toEqual({ kind: 'not_sent' });
    expect(step.effects).toEqual([]);
  });

  it('hears nothing else, least of all a press', () => {
    for (const event of [press(), RETRY, woke(), retrieved(), confirmed({ status: 'succeeded' })]) {
      expect(drive(YIELDING, [1000, event])).toEqual({ state: YIELDING.state, effects: [] });
    }
  });

  it('another tab told of the end while this form is ready: reads', () => {
    expect(drive(READY, [10_000, REFRESH]).effects).toEqual(RETRIEVE);
  });
});

describe('product 1, fetchClientSecret: another intent when this one is over', () => {
  const ANEW: readonly Effect[] = [{ type: 'retrieve', replacement: true }];
  const CANCELED_END = { status: 'canceled', intent: exampleIntent({ status: 'canceled' }) } as const;
  const CANCELED = driveRenewing(READY.state, [5000, REFRESH], [5000, retrieved({ status: 'canceled' })]);
  const other = (different: Partial<Intent> = {}) => retrieved({ id: 'lg_pi_2', ...different });

  it('canceled: asks the page for another and reads it', () => {
    expect(CANCELED).toEqual({
      state: { status: 'loading', replaces: CANCELED_END, failures: 0, activity: 'reading' },
      effects: ANEW,
    });
  });

  it('attempts used up: asks only after not_pending and two reads that agree that it is unpaid', () => {
    let step = driveRenewing(CONFIRMING.state, [0, confirmFailed(NOT_PENDING)]);
    expect(step.effects).not.toContainEqual(expect.objectContaining({ replacement: true }));
    const reads: number[] = [];
    for (let now = 0; step.state.status === 'resolving'; ) {
      const [effect] = step.effects;
      if (effect?.type === 'wait') now += effect.ms;
      if (effect?.type === 'retrieve') reads.push(now);
      const event = effect?.type === 'wait' ? WAITED : retrieved();
      step = driveRenewing(step.state, [now, event]);
    }
    expect(reads.length).toBeGreaterThanOrEqual(2);
    expect(step.effects).toEqual(ANEW);
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
  ])('G4: %s never asks for another', (_, failure) => {
    let step = driveRenewing(CONFIRMING.state, [0, confirmFailed(failure)]);
    for (let now = 0, steps = 0; step.effects.length > 0 && steps < 200; steps += 1) {
      expect(step.effects).not.toContainEqual(expect.objectContaining({ replacement: true }));
      const [effect] = step.effects;
      if (effect?.type === 'wait') now += effect.ms;
      const event: PaymentEvent =
        effect?.type === 'wait' ? WAITED : effect?.type === 'release' ? { type: 'released' } : retrieved();
      step = driveRenewing(step.state, [now, event]);
    }
    expect(['ready', 'blocked']).toContain(step.state.status);
  });

  it('the other one is ready to be paid, and the buyer is told that the payment starts over', () => {
    const step = driveRenewing(CANCELED.state, [6000, other()]);
    expect(ready(step)).toMatchObject({
      intent: { id: 'lg_pi_2' },
      feedback: { notice: { kind: 'started_over' }, previousTotal: null },
      armedAt: 6500,
    });
  });

  it('the other one has another total: the buyer sees both', () => {
    const step = driveRenewing(CANCELED.state, [6000, other({ amount_total: 1500 })]);
    expect(ready(step).feedback.previousTotal).toEqual({ amount: 1234, currency: 'usd' });
  });

  it.each<[string, PaymentEvent]>([
    ['the page has none', retrieveFailed({ kind: 'no_answer', reason: 'no_secret' })],
    ['the page gives the same again', retrieved({ status: 'canceled' })],
    ['the page gives the same again, which now reads as pending', retrieved()],
    ['the page gives another that is canceled, too', other({ status: 'canceled' })],
  ])('%s: the end, without asking again', (_, event) => {
    expect(driveRenewing(CANCELED.state, [6000, event])).toEqual({ state: CANCELED_END, effects: [] });
  });

  it('the other one cannot be read: tried again without asking the page again, and at the end by hand', () => {
    const failures: (readonly [number, PaymentEvent])[] = [];
    for (const at of [6000, 7000, 10_000, 18_000]) failures.push([at, retrieveFailed(NETWORK)], [at, WAITED]);
    const step = driveRenewing(CANCELED.state, ...failures);
    expect(step.state).toMatchObject({ status: 'load_failed', replaces: CANCELED_END });
    const again = driveRenewing(step.state, [30_000, RETRY]);
    expect(again.effects).toEqual(RETRIEVE);
    expect(ready(driveRenewing(again.state, [30_000, other()])).feedback.notice).toEqual({
      kind: 'started_over',
    });
  });

  it('a page that gives none at first: load_failed at once, since its server was asked once', () => {
    const step = drive(LOADING, [0, retrieveFailed({ kind: 'no_answer', reason: 'no_secret' })]);
    expect(step).toMatchObject({ state: { status: 'load_failed', intent: null }, effects: [] });
    expect(drive(step, [3000, RETRY]).effects).toEqual(RETRIEVE);
  });

  it('a page that gives one intent only: the end', () => {
    expect(drive(READY, [5000, REFRESH], [5000, retrieved({ status: 'canceled' })])).toMatchObject({
      state: { status: 'canceled' },
      effects: [],
    });
  });
});
