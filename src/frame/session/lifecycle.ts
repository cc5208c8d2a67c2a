/** What happens to the page, told as facts of the payment (research 2.7). No logic depends on these arriving. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { PaymentEvent } from '../../payment/payment-state.ts';

export type Lifecycle = {
  /** The browser's word. Only a "no" is believed. */
  online: ReadonlySignal<boolean>;
  isAwake(): boolean;
  /** Tells of waking up and of coming back from the back/forward cache, until `signal` aborts. */
  tell(send: (event: PaymentEvent) => void, signal: AbortSignal): void;
};

/** Watches this document. `now` in monotonic ms. */
export const createLifecycle = (now: () => number): Lifecycle => {
  const online = signal(navigator.onLine);
  const isAwake = () => !document.hidden && navigator.onLine;
  let asleepSince: number | null = isAwake() ? null : now();

  return {
    online,
    isAwake,
    tell(send, signal) {
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
    },
  };
};
