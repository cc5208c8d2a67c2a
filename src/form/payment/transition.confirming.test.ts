/**
 * From a press to its answer: `beforePay`, every answer to a confirm, and the release after a decline. Times in ms from
 * the press.
 */
import { describe, expect, it } from 'vitest';
import type { Failure, Refusal } from '../../api/errors.ts';
import { exampleIntent } from './payment.fixture.ts';
import type { Intent, PageAnswer, PaymentEvent, PaymentState, Step } from './payment-state.ts';
import { SCHEDULE } from './timing.ts';
import { NOTHING_TOLD, tell } from './told.ts';
import {
  CLOSED,
  CONFIRMING,
  confirmed,
  confirmFailed,
  DECLINED,
  drive,
  FIRST_POLL,
  LOADING,
  MALFORMED,
  NETWORK,
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
  releaseFailed,
  retrieved,
  retrieveFailed,
  SILENT,
  TIMEOUT,
  throttled,
  WAITED,
  wait,
  woke,
} from './transition.fixture.ts';
import { transition } from './transition.ts';

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
          polling: { reason: { kind: 'no_answer' }, answered: false },
        },
        effects: FIRST_POLL,
      });
    }
  });
});

describe('outcomes 2.6, confirm: no answer, or an inconclusive one (which code is which: remedy.test.ts)', () => {
  it.each<[string, Failure, boolean]>([
    ['DNS, connection or reset: resolving', NETWORK, false],
    ['timeout after 75 s: resolving', TIMEOUT, false],
    ['200 malformed, HTML, truncated, 204: resolving', MALFORMED, false],
    ['402 whose body is malformed: resolving, not releasing', refused(402, 'http_402'), false],
    ['402 of another type than card_error: resolving', refused(402, 'a_later_code'), false],
    ['401 that is not well-formed: resolving', refused(401, 'http_401'), false],
    ['500 internal_error: resolving, may have been charged', refused(500, 'internal_error'), true],
    ['502 provider_error: resolving, not a decline', refused(502, 'provider_error'), true],
    ['503 of a proxy: resolving', refused(503, 'http_503'), false],
    ['429 in words but not in status: resolving', refused(500, 'rate_limited'), true],
  ])('%s', (_, failure, answered) => {
    const step = drive(CONFIRMING, [5000, confirmFailed(failure)]);
    const shown = { amount: 1234, currency: 'usd' };
    const polling = { reason: { kind: 'no_answer' }, answered, startedAt: 0, attemptsBefore: 0, shown };
    expect(step).toMatchObject({ state: { status: 'resolving', polling }, effects: FIRST_POLL });
    // A charge that happened after all is found.
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

  it.each([
    ['invalid_billing_details', 'billing_details.address.postal_code'],
    ['validation_error', 'card.number'],
    ['validation_error', 'card.cvc'],
  ])('400 %s with param %s: ready at once, to correct the field and pay', (code, param) => {
    const error = refused(400, code, { param });
    const step = drive(CONFIRMING, [1000, confirmFailed(error)]);
    expect(step.effects, 'nothing is read or released').toEqual([]);
    expect(ready(step).feedback.notice).toEqual({ kind: 'details_refused', error });
    const { armedAt } = ready(step);
    expect(drive(step, [armedAt, press()]).effects[0]).toMatchObject({ type: 'confirm' });
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

  it.each<[number, string]>([
    [400, 'validation_error'],
    [400, 'a_later_code'],
    [404, 'not_found'],
    [409, 'idempotency_key_reused'],
  ])('%i %s: one read, then blocked, unless it says succeeded', (status, code) => {
    const error = refused(status, code);
    const step = drive(CONFIRMING, [0, confirmFailed(error)]);
    expect(step).toMatchObject({ state: { status: 'resolving' }, effects: FIRST_POLL });
    const story = play(step, 0, () => retrieved());
    expect(story).toMatchObject({ state: { status: 'blocked', error, recoverable: false }, reads: [1000] });
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

describe('outcomes 2.6, confirm, 429: waits, reads, then ready', () => {
  const limited = (seconds: number, stated = true) =>
    drive(CONFIRMING, [0, confirmFailed(throttled(seconds, stated))]);

  it.each([
    [0, 100],
    [59, 59_100],
    [3600, 3_600_100],
  ])('threat-model C64: Retry-After %i: reads after exactly that long plus 100 ms', (seconds, readAt) => {
    const step = limited(seconds);
    expect(step.state).toMatchObject({ status: 'throttled', until: readAt, secondsLeft: seconds });
    const story = play(step, 0, () => retrieved());
    expect(story.reads).toEqual([readAt]);
    expect(ready(story).feedback).toEqual({ notice: { kind: 'throttle_over' }, previousTotal: null });
  });

  it('counts down by the second and never shows less time than is left', () => {
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

  it('outcomes 2.7: a timer that fires late, after a sleep, reads at once', () => {
    expect(drive(limited(60), [3_000_000, WAITED]).effects).toEqual(RETRIEVE);
  });

  it('without a usable Retry-After: 60 s, marked as not stated by the service', () => {
    const step = limited(60, false);
    expect(step.state).toMatchObject({ until: 60_100, error: { retryAfter: 60, stated: false } });
  });

  it('outcomes I6: no event makes it send early, and no press counts', () => {
    const { state } = limited(60);
    for (const event of [press(), RETRY, REFRESH, RESTORED, woke(), retrieved(), confirmed({})]) {
      expect(drive(state, [60_099, event])).toEqual({ state, effects: [] });
    }
  });

  it('a total that changed while it waited: ready, and no confirm without a press', () => {
    const story = play(limited(5), 0, () => retrieved({ amount_total: 1334 }));
    expect(ready(story).feedback.previousTotal).toEqual({ amount: 1234, currency: 'usd' });
  });

  it.each([3601, 1_000_000_000])(
    'Retry-After %i: counted down, but the next read is started by hand',
    (seconds) => {
      const step = limited(seconds);
      const until = seconds * 1000 + 100;
      expect(step.state).toMatchObject({ status: 'throttled', until, secondsLeft: seconds });
      expect(step.effects.every((effect) => effect.type === 'wait' && effect.ms <= 1000)).toBe(true);
      expect(drive(step, [until - 1, RETRY])).toEqual({ state: step.state, effects: [] });
      const over = drive(step, [until, WAITED]);
      expect(over).toMatchObject({ state: { status: 'throttled', secondsLeft: 0 }, effects: [] });
      for (const event of [RETRY, REFRESH]) expect(drive(over, [until, event]).effects).toEqual(RETRIEVE);
    },
  );

  it('no answer to the reads that follow: load_failed with the intent, and "Try again" is held', () => {
    const story = play(limited(5), 0, () => retrieveFailed(NETWORK));
    expect(story.reads).toEqual([5100, 6100, 9100, 17_100]);
    expect(story.state).toMatchObject({ status: 'load_failed', intent: exampleIntent(), failure: NETWORK });
    expect(drive(story.state, [story.ended + 500, RETRY])).toMatchObject({
      state: { status: 'reloading', activity: 'pausing', feedback: { notice: { kind: 'throttle_over' } } },
      effects: wait(1500),
    });
  });

  it('429 for the read that follows: waits again', () => {
    const answers = [retrieveFailed(throttled(7)), retrieved()];
    const story = play(limited(5), 0, () => answers.shift() ?? CLOSED);
    expect(story.reads).toEqual([5100, 12_200]);
    expect(story.state.status).toBe('ready');
  });
});

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
    ['502 provider_error', refused(502, 'provider_error')],
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
    [400, 'http_400'],
    [404, 'not_found'],
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

  it.each([0, 60, 3600])('429 with Retry-After %i: waits, then releases again', (seconds) => {
    const step = drive(RELEASING, [0, releaseFailed(throttled(seconds))]);
    expect(step.effects).toEqual(wait(seconds * 1000 + 100));
    expect(drive(step, [seconds * 1000 + 100, WAITED]).effects).toEqual(RELEASE);
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

describe('outcomes 2.7: a second tab of the same intent, with the tab lock', () => {
  const WAITING_FOR_TAB = drive(CONFIRMING, [0, { type: 'other_tab_paying' }]);

  it('a press while another tab pays sends nothing and waits, no longer than a confirm can take', () => {
    expect(WAITING_FOR_TAB).toEqual({
      state: { status: 'waiting_for_tab', intent: exampleIntent() },
      effects: [{ type: 'wait_for_tab' }, { type: 'wait', ms: 90_000, jitter: false }],
    });
  });

  it.each<[string, PaymentEvent]>([
    ['the other tab is done', { type: 'other_tab_done' }],
    ['the other tab takes too long', WAITED],
    ['the other tab reports the end', REFRESH],
    ['the page is restored from the cache', RESTORED],
  ])('%s: reads, and sends nothing', (_, event) => {
    const step = drive(WAITING_FOR_TAB, [5000, event]);
    expect(step.state.status).toBe('reloading');
    expect(step.effects).toEqual(RETRIEVE);
  });

  it('the other tab paid: succeeded here too', () => {
    expect(
      drive(WAITING_FOR_TAB, [5000, { type: 'other_tab_done' }], [5000, retrieved({ status: 'succeeded' })])
        .state.status,
    ).toBe('succeeded');
  });

  it('the other tab did not pay: ready with not_sent; only a new press confirms', () => {
    const step = drive(WAITING_FOR_TAB, [5000, { type: 'other_tab_done' }], [5000, retrieved()]);
    expect(ready(step).feedback.notice).toEqual({ kind: 'not_sent' });
    expect(step.effects).toEqual([]);
  });

  it('the page hears of each overtaken press', () => {
    const overtaken = drive(WAITING_FOR_TAB, [5000, { type: 'other_tab_done' }], [5000, retrieved()]);
    const states = [CONFIRMING, WAITING_FOR_TAB, overtaken, CONFIRMING, WAITING_FOR_TAB, overtaken];
    let told = NOTHING_TOLD;
    let latest: PaymentState = READY.state;
    const heard: unknown[] = [];
    for (const { state } of states) {
      const next = tell(told, latest, state);
      told = next.told;
      latest = state;
      heard.push(...next.events.filter((event) => event.tell === 'notice'));
    }
    const notice = { tell: 'notice', notice: { kind: 'not_sent' }, charged: 'no' };
    expect(ready(overtaken).feedback.notice).toEqual(notice.notice);
    expect(heard).toEqual([notice, notice]);
  });

  it('ignores every other event, even a press', () => {
    for (const event of [press(), RETRY, woke(), retrieved(), confirmed({ status: 'succeeded' })]) {
      expect(drive(WAITING_FOR_TAB, [1000, event])).toEqual({ state: WAITING_FOR_TAB.state, effects: [] });
    }
  });
});

const SHOWN = { amount: 1234, currency: 'usd' } as const;
const answered = (answer: PageAnswer): PaymentEvent => ({ type: 'page_answered', answer });
const YES = answered({ kind: 'allowed' });
const NO = answered({ kind: 'refused', message: 'Sold out.' });
const FAILED = answered({ kind: 'failed' });

/** Feeds events, each at its time, on a page with `beforePay`. */
const askingDrive = (from: PaymentState, ...moments: readonly (readonly [number, PaymentEvent])[]): Step =>
  moments.reduce<Step>(
    ({ state }, [now, event]) =>
      transition(state, event, { now, awake: true, canReplace: false, asksPage: true }),
    { state: from, effects: [] },
  );

const ASKING = askingDrive(READY.state, [0, press()]);

describe('outcomes 2.2, asking_page: the page is asked after the press passed every rule and before anything is sent', () => {
  it('a press asks the page about the total it showed, and gives it 10 seconds', () => {
    expect(ASKING).toEqual({
      state: {
        status: 'asking_page',
        intent: exampleIntent(),
        shown: SHOWN,
        allowed: false,
        activity: 'waiting',
      },
      effects: [
        { type: 'ask_page', shown: SHOWN },
        { type: 'wait', ms: 10_000, jitter: false },
      ],
    });
  });

  it.each([
    ['too soon', 499 - 1000, press()],
    ['of another total', 0, press(1334)],
  ] as const)('a press %s is not asked about', (_, at, event) => {
    expect(askingDrive(READY.state, [at, event])).toEqual({ state: READY.state, effects: [] });
  });

  it('yes: the confirm is sent with the total that was pressed', () => {
    expect(askingDrive(ASKING.state, [0, YES])).toEqual(CONFIRMING);
  });

  it.each([
    ['no, with a sentence', NO, { kind: 'page_refused', message: 'Sold out.' }],
    ['no, without', answered({ kind: 'refused', message: null }), { kind: 'page_refused', message: null }],
    ['an exception', FAILED, { kind: 'page_failed' }],
    ['10 seconds of silence', WAITED, { kind: 'page_failed' }],
  ] as const)('%s: back to the form, nothing was sent', (_, event, notice) => {
    const { state, effects } = askingDrive(ASKING.state, [3000, event]);
    expect(effects).toEqual([]);
    expect(state).toEqual({
      status: 'ready',
      intent: exampleIntent(),
      feedback: { notice, previousTotal: null },
      readAt: 3000,
      armedAt: 3500,
    });
  });

  it('the next press asks again', () => {
    const again = askingDrive(ASKING.state, [3000, NO], [5000, press()]);
    expect(again).toEqual(ASKING);
  });

  it('ignores every other event, even another press', () => {
    const others = [press(), RETRY, woke(), retrieved({ amount_total: 1 }), retrieveFailed(NETWORK)];
    for (const event of [...others, confirmed({ status: 'succeeded' })]) {
      expect(askingDrive(ASKING.state, [1000, event])).toEqual({ state: ASKING.state, effects: [] });
    }
  });

  it('restored from the back/forward cache: reads, for the answer may never come', () => {
    const step = askingDrive(ASKING.state, [1000, RESTORED]);
    expect(step.state.status).toBe('reloading');
    expect(step.effects).toEqual(RETRIEVE);
  });

  it('the form is removed: nothing is sent', () => {
    expect(askingDrive(ASKING.state, [1000, CLOSED])).toEqual({
      state: { status: 'destroyed' },
      effects: [],
    });
  });
});

describe('outcomes 2.2, asking_page: a total that changes while the page is asked returns to the form', () => {
  const READING = askingDrive(ASKING.state, [1000, REFRESH]);

  it('refresh() while the page is asked: reads beside it', () => {
    expect(READING.effects).toEqual(RETRIEVE);
    expect(READING.state).toMatchObject({ status: 'asking_page', activity: 'reading' });
  });

  it('a second refresh() reads no second time', () => {
    expect(askingDrive(READING.state, [1500, REFRESH])).toEqual({ state: READING.state, effects: [] });
  });

  it.each([
    ['before', [retrieved({ amount_total: 1334 })]],
    ['after', [YES, retrieved({ amount_total: 1334 })]],
  ] as const)('another total, read %s the yes: both totals are shown, and nothing is sent', (_, events) => {
    const step = askingDrive(READING.state, ...events.map((event) => [2000, event] as const));
    expect(step.effects).toEqual([]);
    expect(ready(step).feedback).toEqual({ notice: null, previousTotal: SHOWN });
    expect(ready(step).intent.amount_total).toBe(1334);
  });

  it('the yes of the page about the old total is not a yes to the new one', () => {
    const changed = askingDrive(READING.state, [2000, retrieved({ amount_total: 1334 })]);
    expect(askingDrive(changed.state, [2100, YES])).toEqual({ state: changed.state, effects: [] });
  });

  it('the yes waits for the read, which shows the same total: the confirm is sent', () => {
    const allowed = askingDrive(READING.state, [1500, YES]);
    expect(allowed.effects).toEqual([]);
    const step = askingDrive(allowed.state, [2000, retrieved()]);
    expect(step.state.status).toBe('confirming');
    expect(step.effects[0]).toEqual({ type: 'confirm', shown: SHOWN });
  });

  it('the same total is read first: the form goes on waiting for the page', () => {
    const step = askingDrive(READING.state, [2000, retrieved({ description: 'changed' })]);
    expect(step.effects).toEqual([]);
    expect(step.state).toMatchObject({
      status: 'asking_page',
      activity: 'waiting',
      intent: { description: 'changed' },
    });
    expect(askingDrive(step.state, [2500, YES]).state.status).toBe('confirming');
  });

  it.each([
    ['the read fails', retrieveFailed(NETWORK)],
    ['the read is refused', retrieveFailed(refused(401, 'api_key_revoked'))],
    ['the read takes longer than the page had', WAITED],
  ])('%s after a yes: the confirm is sent, and the service decides about its total', (_, event) => {
    const step = askingDrive(READING.state, [1500, YES], [10_000, event]);
    expect(step.effects[0]).toEqual({ type: 'confirm', shown: SHOWN });
  });

  it('a read that fails before the answer: the form goes on waiting for the page', () => {
    const step = askingDrive(READING.state, [1500, retrieveFailed(NETWORK)]);
    expect(step).toEqual({ state: ASKING.state, effects: [] });
  });

  it.each([
    ['paid in another tab', { status: 'succeeded' }, 'succeeded'],
    ['canceled', { status: 'canceled' }, 'canceled'],
    ['processing', { status: 'processing' }, 'processing'],
    ['out of attempts', { attempts_left: 0, last_payment_error: DECLINED }, 'reloading'],
  ] as const)('the intent is %s: the yes sends nothing', (_, different, status) => {
    const step = askingDrive(READING.state, [1500, YES], [2000, retrieved(different)]);
    expect(step.state.status).toBe(status);
    expect(step.effects.filter(({ type }) => type === 'confirm')).toEqual([]);
  });
});

it('a page that allowed the press cannot take it back while the intent is read', () => {
  const allowed = askingDrive(ASKING.state, [100, REFRESH], [200, YES]);
  expect(askingDrive(allowed.state, [300, NO])).toEqual({ state: allowed.state, effects: [] });
});

it.each<[string, PaymentEvent]>([
  ['said no', NO],
  ['failed', FAILED],
])(
  'outcomes 2.6: nothing was sent if the page %s, so a refused read afterwards leaves nothing unknown',
  (_, answer) => {
    const keys = retrieveFailed(refused(401, 'api_key_revoked'));
    const { state } = askingDrive(ASKING.state, [100, answer], [5000, REFRESH], [5100, keys]);
    expect(state).toMatchObject({ status: 'blocked', recoverable: false });
  },
);
