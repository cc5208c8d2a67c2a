import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../api/errors.ts';
import { FrameMessageSchema } from '../../channel/frame-messages.fixture.ts';
import type { FrameMessage as Message } from '../../channel/messages.ts';
import {
  exampleConfirming as confirming,
  exampleIntent,
  examplePolling as polling,
} from '../../payment/payment.fixture.ts';
import type { Feedback, PaymentState, UnpaidEnd } from '../../payment/payment-state.ts';
import { transition } from '../../payment/transition.ts';
import { afterProtocolViolation } from './events.ts';
import { createListener } from './page.fixture.ts';

const intent = exampleIntent();
const refused = (status: number, code: string, declineCode: string | null = null): Refusal => ({
  kind: 'refused',
  status,
  code,
  type: 'card_error',
  message: 'In English, not for the buyer.',
  param: null,
  declineCode,
});
const nothing: Feedback = { notice: null, previousTotal: null };
const loading: PaymentState = { status: 'loading', replaces: null, failures: 0, activity: 'reading' };
const ready = (feedback: Feedback = nothing): PaymentState => ({
  status: 'ready',
  intent,
  feedback,
  readAt: 0,
  armedAt: 0,
});
const reloading = (feedback: Feedback = nothing): PaymentState => ({
  status: 'reloading',
  intent,
  feedback,
  usedUpAt: null,
  failures: 0,
  again: false,
  reads: 0,
  activity: 'reading',
});
const blocked = (error: Refusal, known = true): PaymentState => ({
  status: 'blocked',
  intent: known ? intent : null,
  error,
  recoverable: false,
});

const NO_TOTAL = { type: 'ready', amountTotal: null, currency: null };
const TOTAL = { type: 'ready', amountTotal: 1234, currency: 'usd' };

describe('ready: the buyer can type, and the first read has ended', () => {
  const releasing: PaymentState = {
    status: 'releasing',
    intent,
    feedback: nothing,
    failures: 0,
    reads: 0,
    activity: 'reading',
  };
  const failed: PaymentState = {
    status: 'load_failed',
    intent: null,
    replaces: null,
    feedback: nothing,
    failure: { kind: 'no_answer', reason: 'network' },
    notBefore: 0,
  };

  it.each<[string, PaymentState, object]>([
    ['the total of a payment that can be paid', ready(), TOTAL],
    ['the total that is shown while an earlier attempt is released', releasing, TOTAL],
    ['no total after a read that failed', failed, NO_TOTAL],
    [
      'no total after a read that failed and is sent again',
      { ...loading, failures: 1, activity: 'pausing' },
      NO_TOTAL,
    ],
    ['no total while the service has the form wait', { ...loading, activity: 'pausing' }, NO_TOTAL],
    ['no total of a payment that is being processed', { status: 'processing', intent, polling }, NO_TOTAL],
    ['no total of a payment that succeeded before', { status: 'succeeded', intent, shown: null }, NO_TOTAL],
    ['no total of a canceled payment', { status: 'canceled', intent }, NO_TOTAL],
    [
      'no total of a payment without attempts',
      { status: 'exhausted', intent, error: refused(400, 'x') },
      NO_TOTAL,
    ],
    ['no total of a form that is blocked', blocked(refused(401, 'invalid_api_key'), false), NO_TOTAL],
    [
      'no total of a payment that nobody knows',
      { status: 'unknown', intent, polling, notBefore: 0 },
      NO_TOTAL,
    ],
  ])('has %s, before any other event', (_, state, expected) => {
    const [first, ...others] = createListener().hear(loading, state);
    expect(first).toEqual(expected);
    expect(FrameMessageSchema.safeParse(first).success).toBe(true);
    expect(others).not.toContainEqual(expect.objectContaining({ type: 'ready' }));
  });

  it('comes once, however often the intent is read', () => {
    const { hear: eventsOf } = createListener();
    const states = [{ status: 'booting' } as const, loading, failed, loading, ready(), reloading(), ready()];
    const heard = states.flatMap((state, index) => eventsOf(states[index - 1] ?? state, state));
    expect(heard.filter(({ type }) => type === 'ready')).toEqual([NO_TOTAL]);
  });

  it('does not come before the read has ended, nor when the form is removed first', () => {
    const { hear: eventsOf } = createListener();
    expect(eventsOf({ status: 'booting' }, loading)).toEqual([]);
    expect(eventsOf(loading, { status: 'destroyed' })).toEqual([]);
  });
});

