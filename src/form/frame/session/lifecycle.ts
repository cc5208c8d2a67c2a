/** What happens to the document, as events of the payment (outcomes 2.7). The payment is also correct without them. */
import { signal as createSignal, type ReadonlySignal } from '@preact/signals';
import type { PaymentEvent } from '../../payment/payment-state.ts';

export type Lifecycle = {
  /** What the browser reports. Only `false` is reliable. */
  online: ReadonlySignal<boolean>;
  /** Whether the document is visible and online. */
  isAwake(): boolean;
  /** Sends `woke` and `restored` until `signal` aborts, also those that have happened before. */
  listen(send: (event: PaymentEvent) => void, signal: AbortSignal): void;
};

/** Of this document, until `signal` aborts. `now` in monotonic ms. */
export const createLifecycle = (now: () => number, signal: AbortSignal): Lifecycle => {
  const online = createSignal(navigator.onLine);
  const isAwake = () => !document.hidden && navigator.onLine;
  let asleepSince: number | null = isAwake() ? null : now();

  let held: readonly PaymentEvent[] = [];
  let send = (event: PaymentEvent) => {
    held = [...held, event];
  };

  const update = () => {
    online.value = navigator.onLine;
    if (!isAwake()) {
      asleepSince ??= now();
      return;
    }
    if (asleepSince === null) return;
    const gap = now() - asleepSince;
    asleepSince = null;
    send({ type: 'woke', gap });
  };
  document.addEventListener('visibilitychange', update, { signal });
  document.addEventListener('resume', update, { signal });
  window.addEventListener('online', update, { signal });
  window.addEventListener('offline', update, { signal });
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
