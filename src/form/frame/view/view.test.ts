import { describe, expect, it } from 'vitest';
import { exampleIntent, exampleRefusal, exampleState, STATUSES } from '../../payment/payment.fixture.ts';
import {
  type Feedback,
  NO_FEEDBACK,
  type Notice,
  type PaymentState,
  type UnpaidEnd,
} from '../../payment/payment-state.ts';
import type { Charged } from '../../payment/told.ts';
import type { View } from './form-view.ts';
import { laterView } from './later-view.ts';
import { fieldOfParam, view } from './view.ts';

const intent = exampleIntent();
const error = exampleRefusal();
const ready = (feedback: Partial<Feedback>) =>
  exampleState('ready', { feedback: { ...NO_FEEDBACK, ...feedback } });
const throttled = (retryAfter: number, secondsLeft: number) =>
  exampleState('throttled', { error: { retryAfter, stated: true }, secondsLeft });
const unknown = (different: { notBefore: number | null; secondsLeft?: number }) =>
  exampleState('unknown', different);

/** A view in one line. */
const summaryOf = (shown: View): string => {
  if (shown.screen === 'outcome') return `${shown.title.key} ${shown.action ?? '-'}`;
  const button =
    'message' in shown.action ? `${shown.action.kind} ${shown.action.message.key}` : shown.action.kind;
  const notices = shown.notices.map(({ message }) => message.key).join(' ') || '-';
  return `${button} | ${notices} | ${shown.locked ? 'locked' : 'open'}`;
};

describe('the view of each state', () => {
  it.each<[PaymentState['status'], string]>([
    ['booting', 'idle | - | open'],
    ['loading', 'idle | - | open'],
    ['load_failed', 'retry action.try_again | notice.load_failed | open'],
    ['ready', 'pay | - | open'],
    ['asking_page', 'busy pay.busy | notice.asking_store | locked'],
    ['confirming', 'busy pay.busy | notice.confirming | locked'],
    ['resolving', 'busy pay.busy | notice.still_confirming | locked'],
    ['releasing', 'busy pay.busy | notice.confirming | locked'],
    ['reloading', 'busy notice.loading | - | open'],
    ['throttled', 'idle | notice.throttled | open'],
    ['processing', 'notice.processing.title -'],
    ['succeeded', 'notice.succeeded -'],
    ['canceled', 'notice.canceled -'],
    ['exhausted', 'notice.exhausted -'],
    ['blocked', 'notice.unavailable -'],
    ['unknown', 'notice.unknown check_status'],
    ['destroyed', 'idle | - | open'],
  ])('%s: %s', (status, expected) => {
    expect(summaryOf(view(exampleState(status), true))).toBe(expected);
  });

  it('threat-model C54: only `ready` offers Pay, with the total of the intent', () => {
    for (const [status, state] of STATUSES.map((status) => [status, exampleState(status)] as const)) {
      const shown = view(state, true);
      const pays = shown.screen === 'form' && shown.action.kind === 'pay';
      expect(pays, status).toBe(status === 'ready');
    }
    expect(view(ready({}), true)).toMatchObject({
      action: { kind: 'pay', total: { amount: 1234, currency: 'usd' } },
    });
  });

  it('only `succeeded` says "Payment received", with the amount the service charged', () => {
    for (const status of STATUSES) {
      expect(JSON.stringify(view(exampleState(status), true)).includes('notice.succeeded'), status).toBe(
        status === 'succeeded',
      );
    }
    expect(view(exampleState('succeeded'), true)).toMatchObject({
      details: [{ values: { amount: { amount: 1234, currency: 'usd' } } }],
    });
  });

  it('outcomes 2.7: Pay is offered even while the browser reports that it is offline', () => {
    expect(summaryOf(view(ready({}), false))).toBe('pay | notice.offline | open');
    expect(summaryOf(view(exampleState('load_failed'), false))).toBe(
      'retry action.try_again | notice.offline | open',
    );
  });
});

