/** Turns document lifecycle events into payment events (outcomes 2.7). The payment is correct without them, too. */
import { signal as createSignal, type Signal } from '@preact/signals-core';
import type { PaymentEvent } from '../../payment/payment-state.ts';

export type Lifecycle = {
  /** The browser's value, until an answer disproves it: whoever gets one sets it. For wording only, never a lock. */
  online: Signal<boolean>;
  /** True if the document is visible. */
  isAwake(): boolean;
  /** Sends `woke` and `restored` until `signal` aborts, starting with those that already happened. */
  listen(send: (event: PaymentEvent) => void, signal: AbortSignal): void;
};

/** Follows this document until `signal` aborts. `now` in monotonic ms. */
export const createLifecycle = (now: () => number, signal: AbortSignal): Lifecycle => {
  const online = createSignal(navigator.onLine);
  const isAwake = () => !document.hidden;
  let asleepSince: number | null = null;

  let held: readonly PaymentEvent[] = [];
  let send = (event: PaymentEvent) => {
    held = [...held, event];
  };

  const update = () => {
    if (!(isAwake() && online.peek())) {
      asleepSince ??= now();
      return;
    }
    if (asleepSince === null) return;
    const gap = now() - asleepSince;
    asleepSince = null;
    send({ type: 'woke', gap });
  };
  const ask = () => {
    online.value = navigator.onLine;
  };
  online.subscribe(update);
  document.addEventListener('visibilitychange', update, { signal });
  document.addEventListener('resume', update, { signal });
  window.addEventListener('online', ask, { signal });
  window.addEventListener('offline', ask, { signal });
  window.addEventListener(
    'pageshow',
    (event) => {
      if (event.persisted) send({ type: 'restored' });
    },
    { signal },
  );

  return {
    online,
    isAwake,
    listen(receive, until) {
      send = receive;
      for (const event of held) receive(event);
      held = [];
      until.addEventListener('abort', () => {
        send = () => {};
      });
    },
  };
};
