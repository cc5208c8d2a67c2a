import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../api/errors.ts';
import { FrameMessageSchema } from '../../channel/frame-messages.fixture.ts';
import type { FrameMessage as Message } from '../../channel/messages.ts';
import type { CardFormError } from '../../channel/result.ts';
import {
  exampleIntent,
  examplePolling,
  exampleRefusal,
  exampleState,
} from '../../payment/payment.fixture.ts';
import {
  type Feedback,
  NO_FEEDBACK,
  type PaymentState,
  type UnpaidEnd,
} from '../../payment/payment-state.ts';
import { transition } from '../../payment/transition.ts';
import { brokenProtocol } from './events.ts';
import { createListener } from './page.fixture.ts';

const intent = exampleIntent();
const refused = (status: number, code: string, declineCode: string | null = null): Refusal =>
  exampleRefusal({ status, code, declineCode });
const loading = exampleState('loading');
const confirming = exampleState('confirming');
const silent = exampleState('resolving');
const failed = exampleState('load_failed');
const ready = (feedback: Feedback = NO_FEEDBACK) => exampleState('ready', { feedback });
const readyAfter = (notice: Feedback['notice']) => ready({ notice, previousTotal: null });
const reloading = (feedback: Feedback = NO_FEEDBACK) => exampleState('reloading', { feedback });
const blocked = (error: Refusal, known = true) =>
  exampleState('blocked', { intent: known ? intent : null, error });

const errorOf = (error: CardFormError) =>
  [error.code, error.decline_code, error.retryAfter, error.charged, error.recovery].filter(Boolean).join(' ');
/** A message to the page, in one line. */
const lineOf = (message: Message): string => {
  if (message.type === 'error' || message.type === 'decline')
    return `${message.type} ${errorOf(message.error)}`;
  if (message.type === 'ready') return `ready ${message.amountTotal} ${message.currency}`;
  if (message.type === 'processing') return `processing ${message.pressed}`;
  if (message.type === 'ratelimited') return `ratelimited ${message.retryAfter}`;
  if (message.type === 'amountchange')
    return `amountchange ${message.previous} ${message.current} ${message.currency}`;
  if (message.type !== 'result') return message.type;
  const { result } = message;
  if (result.outcome === 'failed') return `result failed ${errorOf(result.error)}`;
  return result.outcome === 'unknown' ? `result unknown ${result.reason}` : `result ${result.outcome}`;
};

const NO_TOTAL = { type: 'ready', amountTotal: null, currency: null };
const TOTAL = { type: 'ready', amountTotal: 1234, currency: 'usd' };

