/** Every answer to a confirm, row by row of outcomes 2.6. Times in ms from the press. */
import { describe, expect, it } from 'vitest';
import type { Failure, Refusal } from '../../api/errors.ts';
import { exampleIntent } from './payment.fixture.ts';
import type { Intent } from './payment-state.ts';
import { SCHEDULE } from './timing.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmed,
  confirmFailed,
  drive,
  FIRST_POLL,
  LOADING,
  MALFORMED,
  NETWORK,
  play,
  press,
  REFRESH,
  RELEASE,
  RESTORED,
  RETRIEVE,
  RETRY,
  ready,
  refused,
  retrieved,
  retrieveFailed,
  SILENT,
  TIMEOUT,
  WAITED,
  woke,
} from './transition.fixture.ts';

describe('outcomes 2.6, confirm: answers with 200', () => {
  it('succeeded: succeeded', () => {
    expect(drive(CONFIRMING, [5000, confirmed({ status: 'succeeded' })])).toEqual({
      state: { status: 'succeeded', intent: exampleIntent({ status: 'succeeded' }), shown: null },
      effects: [],
    });
  });

  it.each<[string, Partial<Intent>]>([
    ['amount_total', { amount_total: 1334 }],
    ['currency', { currency: 'eur' }],
  ])(
    'succeeded with another %s than shown: succeeded with the service`s amount, and the shown one is kept for the report',
    (_, other) => {
      const intent = exampleIntent({ status: 'succeeded', ...other });
      const shown = { amount: 1234, currency: 'usd' };
      const expected = { state: { status: 'succeeded', intent, shown }, effects: [] };
      expect(drive(CONFIRMING, [5000, { type: 'confirmed', intent }])).toEqual(expected);
      expect(drive(SILENT, [1000, WAITED], [1000, { type: 'retrieved', intent }])).toEqual(expected);
    },
  );

  it('succeeded on the first read: the service`s amount, because this form showed none', () => {
    expect(drive(LOADING, [0, retrieved({ status: 'succeeded', amount_total: 5 })])).toMatchObject({
      state: { status: 'succeeded', shown: null },
    });
  });

  it('canceled: canceled', () => {
    expect(drive(CONFIRMING, [5000, confirmed({ status: 'canceled' })])).toMatchObject({
      state: { status: 'canceled' },
      effects: [],
    });
  });

  it.each(['processing', 'requires_action', 'toString'])('%s: processing, polled', (status) => {
    expect(drive(CONFIRMING, [5000, confirmed({ status })])).toMatchObject({
      state: { status: 'processing', polling: { shown: { amount: 1234 }, answered: true } },
      effects: FIRST_POLL,
    });
  });

  it('pending: resolving; the Pay button comes back only after two reads that agree', () => {
    const step = drive(CONFIRMING, [0, confirmed({})]);
    expect(step).toMatchObject({ state: { status: 'resolving' }, effects: FIRST_POLL });
    const story = play(step, 0, () => retrieved());
    expect(story.reads).toEqual([1000, 3000, 6000]);
    expect(ready(story).feedback.notice).toEqual({ kind: 'not_charged' });
  });

  it('another id: resolving, whatever status it has', () => {
    for (const status of ['succeeded', 'canceled', 'pending', 'processing']) {
      expect(drive(CONFIRMING, [5000, confirmed({ id: 'lg_pi_2', status })])).toMatchObject({
        state: {
          status: 'resolving',
          intent: { id: 'lg_pi_1', status: 'pending' },
          polling: { answered: false },
        },
        effects: FIRST_POLL,
      });
    }
  });
});

