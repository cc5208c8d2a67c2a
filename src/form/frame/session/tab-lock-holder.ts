import { effect, type ReadonlySignal } from '@preact/signals-core';
import { type PaymentState, PHASE } from '../../payment/payment-state.ts';
import type { TabLock } from './tab-lock.ts';

/** Holds the lock while a payment attempt is under way, releases it afterwards, and announces how an intent ended. */
export const holdTabLock = (
  payment: ReadonlySignal<PaymentState>,
  lock: Pick<TabLock, 'release' | 'announceEnd'>,
): void => {
  effect(() => {
    const state = payment.value;
    switch (PHASE[state.status]) {
      case 'confirming':
      case 'unresolved':
      case 'settling':
      case 'rereading':
        return;
      case 'ended':
        if ('intent' in state && state.intent) lock.announceEnd(state.intent.id);
        break;
      default: // a replacement is being loaded: the intent before it has ended
        if (state.status === 'loading' && state.replaces) lock.announceEnd(state.replaces.intent.id);
    }
    lock.release();
  });
};
