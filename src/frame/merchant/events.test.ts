import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../api/errors.ts';
import { FrameMessage } from '../../channel/messages.ts';
import {
  exampleConfirming as confirming,
  exampleIntent,
  examplePolling as polling,
} from '../../payment/payment.fixture.ts';
import type { Feedback, PaymentState } from '../../payment/payment-state.ts';
import { afterProtocolViolation, createMerchantEvents } from './events.ts';

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
        { type: 'error', error: { code: 'rate_limited', retryAfter: 7, charged: 'no', recovery: 'wait' } },
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
      [{ type: 'processing', pressed: false }],
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
      loading,
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
    ['a form that became ready', loading, ready(), []],
    ['a step within a state', confirming, { ...confirming, slow: true }, []],
  ])('%s', (_, before, after, expected) => {
    const messages = createMerchantEvents()(before, after);
    expect(messages).toMatchObject(expected);
    expect(messages).toHaveLength(expected.length);
    for (const message of messages) expect(FrameMessage.safeParse(message).success).toBe(true);
  });

  it('hears "unknown", not "failed", where an earlier press got no answer and may still arrive', () => {
    const eventsOf = createMerchantEvents();
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

  it('hears of a decline once, however often the form reads again', () => {
    const feedback: Feedback = { notice: { kind: 'declined', error: null }, previousTotal: null };
    const eventsOf = createMerchantEvents();
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
      expect(JSON.stringify(createMerchantEvents()(confirming, state))).not.toContain('"failed"');
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
    const message = afterProtocolViolation(state);
    expect(message).toMatchObject(error(charged));
    expect(FrameMessage.safeParse(message).success).toBe(true);
  });

  it.each<PaymentState>([
    confirming,
    { status: 'waiting_for_tab', intent },
    { status: 'resolving', intent, polling },
    { status: 'processing', intent, polling },
    reloading(),
  ])('hears nothing of it while an attempt is under way: %o', (state) => {
    expect(afterProtocolViolation(state)).toBeNull();
  });
});
