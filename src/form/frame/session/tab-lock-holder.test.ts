import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import {
  exampleConfirming as confirming,
  exampleIntent,
  examplePolling as polling,
} from '../../payment/payment.fixture.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { holdTabLock } from './tab-lock-holder.ts';

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
  const current = signal<PaymentState>(confirming);
  const lock = { release: vi.fn(), announceEnd: vi.fn() };
  holdTabLock(current, lock);
  expect(lock.release).not.toHaveBeenCalled();
  current.value = state;
  return { released: lock.release.mock.calls.length > 0, announced: lock.announceEnd.mock.calls.flat() };
};

describe('outcomes 2.7, second tab: the lock', () => {
  it.each<PaymentState>([
    { status: 'resolving', intent, polling },
    { status: 'processing', intent, polling },
    { status: 'releasing', intent, feedback, failures: 0, reads: 0, activity: 'reading' },
    {
      status: 'reloading',
      intent,
      feedback,
      failures: 0,
      again: false,
      usedUpAt: null,
      reads: 0,
      activity: 'reading',
    },
  ])('is held while the attempt is under way: $status', (state) => {
    expect(following(state)).toEqual({ released: false, announced: [] });
  });

  it.each<PaymentState>([
    { status: 'ready', intent, feedback, readAt: 0, armedAt: 0 },
    { status: 'unknown', intent, polling, notBefore: 0 },
    { status: 'blocked', intent, error, recoverable: false },
    { status: 'destroyed' },
  ])('is released when nothing is under way any more: $status', (state) => {
    expect(following(state)).toEqual({ released: true, announced: [] });
  });

  it.each<PaymentState>([
    { status: 'succeeded', intent, shown: null },
    { status: 'canceled', intent },
    { status: 'exhausted', intent, error },
    { status: 'loading', replaces: { status: 'exhausted', intent, error }, failures: 0, activity: 'reading' },
  ])('is given back at the end of the intent, and the other tabs are announced: $status', (state) => {
    expect(following(state)).toEqual({ released: true, announced: [intent.id] });
  });
});
