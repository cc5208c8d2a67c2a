import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../api/clock/clock.ts';
import { exampleConfirming, exampleIntent, examplePolling } from '../../payment/payment.fixture.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { followWait } from './waited.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const intent = exampleIntent();
const confirming = (): PaymentState => ({ ...exampleConfirming, sentAt: systemClock.now() });
const resolving = (startedAt: number): PaymentState => ({
  status: 'resolving',
  intent,
  polling: { ...examplePolling, startedAt },
});
const ready: PaymentState = {
  status: 'ready',
  intent,
  feedback: { notice: null, previousTotal: null },
  readAt: 0,
  armedAt: 0,
};

const setUp = (first: PaymentState) => {
  const state = signal(first);
  const ending = new AbortController();
  const passed = followWait(state, systemClock, ending.signal);
  const after = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    return passed.value;
  };
  return { state, ending, after };
};

it('outcomes 2.5: the times are 10, 30 and 60 s after the press', async () => {
  const { after } = setUp(confirming());
  expect(await after(9.9)).toBeNull();
  expect(await after(0.2)).toBe(10);
  expect(await after(19.8)).toBe(10);
  expect(await after(0.2)).toBe(30);
  expect(await after(30)).toBe(60);
  expect(vi.getTimerCount()).toBe(0);
});

it('they go on when the confirm got no answer and the form reads', async () => {
  const { state, after } = setUp(confirming());
  const pressedAt = systemClock.now();
  await after(25);
  state.value = resolving(pressedAt);
  expect(await after(0)).toBe(10);
  expect(await after(5.1)).toBe(30);
});

it('they restart with the next press, and no timer is left in between', async () => {
  const { state, after } = setUp(confirming());
  await after(35);
  state.value = ready;
  expect(await after(0)).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
  state.value = confirming();
  expect(await after(9)).toBeNull();
  expect(await after(2)).toBe(10);
});

it('outcomes I9: no timer is left when the form is removed', async () => {
  const { ending } = setUp(confirming());
  ending.abort();
  expect(vi.getTimerCount()).toBe(0);
});