describe('what the merchant hears', () => {
  it.each<[string, PaymentState, PaymentState, unknown[]]>([
    ['a press', ready(), confirming, [{ type: 'processing', pressed: true }]],
    [
      'a decline',
      reloading(),
      ready({
        notice: { kind: 'declined', error: refused(402, 'payment_method_declined', 'expired_card') },
        previousTotal: null,
      }),
      [
        {
          type: 'decline',
          error: {
            code: 'payment_method_declined',
            decline_code: 'expired_card',
            charged: 'no',
            recovery: 'use_other_card',
          },
        },
      ],
    ],
    [
      'a decline whose answer was lost',
      reloading(),
      ready({ notice: { kind: 'declined', error: null }, previousTotal: null }),
      [{ type: 'decline', error: { type: 'card_error', charged: 'no', recovery: 'use_other_card' } }],
    ],
    [
      'a changed total',
      reloading(),
      ready({ notice: null, previousTotal: { amount: 1134, currency: 'usd' } }),
      [{ type: 'amountchange', previous: 1134, current: 1234, currency: 'usd' }],
    ],
    [
      'refused details',
      confirming,
      ready({
        notice: { kind: 'details_refused', error: refused(400, 'invalid_billing_details') },
        previousTotal: null,
      }),
      [{ type: 'error', error: { code: 'invalid_billing_details', charged: 'no', recovery: 'fix_input' } }],
    ],
    [
      'nothing recorded after silence',
      { status: 'resolving', intent, polling },
      ready({ notice: { kind: 'not_charged' }, previousTotal: null }),
      [{ type: 'error', error: { type: 'api_connection_error', charged: 'no', recovery: 'retry' } }],
    ],
    [
      'a rate limit',
      confirming,
      { status: 'throttled', intent, error: { retryAfter: 7, stated: true }, until: 0, secondsLeft: 7 },
      [
        { type: 'ratelimited', retryAfter: 7 },
        {
          type: 'error',
          error: { code: 'rate_limited', retryAfter: 7, charged: 'unknown', recovery: 'wait' },
        },
      ],
    ],
    [
      'success',
      confirming,
      { status: 'succeeded', intent, shown: null },
      [{ type: 'result', result: { outcome: 'succeeded' } }],
    ],
    [
      'success with another amount than shown',
      confirming,
      { status: 'succeeded', intent, shown: { amount: 1, currency: 'usd' } },
      [
        { type: 'error', error: { code: 'amount_mismatch', charged: 'yes' } },
        { type: 'result', result: { outcome: 'succeeded' } },
      ],
    ],
    [
      'tries used up',
      { status: 'resolving', intent, polling },
      { status: 'exhausted', intent, error: refused(400, 'payment_intent_not_pending') },
      [{ type: 'result', result: { outcome: 'failed', error: { charged: 'no', recovery: 'new_payment' } } }],
    ],
    [
      'a wrong key, before anything was read',
      loading,
      blocked(refused(401, 'invalid_api_key'), false),
      [
        NO_TOTAL,
        {
          type: 'error',
          error: { code: 'invalid_api_key', charged: 'unknown', recovery: 'fix_integration' },
        },
        { type: 'result', result: { outcome: 'failed', error: { code: 'invalid_api_key' } } },
      ],
    ],
    [
      'missing order details, which the merchant can add',
      confirming,
      { status: 'blocked', intent, error: refused(400, 'payment_details_missing'), recoverable: true },
      [{ type: 'error', error: { code: 'payment_details_missing', charged: 'no' } }],
    ],
    [
      'an outcome nobody could learn',
      { status: 'resolving', intent, polling },
      { status: 'unknown', intent, polling, notBefore: 0 },
      [{ type: 'result', result: { outcome: 'unknown', reason: 'unresolved' } }],
    ],
    [
      'a payment found processing',
      loading,
      { status: 'processing', intent, polling },
      [NO_TOTAL, { type: 'processing', pressed: false }],
    ],
    [
      'a press that another tab came before',
      reloading(),
      ready({ notice: { kind: 'not_sent' }, previousTotal: null }),
      [{ type: 'error', error: { code: 'payment_in_progress', charged: 'no', recovery: 'retry' } }],
    ],
    [
      'an intent without attempts, in place of which the page is asked for another',
      { status: 'resolving', intent, polling },
      {
        status: 'loading',
        replaces: { status: 'exhausted', intent, error: refused(400, 'payment_intent_not_pending') },
        failures: 0,
        activity: 'reading',
      },
      [
        {
          type: 'error',
          error: { code: 'payment_intent_not_pending', charged: 'no', recovery: 'new_payment' },
        },
      ],
    ],
    [
      'a canceled intent, in place of which the page is asked for another',
      ready(),
      { status: 'loading', replaces: { status: 'canceled', intent }, failures: 0, activity: 'reading' },
      [{ type: 'error', error: { code: 'payment_intent_canceled', charged: 'no', recovery: 'new_payment' } }],
    ],
    [
      'the other intent, ready at another total',
      { ...loading, failures: 1 },
      ready({ notice: { kind: 'started_over' }, previousTotal: { amount: 1134, currency: 'usd' } }),
      [{ type: 'amountchange', previous: 1134, current: 1234, currency: 'usd' }],
    ],
    [
      'a page that gave no client secret',
      loading,
      {
        status: 'load_failed',
        intent: null,
        replaces: null,
        feedback: nothing,
        failure: { kind: 'no_answer', reason: 'no_secret' },
        notBefore: 0,
      },
      [
        NO_TOTAL,
        {
          type: 'error',
          error: {
            code: 'no_secret',
            message: expect.stringContaining('fetchClientSecret'),
            recovery: 'retry',
          },
        },
      ],
    ],
    [
      'a read that was refused to a form that sent nothing: another tab may have paid',
      reloading(),
      blocked(refused(401, 'api_key_revoked')),
      [
        { type: 'error', error: { code: 'api_key_revoked', charged: 'unknown' } },
        { type: 'result', result: { outcome: 'failed', error: { charged: 'unknown' } } },
      ],
    ],
    [
      'the end of a wait that was asked for',
      reloading(),
      ready({ notice: { kind: 'throttle_over' }, previousTotal: null }),
      [],
    ],
    ['a form that became ready', loading, ready(), [TOTAL]],
    ['a step within a state', confirming, { ...confirming, slow: true }, []],
  ])('%s', (_, before, after, expected) => {
    const messages = createListener().hear(before, after);
    expect(messages).toMatchObject(expected);
    expect(messages).toHaveLength(expected.length);
    for (const message of messages) expect(FrameMessageSchema.safeParse(message).success).toBe(true);
  });

  it('hears "unknown", not "failed", where an earlier press got no answer and may still arrive', () => {
    const { hear: eventsOf } = createListener();
    eventsOf(confirming, { status: 'resolving', intent, polling });
    eventsOf(
      { status: 'resolving', intent, polling },
      ready({ notice: { kind: 'not_charged' }, previousTotal: null }),
    );
    const refusedLook: PaymentState = {
      status: 'resolving',
      intent,
      polling: { ...polling, reason: { kind: 'refused', error: refused(409, 'made_up') } },
    };
    eventsOf(confirming, refusedLook);
    expect(eventsOf(refusedLook, blocked(refused(409, 'made_up')))).toMatchObject([
      { type: 'error', error: { code: 'made_up', charged: 'unknown' } },
      { type: 'result', result: { outcome: 'unknown', reason: 'unresolved' } },
    ]);
  });

  describe('outcomes 2.4: charged says the same in the same situation', () => {
    const silent: PaymentState = { status: 'resolving', intent, polling };
    const readyAfter = (notice: Feedback['notice']) => ready({ notice, previousTotal: null });
    const chargedIn = (messages: readonly Message[]) =>
      messages.map((message) => ('error' in message ? message.error.charged : message.type));

    it.each<[string, PaymentState, PaymentState]>([
      ['402', reloading(), readyAfter({ kind: 'declined', error: refused(402, 'payment_method_declined') })],
      ['a decline that was only read', reloading(), readyAfter({ kind: 'declined', error: null })],
      [
        '409',
        reloading(),
        readyAfter({ kind: 'check_again', error: refused(409, 'payment_intent_updated') }),
      ],
      [
        '400',
        confirming,
        readyAfter({ kind: 'details_refused', error: refused(400, 'invalid_billing_details') }),
      ],
      ['another tab came before', reloading(), readyAfter({ kind: 'not_sent' })],
      ['the page failed', confirming, readyAfter({ kind: 'page_failed' })],
      [
        'missing order details',
        confirming,
        { status: 'blocked', intent, error: refused(400, 'payment_details_missing'), recoverable: true },
      ],
    ])('a press of this page got no answer, and then: %s', (_, before, now) => {
      const { hear: eventsOf } = createListener();
      expect(chargedIn(eventsOf(before, now))).toEqual(['no']);
      const { hear: told } = createListener();
      told(confirming, silent);
      expect(chargedIn(told(silent, readyAfter({ kind: 'not_charged' })))).toEqual(['no']);
      told(ready(), confirming);
      expect(chargedIn(told(before, now))).toEqual(['unknown']);
    });

    it('the press that got no answer was recorded as failed: it has arrived, and cannot charge any more', () => {
      const feedback: Feedback = { notice: { kind: 'declined', error: null }, previousTotal: null };
      const releasing: PaymentState = {
        status: 'releasing',
        intent,
        feedback,
        failures: 0,
        reads: 0,
        activity: 'reading',
      };
      const { hear: eventsOf } = createListener();
      for (const [before, now] of [
        [confirming, silent],
        [silent, releasing],
        [releasing, reloading(feedback)],
      ] as const) {
        eventsOf(before, now);
      }
      expect(chargedIn(eventsOf(reloading(feedback), ready(feedback)))).toEqual(['no']);
      expect(chargedIn(eventsOf(reloading(), readyAfter({ kind: 'not_sent' })))).toEqual(['no']);
    });

    it('the service counted an attempt and has not told that it is over: unknown', () => {
      const counted = {
        ...intent,
        confirmation_attempts: 1,
        attempt_in_progress: null,
        attemptsAreOver: false,
      };
      const now = { ...readyAfter({ kind: 'not_sent' }), intent: counted };
      expect(chargedIn(createListener().hear(reloading(), now))).toEqual(['unknown']);
    });

    it('outcomes 1.1: a 429 says nothing of an earlier delivery of the same confirm, until the intent was read', () => {
      const throttled: PaymentState = {
        status: 'throttled',
        intent,
        error: { retryAfter: 7, stated: true },
        until: 0,
        secondsLeft: 7,
      };
      const knowledge = createListener();
      for (const state of [loading, ready(), confirming, throttled]) knowledge.pass(state);
      expect(knowledge.charged()).toBe('unknown');
      for (const state of [reloading(), readyAfter({ kind: 'throttle_over' })]) knowledge.pass(state);
      expect(knowledge.charged()).toBe('no');
    });

    it('outcomes 1.1: a 401 to a confirm says nothing of an earlier delivery, and ends in `unknown`', () => {
      const now: PaymentState = {
        status: 'blocked',
        intent,
        error: refused(401, 'api_key_revoked'),
        recoverable: false,
      };
      expect(createListener().hear(confirming, now)).toMatchObject([
        {
          type: 'error',
          error: { code: 'api_key_revoked', charged: 'unknown', recovery: 'fix_integration' },
        },
        { type: 'result', result: { outcome: 'unknown', reason: 'unresolved' } },
      ]);
    });

    it('a press refused by the guard while a confirm is open does not deny a charge', () => {
      const knowledge = createListener();
      for (const state of [loading, ready(), confirming]) knowledge.pass(state);
      expect(knowledge.charged()).toBe('unknown');
      knowledge.pass({ status: 'succeeded', intent, shown: null });
      expect(knowledge.charged()).toBe('yes');
    });

    it('each press that another tab came before is told, so that a page that waits for it goes on', () => {
      const { hear: eventsOf } = createListener();
      const waiting: PaymentState = { status: 'waiting_for_tab', intent };
      const told = [0, 1].map(() => {
        const world = { now: 0, awake: true, canReplace: false, asksPage: false };
        const { state: reading } = transition(waiting, { type: 'other_tab_done' }, world);
        const { state: read } = transition(reading, { type: 'retrieved', intent }, world);
        return [...eventsOf(waiting, reading), ...eventsOf(reading, read)].map((message) => message.type);
      });
      expect(told).toEqual([['error'], ['error']]);
    });
  });

  describe('an intent that is over, where the page can give another', () => {
    const replaces: UnpaidEnd = { status: 'canceled', intent };
    const asking: PaymentState = { status: 'loading', replaces, failures: 0, activity: 'reading' };
    const failed: PaymentState = {
      status: 'load_failed',
      intent: null,
      replaces,
      feedback: nothing,
      failure: { kind: 'no_answer', reason: 'network' },
      notBefore: 0,
    };

    it('hears once that it is over, also if the other one could be read only at the second try', () => {
      const { hear: eventsOf } = createListener();
      eventsOf(loading, ready());
      expect(eventsOf(ready(), asking)).toHaveLength(1);
      expect(eventsOf(asking, failed)).toMatchObject([{ error: { code: 'network' } }]);
      expect(eventsOf(failed, { ...asking })).toEqual([]);
    });

    it('hears that the first one is over before it is asked for another, and never later', () => {
      const { hear: eventsOf } = createListener();
      expect(eventsOf(loading, asking)).toMatchObject([
        TOTAL,
        { type: 'error', error: { code: 'payment_intent_canceled', recovery: 'new_payment', charged: 'no' } },
      ]);
      expect(eventsOf(asking, { ...asking, activity: 'pausing' })).toEqual([]);
      eventsOf(asking, failed);
      expect(eventsOf(failed, { ...asking })).toEqual([]);
    });

    it('hears that one that nobody tried is over before `ready`, which has the total of the other', () => {
      const untried: PaymentState = { ...asking, replaces: { ...replaces, untried: true } };
      const { hear: eventsOf } = createListener();
      expect(eventsOf(loading, untried)).toMatchObject([
        { type: 'error', error: { code: 'payment_intent_canceled' } },
      ]);
      expect(eventsOf(untried, ready())).toEqual([TOTAL]);
    });
  });

  it('hears of a decline once, however often the form reads again', () => {
    const feedback: Feedback = { notice: { kind: 'declined', error: null }, previousTotal: null };
    const { hear: eventsOf } = createListener();
    expect(eventsOf(reloading(feedback), ready(feedback))).toHaveLength(1);
    expect(eventsOf(ready(feedback), reloading(feedback))).toHaveLength(0);
    expect(eventsOf(reloading(feedback), ready(feedback))).toHaveLength(0);
  });

  it('hears "failed" only with an answer of the service behind it, never after silence', () => {
    const silent: PaymentState[] = [
      { status: 'unknown', intent, polling, notBefore: null },
      { status: 'resolving', intent, polling },
      { status: 'processing', intent, polling },
      { status: 'destroyed' },
      {
        status: 'load_failed',
        intent,
        replaces: null,
        feedback: nothing,
        failure: { kind: 'no_answer', reason: 'timeout' },
        notBefore: 0,
      },
    ];
    for (const state of silent) {
      expect(JSON.stringify(createListener().hear(confirming, state))).not.toContain('"failed"');
    }
  });
});

