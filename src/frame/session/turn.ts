import { effect } from '@preact/signals';
import type { Payment } from '../../payment/payment.ts';
import { PHASE } from '../../payment/payment-state.ts';
import type { Tabs } from './tabs.ts';

/** Keeps other tabs from starting an attempt while one is under way here, and tells them when the intent has ended. */
export const keepTurn = (payment: Payment, tabs: Tabs): void => {
  effect(() => {
    const state = payment.state.value;
    switch (PHASE[state.status]) {
      case 'confirming':
      case 'unresolved':
      case 'settling':
      case 'rereading':
        return;
      case 'ended':
        if ('intent' in state && state.intent) tabs.tell(state.intent.id);
        break;
      default: // a replacement is being loaded: the intent before it has ended
        if (state.status === 'loading' && state.replaces) tabs.tell(state.replaces.intent.id);
    }
    tabs.leave();
  });
};
