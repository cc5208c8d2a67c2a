// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PaymentEvent } from '../../payment/payment-state.ts';
import { createLifecycle } from './lifecycle.ts';

let now = 0;
let ending: AbortController;

beforeEach(() => {
  now = 0;
  ending = new AbortController();
});
afterEach(() => {
  ending.abort();
  vi.restoreAllMocks();
});

const browserSays = (isOnline: boolean, isHidden = false) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
};

const start = () => {
  const heard: PaymentEvent[] = [];
  const lifecycle = createLifecycle(() => now, ending.signal);
  lifecycle.listen((event) => heard.push(event), ending.signal);
  return { lifecycle, heard };
};

it('outcomes 2.7: "offline" keeps no page from reading; only a hidden one rests', () => {
  browserSays(false);
  const { lifecycle } = start();
  expect([lifecycle.online.value, lifecycle.isAwake()]).toEqual([false, true]);
  browserSays(true, true);
  expect(lifecycle.isAwake()).toBe(false);
});

it('outcomes 2.7: an answer proves "offline" wrong, until the browser says it again', () => {
  browserSays(false);
  const { lifecycle } = start();
  lifecycle.online.value = true;
  document.dispatchEvent(new Event('visibilitychange'));
  expect(lifecycle.online.value).toBe(true);
  window.dispatchEvent(new Event('offline'));
  expect(lifecycle.online.value).toBe(false);
});

it('outcomes 2.7: reads at once when the browser is online again', () => {
  browserSays(true);
  const { heard } = start();
  browserSays(false);
  window.dispatchEvent(new Event('offline'));
  now = 5000;
  browserSays(true);
  window.dispatchEvent(new Event('online'));
  expect(heard).toEqual([{ type: 'woke', gap: 5000 }]);
});

it('outcomes 2.7: hidden and offline: awake when both are over', () => {
  browserSays(true, true);
  const { heard } = start();
  browserSays(false, true);
  window.dispatchEvent(new Event('offline'));
  browserSays(false);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(heard).toEqual([]);
  browserSays(true);
  now = 9000;
  window.dispatchEvent(new Event('online'));
  expect(heard).toEqual([{ type: 'woke', gap: 9000 }]);
});