describe('ready: the buyer can type, and the first read has ended', () => {
  it.each<[string, PaymentState, object]>([
    ['the total of a payment that can be paid', ready(), TOTAL],
    ['the total that is shown while an earlier attempt is released', exampleState('releasing'), TOTAL],
    ['no total after a read that failed', failed, NO_TOTAL],
    [
      'no total after a read that failed and is sent again',
      { ...loading, failures: 1, activity: 'pausing' },
      NO_TOTAL,
    ],
    ['no total while the service has the form wait', { ...loading, activity: 'pausing' }, NO_TOTAL],
    ['no total of a payment that is being processed', exampleState('processing'), NO_TOTAL],
    ['no total of a payment that succeeded before', exampleState('succeeded'), NO_TOTAL],
    ['no total of a canceled payment', exampleState('canceled'), NO_TOTAL],
    ['no total of a payment without attempts', exampleState('exhausted'), NO_TOTAL],
    ['no total of a form that is blocked', blocked(refused(401, 'invalid_api_key'), false), NO_TOTAL],
    ['no total of a payment that nobody knows', exampleState('unknown'), NO_TOTAL],
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

describe('events for the merchant', () => {
  const replaces = {
    status: 'exhausted',
    intent,
    error: refused(400, 'payment_intent_not_pending'),
  } as const;
  const previousTotal = { amount: 1134, currency: 'usd' } as const;
  const blame = (code: string) => exampleState('blocked', { error: refused(400, code), recoverable: true });

  /** State before, state after, and the message: an error's code (or its type if it has none), charged and recovery. */
  it.each<[string, PaymentState, PaymentState, ...string[]]>([
    ['a press', ready(), confirming, 'processing true'],
    [
      'a decline',
      reloading(),
      readyAfter({ kind: 'declined', error: refused(402, 'payment_method_declined', 'expired_card') }),
      'decline payment_method_declined expired_card no use_other_card',
    ],
    [
      'a decline whose answer was lost',
      reloading(),
      readyAfter({ kind: 'declined', error: null }),
      'decline payment_failed no use_other_card',
    ],
    ['a changed total', reloading(), ready({ notice: null, previousTotal }), 'amountchange 1134 1234 usd'],
    [
      'refused details',
      confirming,
      readyAfter({ kind: 'details_refused', error: refused(400, 'invalid_billing_details') }),
      'error invalid_billing_details no fix_input',
    ],
    ['nothing recorded after silence', silent, readyAfter({ kind: 'not_charged' }), 'error network no retry'],
    [
      'a rate limit',
      confirming,
      exampleState('throttled'),
      'ratelimited 7',
      'error rate_limited 7 unknown wait',
    ],
    ['success', confirming, exampleState('succeeded'), 'result succeeded'],
    [
      'success with another amount than shown',
      confirming,
      exampleState('succeeded', { shown: { amount: 1, currency: 'usd' } }),
      'error amount_mismatch yes contact_merchant',
      'result succeeded',
    ],
    ['tries used up', silent, { ...replaces }, 'result failed payment_intent_not_pending no new_payment'],
    [
      'a wrong key, before anything was read',
      loading,
      blocked(refused(401, 'invalid_api_key'), false),
      'ready null null',
      'error invalid_api_key unknown fix_integration',
      'result failed invalid_api_key unknown fix_integration',
    ],
    [
      'missing order details, which the merchant can add',
      confirming,
      blame('payment_details_missing'),
      'error payment_details_missing no fix_integration',
    ],
    ['an outcome nobody could learn', silent, exampleState('unknown'), 'result unknown unresolved'],
    [
      'a payment found processing',
      loading,
      exampleState('processing'),
      'ready null null',
      'processing false',
    ],
    [
      'a press that another tab came before',
      reloading(),
      readyAfter({ kind: 'not_sent' }),
      'error payment_in_progress no retry',
    ],
    [
      'an intent without attempts, in place of which the page is asked for another',
      silent,
      { ...loading, replaces },
      'error payment_intent_not_pending no new_payment',
    ],
    [
      'a canceled intent, in place of which the page is asked for another',
      ready(),
      { ...loading, replaces: { status: 'canceled', intent } },
      'error payment_intent_canceled no new_payment',
    ],
    [
      'the other intent, ready at another total',
      { ...loading, failures: 1 },
      ready({ notice: { kind: 'started_over' }, previousTotal }),
      'amountchange 1134 1234 usd',
    ],
    [
      'a page that gave no client secret',
      loading,
      { ...failed, failure: { kind: 'no_answer', reason: 'no_secret' } },
      'ready null null',
      'error no_secret unknown retry',
    ],
    [
      'a read that was refused to a form that sent nothing: another tab may have paid',
      reloading(),
      blocked(refused(401, 'api_key_revoked')),
      'error api_key_revoked unknown fix_integration',
      'result failed api_key_revoked unknown fix_integration',
    ],
    ['the end of a wait that was asked for', reloading(), readyAfter({ kind: 'throttle_over' })],
    ['a form that became ready', loading, ready(), 'ready 1234 usd'],
    ['a step within a state', confirming, { ...confirming, slow: true }],
  ])('%s', (_, before, after, ...expected) => {
    const messages = createListener().hear(before, after);
    expect(messages.map(lineOf)).toEqual(expected);
    for (const message of messages) expect(FrameMessageSchema.safeParse(message).success).toBe(true);
  });

  it('are "unknown", not "failed", if an earlier press got no answer and may still arrive', () => {
    const { hear: eventsOf } = createListener();
    eventsOf(confirming, silent);
    eventsOf(silent, readyAfter({ kind: 'not_charged' }));
    const refusedLook = exampleState('resolving', {
      polling: { ...examplePolling, reason: { kind: 'refused', error: refused(409, 'made_up') } },
    });
    eventsOf(confirming, refusedLook);
    expect(eventsOf(refusedLook, blocked(refused(409, 'made_up')))).toMatchObject([
      { type: 'error', error: { code: 'made_up', charged: 'unknown' } },
      { type: 'result', result: { outcome: 'unknown', reason: 'unresolved' } },
    ]);
  });

  describe('outcomes 2.4: charged says the same in the same situation', () => {
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
        exampleState('blocked', { error: refused(400, 'payment_details_missing'), recoverable: true }),
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
      const releasing = exampleState('releasing', { feedback });
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

    it('the service counted an attempt and did not report its end: unknown', () => {
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
      const knowledge = createListener();
      for (const state of [loading, ready(), confirming, exampleState('throttled')]) knowledge.pass(state);
      expect(knowledge.charged()).toBe('unknown');
      for (const state of [reloading(), readyAfter({ kind: 'throttle_over' })]) knowledge.pass(state);
      expect(knowledge.charged()).toBe('no');
    });

    it('outcomes 1.1: a 401 to a confirm says nothing of an earlier delivery, and ends in `unknown`', () => {
      const told = createListener().hear(confirming, blocked(refused(401, 'api_key_revoked')));
      expect(told.map(lineOf)).toEqual([
        'error api_key_revoked unknown fix_integration',
        'result unknown unresolved',
      ]);
    });

    it('a press refused by the guard while a confirm is open does not deny a charge', () => {
      const knowledge = createListener();
      for (const state of [loading, ready(), confirming]) knowledge.pass(state);
      expect(knowledge.charged()).toBe('unknown');
      knowledge.pass(exampleState('succeeded'));
      expect(knowledge.charged()).toBe('yes');
    });

    it('each press overtaken by another tab is reported, so that a waiting page can continue', () => {
      const { hear: eventsOf } = createListener();
      const waiting = exampleState('waiting_for_tab');
      const told = [0, 1].map(() => {
        const world = { now: 0, awake: true, canReplace: false, asksPage: false };
        const { state: reading } = transition(waiting, { type: 'other_tab_done' }, world);
        const { state: read } = transition(reading, { type: 'retrieved', intent }, world);
        return [...eventsOf(waiting, reading), ...eventsOf(reading, read)].map((message) => message.type);
      });
      expect(told).toEqual([['error'], ['error']]);
    });
  });

  describe('a finished intent, if the page can provide another one', () => {
    const replaces: UnpaidEnd = { status: 'canceled', intent };
    const asking = exampleState('loading', { replaces });
    const failed = exampleState('load_failed', { replaces });

    it('is reported once, even if the other one can be read only at the second attempt', () => {
      const { hear: eventsOf } = createListener();
      eventsOf(loading, ready());
      expect(eventsOf(ready(), asking)).toHaveLength(1);
      expect(eventsOf(asking, failed)).toMatchObject([{ error: { code: 'network' } }]);
      expect(eventsOf(failed, { ...asking })).toEqual([]);
    });

    it('is reported before the page is asked for another one, and never later', () => {
      const { hear: eventsOf } = createListener();
      expect(eventsOf(loading, asking)).toMatchObject([
        TOTAL,
        { type: 'error', error: { code: 'payment_intent_canceled', recovery: 'new_payment', charged: 'no' } },
      ]);
      expect(eventsOf(asking, { ...asking, activity: 'pausing' })).toEqual([]);
      eventsOf(asking, failed);
      expect(eventsOf(failed, { ...asking })).toEqual([]);
    });

    it('that was never tried is reported before `ready`, which has the total of the other one', () => {
      const untried: PaymentState = { ...asking, replaces: { ...replaces, untried: true } };
      const { hear: eventsOf } = createListener();
      expect(eventsOf(loading, untried)).toMatchObject([
        { type: 'error', error: { code: 'payment_intent_canceled' } },
      ]);
      expect(eventsOf(untried, ready())).toEqual([TOTAL]);
    });
  });

  it('have one decline, however often the form reads again', () => {
    const feedback: Feedback = { notice: { kind: 'declined', error: null }, previousTotal: null };
    const { hear: eventsOf } = createListener();
    expect(eventsOf(reloading(feedback), ready(feedback))).toHaveLength(1);
    expect(eventsOf(ready(feedback), reloading(feedback))).toHaveLength(0);
    expect(eventsOf(reloading(feedback), ready(feedback))).toHaveLength(0);
  });

  it('are "failed" only after an answer of the service, never after silence', () => {
    const quiet = (['unknown', 'resolving', 'processing', 'destroyed', 'load_failed'] as const).map(
      (status) => exampleState(status),
    );
    for (const state of quiet) {
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
    [exampleState('booting'), 'unknown'],
    [loading, 'unknown'],
    [ready(), 'no'],
    [exampleState('canceled'), 'no'],
    [exampleState('succeeded'), 'yes'],
    [exampleState('unknown'), 'unknown'],
    [blocked(refused(401, 'invalid_api_key')), 'no'],
    [blocked(refused(401, 'invalid_api_key'), false), 'unknown'],
  ])('receives an error in %o, with charged %s', (state, charged) => {
    const knowledge = createListener();
    knowledge.pass(state);
    const message = { type: 'error', error: brokenProtocol(knowledge.charged()) };
    expect(knowledge.isPaying()).toBe(false);
    expect(message).toMatchObject(error(charged));
    expect(FrameMessageSchema.safeParse(message).success).toBe(true);
  });

  it.each<PaymentState>([
    confirming,
    exampleState('waiting_for_tab'),
    silent,
    exampleState('processing'),
    reloading(),
  ])('receives no error while an attempt is under way: %o', (state) => {
    const knowledge = createListener();
    knowledge.pass(confirming, state);
    expect(knowledge.isPaying()).toBe(true);
  });
});