describe('a page that broke a limit of the channel', () => {
  const error = (charged: string) => ({
    type: 'error',
    error: { code: 'protocol', charged, recovery: 'fix_integration' },
  });

  it.each<[PaymentState, string]>([
    [{ status: 'booting' }, 'unknown'],
    [loading, 'unknown'],
    [ready(), 'no'],
    [{ status: 'canceled', intent }, 'no'],
    [{ status: 'succeeded', intent, shown: null }, 'yes'],
    [{ status: 'unknown', intent, polling, notBefore: 0 }, 'unknown'],
    [blocked(refused(401, 'invalid_api_key')), 'no'],
    [blocked(refused(401, 'invalid_api_key'), false), 'unknown'],
  ])('hears of it in %o, where charged is %s', (state, charged) => {
    const knowledge = createListener();
    knowledge.pass(state);
    const message = afterProtocolViolation(knowledge.charged());
    expect(knowledge.isPaying()).toBe(false);
    expect(message).toMatchObject(error(charged));
    expect(FrameMessageSchema.safeParse(message).success).toBe(true);
  });

  it.each<PaymentState>([
    confirming,
    { status: 'waiting_for_tab', intent },
    { status: 'resolving', intent, polling },
    { status: 'processing', intent, polling },
    reloading(),
  ])('hears nothing of it while an attempt is under way: %o', (state) => {
    const knowledge = createListener();
    knowledge.pass(confirming, state);
    expect(knowledge.isPaying()).toBe(true);
  });
});
