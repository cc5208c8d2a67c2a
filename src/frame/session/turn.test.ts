import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { exampleIntent, examplePolling as polling } from '../../payment/payment.fixture.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import type { Tabs } from './tabs.ts';
import { keepTurn } from './turn.ts';

const intent = exampleIntent();
const feedback = { notice: null, previousTotal: null };
const error = {
  kind: 'refused',
  status: 400,
  code: 'payment_intent_not_pending',
  type: 'invalid_request_error',
  message: '',
  param: null,
  declineCode: null,
} as const;

const following = (state: PaymentState) => {
  const current = signal<PaymentState>({
    status: 'confirming',
    intent,
    shown: { amount: 1234, currency: 'usd' },
    sentAt: 0,
    slow: false,
    reads: 0,
    readAt: 0,
    activity: 'pausing',
  });
  const tabs = {
    take: vi.fn(),
    leave: vi.fn(),
    queue: vi.fn(),
    tell: vi.fn(),
    close: vi.fn(),
  } satisfies Tabs;
  keepTurn({ state: current, send: () => {} }, tabs);
  expect(tabs.leave).not.toHaveBeenCalled();
  current.value = state;
  return { left: tabs.leave.mock.calls.length > 0, told: tabs.tell.mock.calls.flat() };
};

describe('2.7, second tab: the turn', () => {
  it.each<PaymentState>([
    { status: 'resolving', intent, polling },
    { status: 'processing', intent, polling },
    { status: 'releasing', intent, feedback, failures: 0, reads: 0, activity: 'reading' },
    { status: 'reloading', intent, feedback, failures: 0, again: false, reads: 0, activity: 'reading' },
  ])('is kept while the attempt is under way: $status', (state) => {
    expect(following(state)).toEqual({ left: false, told: [] });
  });

  it.each<PaymentState>([
    { status: 'ready', intent, feedback, readAt: 0, armedAt: 0 },
    { status: 'unknown', intent, polling, notBefore: 0 },
    { status: 'blocked', intent, error, recoverable: false },
    { status: 'destroyed' },
  ])('is given back when nothing is under way any more: $status', (state) => {
    expect(following(state)).toEqual({ left: true, told: [] });
  });

  it.each<PaymentState>([
    { status: 'succeeded', intent, shown: null },
    { status: 'canceled', intent },
    { status: 'exhausted', intent, error },
    { status: 'loading', replaces: { status: 'exhausted', intent, error }, failures: 0, activity: 'reading' },
  ])('is given back at the end of the intent, and the other tabs are told: $status', (state) => {
    expect(following(state)).toEqual({ left: true, told: [intent.id] });
  });
});