describe('outcomes 2.6, confirm: no answer, or an inconclusive one', () => {
  it.each<[string, Failure, boolean]>([
    ['DNS, connection or reset: resolving', NETWORK, false],
    ['timeout after 75 s: resolving', TIMEOUT, false],
    ['200 malformed, HTML, truncated, 204: resolving', MALFORMED, false],
    ['402 whose body is malformed: resolving, not releasing', refused(402, 'http_402'), false],
    ['402 of another type than card_error: resolving', refused(402, 'a_later_code'), false],
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
  ])('%s', (_, failure, answered) => {
    const step = drive(CONFIRMING, [5000, confirmFailed(failure)]);
    expect(step).toMatchObject({
      state: {
        status: 'resolving',
        polling: {
          reason: { kind: 'no_answer' },
          answered,
          startedAt: 0,
          attemptsBefore: 0,
          shown: { amount: 1234, currency: 'usd' },
        },
      },
      effects: FIRST_POLL,
    });
    // A charge that was made after all is found.
    expect(play(step, 5000, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('no answer: only waits and reads follow, until unknown', () => {
    const story = play(SILENT, 0, () => retrieveFailed(NETWORK));
    expect(story.state.status).toBe('unknown');
    expect(story.releases).toEqual([]);
    expect(story.reads).toHaveLength(SCHEDULE.length);
  });
});

describe('outcomes 2.6, confirm: refusals', () => {
  it.each<[string, Refusal]>([
    ['402 payment_method_declined', refused(402, 'payment_method_declined')],
    ['402 with decline_code', refused(402, 'payment_method_declined', { declineCode: 'insufficient_funds' })],
    ['402 payment_failed', refused(402, 'payment_failed')],
    ['402 card_error with a code of a later service', refused(402, 'a_later_code', { type: 'card_error' })],
  ])('%s: release, retrieve, ready with the reason', (_, failure) => {
    const step = drive(CONFIRMING, [5000, confirmFailed(failure)]);
    expect(step).toMatchObject({ state: { status: 'releasing' }, effects: RELEASE });
    const story = play(step, 5000, () => retrieved({ confirmation_attempts: 1 }));
    expect(story).toMatchObject({ releases: [5000], reads: [5000] });
    expect(ready(story).feedback).toEqual({
      notice: { kind: 'declined', error: failure, isAnswer: true },
      previousTotal: null,
    });
    expect(ready(story).armedAt).toBe(5500);
  });

  it('402, and the total has changed: ready with both notices', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_failed'))]);
    const story = play(step, 0, () => retrieved({ amount_total: 1334 }));
    expect(ready(story).feedback).toMatchObject({
      notice: { kind: 'declined' },
      previousTotal: { amount: 1234, currency: 'usd' },
    });
  });

  it('402, but the read says succeeded (another delivery of the same confirm paid): succeeded', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(402, 'payment_method_declined'))]);
    expect(play(step, 0, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('409 payment_intent_updated: read, report error and change, and confirm only on a press at the new total', () => {
    const error = refused(409, 'payment_intent_updated');
    const step = drive(CONFIRMING, [5000, confirmFailed(error)]);
    expect(step).toMatchObject({ state: { status: 'reloading' }, effects: RETRIEVE });
    const after = drive(step, [6000, retrieved({ amount_total: 1334 })]);
    expect(after.effects).toEqual([]);
    expect(ready(after).feedback).toEqual({
      notice: { kind: 'check_again', error },
      previousTotal: { amount: 1234, currency: 'usd' },
    });
    expect(drive(after, [6499, press(1334)])).toEqual({ state: after.state, effects: [] });
    expect(drive(after, [6500, press(1234)])).toEqual({ state: after.state, effects: [] });
    expect(drive(after, [6500, press(1334)]).effects[0]).toEqual({
      type: 'confirm',
      shown: { amount: 1334, currency: 'usd' },
    });
  });

  it('409, but the total is unchanged: ready with check_again', () => {
    const error = refused(409, 'payment_intent_updated');
    const story = play(drive(CONFIRMING, [0, confirmFailed(error)]), 0, () => retrieved());
    expect(ready(story).feedback).toEqual({ notice: { kind: 'check_again', error }, previousTotal: null });
  });

  it('400 invalid_billing_details: ready at once with the param, nothing is read or released', () => {
    const error = refused(400, 'invalid_billing_details', { param: 'billing_details.address.postal_code' });
    const step = drive(CONFIRMING, [1000, confirmFailed(error)]);
    expect(step.effects).toEqual([]);
    expect(ready(step).feedback.notice).toEqual({ kind: 'details_refused', error });
  });

  it.each(['card.number', 'card.exp_month', 'card.cvc'])(
    '400 validation_error with param %s: ready at once, to correct the field and pay',
    (param) => {
      const error = refused(400, 'validation_error', { param });
      const step = drive(CONFIRMING, [1000, confirmFailed(error)]);
      expect(step.effects).toEqual([]);
      expect(ready(step).feedback.notice).toEqual({ kind: 'details_refused', error });
      const { armedAt } = ready(step);
      expect(drive(step, [armedAt, press()]).effects[0]).toMatchObject({ type: 'confirm' });
    },
  );

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
    '400 %s: blocked until the merchant fixes the order and calls refresh()',
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
    'threat-model C68: 401 %s from the service: blocked, and nothing more is sent',
    (code) => {
      const step = drive(CONFIRMING, [1000, confirmFailed(refused(401, code))]);
      expect(step).toMatchObject({ state: { status: 'blocked', recoverable: false }, effects: [] });
      for (const event of [RETRY, REFRESH, RESTORED, woke(), press()]) {
        expect(drive(step, [60_000, event])).toEqual({ state: step.state, effects: [] });
      }
    },
  );

  const READ_ONCE: readonly [number, string][] = [
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

  it.each(READ_ONCE)('%i %s: one read, then blocked', (status, code) => {
    const error = refused(status, code);
    const step = drive(CONFIRMING, [0, confirmFailed(error)]);
    expect(step).toMatchObject({ state: { status: 'resolving' }, effects: FIRST_POLL });
    const story = play(step, 0, () => retrieved());
    expect(story).toMatchObject({ state: { status: 'blocked', error, recoverable: false }, reads: [1000] });
  });

  it.each(READ_ONCE)('%i %s, but the read says succeeded: succeeded', (status, code) => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(status, code))]);
    expect(play(step, 0, () => retrieved({ status: 'succeeded' })).state.status).toBe('succeeded');
  });

  it('400 validation_error, and the read fails: reads again before it is blocked', () => {
    const step = drive(CONFIRMING, [0, confirmFailed(refused(400, 'validation_error'))]);
    const answers = [retrieveFailed(NETWORK), retrieveFailed(refused(502, 'provider_error')), retrieved()];
    const story = play(step, 0, () => answers.shift() ?? CLOSED);
    expect(story.reads).toEqual([1000, 3000, 6000]);
    expect(story.state.status).toBe('blocked');
  });
});

it('contract 4.6: a service that does not tell whether an attempt runs has not told that it is over', () => {
  const { attemptsAreOver: _, ...untold } = exampleIntent({ attempt_in_progress: null });
  const reading = drive(CONFIRMING, [8000, WAITED], [16_000, WAITED], [24_000, WAITED]);
  expect(reading.effects).toEqual(RETRIEVE);
  const { state } = drive(reading, [
    24_100,
    { type: 'retrieved', intent: { ...untold, confirmation_attempts: 1 } },
  ]);
  expect(state).toMatchObject({ status: 'confirming', intent: { attemptsAreOver: false } });
});