describe('the notices before the next press', () => {
  it('a changed total is shown with both amounts', () => {
    const shown = view(ready({ previousTotal: { amount: 1134, currency: 'usd' } }), true);
    expect(shown).toMatchObject({
      notices: [
        {
          message: {
            key: 'notice.total_changed',
            values: {
              previous: { amount: 1134, currency: 'usd' },
              current: { amount: 1234, currency: 'usd' },
            },
          },
        },
      ],
    });
  });

  it('a finished intent shows its total until the next one is read, and why the card is needed again, if it was tried', () => {
    const views = ([undefined, true] as const).map((untried) => {
      const flag = untried && { untried };
      const replaces: UnpaidEnd = { status: 'canceled', intent, ...flag };
      const loading = exampleState('loading', { replaces });
      const notice: Notice = { kind: 'started_over', ...flag };
      return [view(loading, true), view(ready({ notice, previousTotal: null }), true)];
    });
    expect(views).toMatchObject([
      [{ intent }, { notices: [{ message: { key: 'notice.started_over' } }] }],
      [{ intent: null }, { notices: [] }],
    ]);
  });

  it('a decline and a changed total are both shown', () => {
    const notice = { kind: 'declined', error } as const;
    const shown = view(ready({ notice, previousTotal: { amount: 1, currency: 'eur' } }), true);
    expect(summaryOf(shown)).toBe('pay | decline.generic notice.total_changed | open');
  });

  it.each([
    ['insufficient_funds', 'decline.insufficient_funds', 'number'],
    ['incorrect_cvc', 'decline.incorrect_cvc', 'cvc'],
    ['expired_card', 'decline.expired_card', 'expiry'],
    ['invalid_expiry_year', 'decline.incorrect_expiry', 'expiry'],
    ['incorrect_zip', 'decline.incorrect_address', 'number'],
    ['lost_card', 'decline.generic', 'number'],
    ['stolen_card', 'decline.generic', 'number'],
    ['fraudulent', 'decline.generic', 'number'],
    [null, 'decline.generic', 'number'],
  ])('decline code %s shows %s and focuses %s', (declineCode, key, field) => {
    const shown = view(ready({ notice: { kind: 'declined', error: { ...error, declineCode } } }), true);
    expect(shown).toMatchObject({ fieldToFix: field, notices: [{ tone: 'bad', message: { key } }] });
  });

  it.each([
    ['billing_details.email', 'email'],
    ['billing_details.name', 'name'],
    ['billing_details.address.line1', 'line1'],
    ['billing_details.address.line2', 'line2'],
    ['billing_details.address.city', 'city'],
    ['billing_details.address.state', 'state'],
    ['billing_details.address.postal_code', 'postal_code'],
    ['billing_details.address.country', 'country'],
    ['card.number', 'number'],
    ['card.exp_month', 'expiry'],
    ['card.exp_year', 'expiry'],
    ['card.cvc', 'cvc'],
    ['billing_details.shoe_size', null],
    ['constructor', null],
    ['__proto__', null],
    [null, null],
  ])('44: the refused param %s focuses the field %s', (param, field) => {
    expect(fieldOfParam(param)).toBe(field);
    const notice = { kind: 'details_refused', error: { ...error, param } } as const;
    const shown = view(ready({ notice }), true);
    // A param without a field gets a notice at the button instead.
    expect(summaryOf(shown)).toBe(`pay | ${field ? '-' : 'notice.details_refused'} | open`);
    expect(shown).toMatchObject({ fieldToFix: field });
  });

  it.each([
    ['card.cvc', null, 'cvc'],
    ['card.exp_year', 'insufficient_funds', 'expiry'],
    [null, 'incorrect_cvc', 'cvc'],
    ['card', 'incorrect_cvc', 'cvc'],
    [null, null, 'number'],
  ] as const)(
    'a decline with param %s and decline_code %s focuses the field %s and marks none',
    (param, declineCode, fieldToFix) => {
      const notice = { kind: 'declined', error: { ...error, param, declineCode } } as const;
      const shown = view(ready({ notice }), true);
      expect(shown).toMatchObject({ fieldToFix, notices: [{ tone: 'bad' }] });
    },
  );

  it('contract 3.5: a payment that lacks details says so before anything is typed, above the fields', () => {
    const withMissing = (missing_details: string[] | null) =>
      exampleState('ready', { intent: { ...intent, missing_details } });
    expect(view(withMissing(['buyer']), true)).toMatchObject({
      noticesFirst: true,
      locked: false,
      notices: [{ tone: 'bad', message: { key: 'notice.unavailable' } }],
      action: { kind: 'pay' }, // the merchant's server may have added it since
    });
    for (const missing of [null, []]) {
      expect(view(withMissing(missing), true)).toMatchObject({ noticesFirst: false, notices: [] });
    }
  });

  it('contract 4.6: with no attempt left nothing can be typed while it is read again, and the decline stays', () => {
    const notice = { kind: 'declined', error } as const;
    const feedback = { notice, previousTotal: null };
    const state = exampleState('reloading', { feedback, usedUpAt: 0, activity: 'pausing' });
    expect(view(state, true)).toMatchObject({
      locked: true,
      notices: [{ tone: 'bad' }],
      action: { kind: 'busy', message: { key: 'notice.loading' } },
    });
  });

  it.each([
    ['Sold out.', 'Sold out.'],
    [null, undefined],
  ])(
    'promises 1.10: a press that the page refused with %j shows that sentence, or the form’s own',
    (message, text) => {
      const shown = view(ready({ notice: { kind: 'page_refused', message } }), true);
      expect(shown).toMatchObject({
        notices: [{ tone: 'bad', message: { key: 'notice.order_refused' }, text }],
      });
    },
  );

  it('promises 1.10: a page that gave no answer is not an order that was refused', () => {
    expect(summaryOf(view(ready({ notice: { kind: 'page_failed' } }), true))).toBe(
      'pay | notice.store_silent | open',
    );
  });

  it('a wait counts down on the screen and is announced once', () => {
    expect(view(throttled(125, 9), true)).toMatchObject({
      notices: [
        {
          tone: 'info',
          message: { values: { time: { seconds: 9 } } },
          announcement: { values: { time: { seconds: 125 } } },
        },
      ],
    });
  });

  it('after a wait of more than an hour the buyer has to try again', () => {
    expect(summaryOf(view(throttled(7200, 0), true))).toBe(
      'retry action.try_again | notice.throttle_over | open',
    );
    expect(summaryOf(view(throttled(7200, 7200), true))).toMatch(/^idle/);
  });

  it('the end of a wait is shown, unless the total has changed in the meantime', () => {
    const notice: Notice = { kind: 'throttle_over' };
    const previousTotal = { amount: 1, currency: 'usd' } as const;
    expect(summaryOf(view(ready({ notice }), true))).toBe('pay | notice.throttle_over | open');
    expect(summaryOf(view(ready({ notice, previousTotal }), true))).toBe('pay | notice.total_changed | open');
  });

  it('who asks more than an hour too early reads how long it will take', () => {
    expect(view(exampleState('load_failed', { secondsLeft: 7200 }), true)).toMatchObject({
      action: { kind: 'retry' },
      notices: [{ message: { key: 'notice.throttled', values: { time: { seconds: 7200 } } } }],
    });
    expect(view(unknown({ notBefore: 7_200_000, secondsLeft: 7200 }), true)).toMatchObject({
      title: { key: 'notice.unknown' },
      details: [{ key: 'notice.throttled', values: { time: { seconds: 7200 } } }],
      action: 'check_status',
    });
  });

  it('the end after the last decline says that it was one', () => {
    expect(view(exampleState('exhausted', { declined: true }), true)).toMatchObject({
      title: { key: 'notice.exhausted' },
      details: [{ key: 'notice.declined' }, { key: 'end.not_charged' }],
    });
  });

  it.each<[string, PaymentState, Charged, string]>([
    ['succeeded', exampleState('succeeded'), 'yes', 'notice.succeeded success.detail'],
    ['canceled', exampleState('canceled'), 'no', 'notice.canceled end.not_charged'],
    ['exhausted', exampleState('exhausted'), 'no', 'notice.exhausted end.not_charged'],
    ['blocked', exampleState('blocked'), 'no', 'notice.unavailable end.not_charged'],
    ['blocked after a press', exampleState('blocked'), 'unknown', 'notice.unavailable end.maybe_charged'],
    [
      'blocked at the first read',
      exampleState('blocked', { intent: null }),
      'unknown',
      'notice.unavailable end.not_sent',
    ],
    ['unknown', exampleState('unknown'), 'unknown', 'notice.unknown'],
  ])('every end says whether money moved: %s', (_, state, charged, expected) => {
    const shown = view(state, true, charged);
    if (shown.screen !== 'outcome') throw new Error(shown.screen);
    expect([shown.title, ...shown.details].map(({ key }) => key).join(' ')).toBe(expected);
  });

  it('an outcome that the service refuses to report cannot be checked again', () => {
    expect(view(unknown({ notBefore: null }), true)).toMatchObject({
      action: null,
    });
  });
});

describe('outcomes 2.5: the words of a wait', () => {
  const keys = (shown: View) =>
    shown.screen === 'form' ? shown.notices.map(({ message }) => message.key) : [];

  it.each(['confirming', 'resolving'] as const)(
    'change 10, 30 and 60 s after the press while %s',
    (status) => {
      const shown = view(exampleState(status), true);
      expect(laterView(shown, null)).toBe(shown);
      expect(keys(laterView(shown, 10))).toEqual(['notice.still_confirming.10']);
      expect(keys(laterView(shown, 30))).toEqual(['notice.still_confirming.30']);
      expect(keys(laterView(shown, 60))).toEqual(['notice.still_confirming.60']);
    },
  );

  it.each(['ready', 'throttled', 'asking_page', 'succeeded'] as const)('of %s do not', (status) => {
    const shown = view(exampleState(status), true);
    expect(laterView(shown, 60)).toEqual(shown);
  });
});
