import { effect } from '@preact/signals';
import type { Payment } from '../../payment/payment.ts';
import type { Tabs } from './tabs.ts';

/** As long as an attempt is under way no other tab begins one; how it ended is told to all. */
export const keepTurn = (payment: Payment, tabs: Tabs): void => {
  effect(() => {
    const state = payment.state.value;
    switch (state.status) {
      case 'confirming':
      case 'resolving':
      case 'processing':
      case 'releasing':
      case 'reloading':
        return;
      case 'succeeded':
      case 'canceled':
      case 'exhausted':
        tabs.tell(state.intent.id);
        return tabs.leave();
      case 'loading': // of another intent: the one before is over
        if (state.replaces) tabs.tell(state.replaces.intent.id);
        return tabs.leave();
      default:
        return tabs.leave();
    }
  });
};
