import { effect, type ReadonlySignal } from '@preact/signals';
import type { PaymentState } from '../../payment/payment-state.ts';
import type { Warn } from './warnings.ts';

/**
 * Warns the developer early: the service refuses every confirm that lacks these details. Contains only field names, as
 * the service sends them (contract 3.5).
 */
export const warnOfMissingDetails = (payment: ReadonlySignal<PaymentState>, warn: Warn): void => {
  effect(() => {
    const state = payment.value;
    if (state.status !== 'ready' || !state.intent.missing_details?.length) return;
    warn(
      'payment_intent',
      `It lacks ${state.intent.missing_details.join(', ')}, without which it cannot be paid. Update it from your server, then call refresh().`,
    );
  });
};
