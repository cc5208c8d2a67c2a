import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import type { CardFormStatus } from '../../channel/result.ts';
import {
  exampleConfirming as confirming,
  exampleIntent,
  examplePolling as polling,
} from '../../payment/payment.fixture.ts';
import { type PaymentState, PHASE } from '../../payment/payment-state.ts';
import { type Charged, NOTHING_TOLD } from '../../payment/told.ts';
import { followStatus, statusIn } from './payment-status.ts';

const intent = exampleIntent();
const feedback = { notice: null, previousTotal: null };
const ready: PaymentState = { status: 'ready', intent, feedback, readAt: 0, armedAt: 0 };
const loading: PaymentState = { status: 'loading', replaces: null, failures: 0, activity: 'reading' };
const asking: PaymentState = {
  status: 'asking_page',
  intent,
  shown: { amount: 1234, currency: 'usd' },
  allowed: false,
  activity: 'waiting',
};
const failed: PaymentState = {
  status: 'load_failed',
  intent: null,
  replaces: null,
  feedback,
  failure: { kind: 'no_answer', reason: 'network' },
  notBefore: 0,
};
const reloading = { ...ready, status: 'reloading', usedUpAt: null } as unknown as PaymentState;

const outcomeOf = (state: PaymentState, charged: Charged = 'no') =>
  statusIn(state, { charged, mayArrive: false })?.outcome ?? null;

describe('promises 1.13: what became of the payment', () => {
  it.each<[string, PaymentState, CardFormStatus['outcome'] | null]>([
    ['not read yet', loading, null],
    ['read again', reloading, null],
    ['read again while the page is asked', { ...asking, activity: 'reading' }, null],
    ['to be paid', ready, 'pending'],
    ['to be paid while the page is asked', asking, 'pending'],
    ['being paid', confirming, 'processing'],
    ['being paid elsewhere', { status: 'processing', intent, polling }, 'processing'],
    ['could not be read', failed, 'unknown'],
    ['could not be read again: what was read before may be old', { ...failed, intent }, 'unknown'],
    ['paid', { status: 'succeeded', intent, shown: null }, 'succeeded'],
    ['canceled', { status: 'canceled', intent } as PaymentState, 'canceled'],
    ['gone', { status: 'destroyed' }, null],
  ])('%s', (_, state, expected) => {
    expect(outcomeOf(state)).toBe(expected);
  });

  it('is pending only if nothing was charged', () => {
    const error = { retryAfter: 30, stated: true };
    const throttled: PaymentState = { status: 'throttled', intent, error, until: 30_000, secondsLeft: 30 };
    for (const state of [ready, asking, throttled]) {
      expect(outcomeOf(state, 'no')).toBe('pending');
      expect(outcomeOf(state, 'unknown')).toBe('unknown');
    }
  });

  it('is never pending while it may be under way', () => {
    for (const status of Object.keys(PHASE) as PaymentState['status'][]) {
      if (['confirming', 'unresolved', 'settling'].includes(PHASE[status]))
        expect(outcomeOf({ ...confirming, status, intent, polling } as unknown as PaymentState)).toBe(
          'processing',
        );
    }
  });
});

it('is reported once it has been read, and at each change, until the end', () => {
  const state = signal<PaymentState>(loading);
  const said: string[] = [];
  const end = followStatus({ state, told: signal(NOTHING_TOLD), charged: () => 'no' }, ({ outcome }) => {
    said.push(outcome);
  });
  expect(said).toEqual([]);
  state.value = ready;
  state.value = { ...ready, readAt: 5 };
  state.value = confirming;
  state.value = { status: 'succeeded', intent, shown: null };
  end();
  state.value = ready;
  expect(said).toEqual(['pending', 'processing', 'succeeded']);
});
