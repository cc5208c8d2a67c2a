import { effect, type ReadonlySignal } from '@preact/signals-core';
import { type PaymentState, PHASE } from '../../payment/payment-state.ts';
import type { TabLock } from './tab-lock.ts';

/** Holds the lock during a payment attempt, releases it afterwards, and announces the end of an intent. */
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
      default: // loading a replacement means the previous intent has ended
        if (state.status === 'loading' && state.replaces) lock.announceEnd(state.replaces.intent.id);
    }
    lock.release();
  });
};
