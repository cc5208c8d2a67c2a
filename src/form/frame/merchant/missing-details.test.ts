import { signal } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { exampleIntent } from '../../payment/payment.fixture.ts';
import type { Intent, PaymentState } from '../../payment/payment-state.ts';
import { warnOfMissingDetails } from './missing-details.ts';

const ready = (different: Partial<Intent>): PaymentState => ({
  status: 'ready',
  intent: exampleIntent(different),
  feedback: { notice: null, previousTotal: null },
  readAt: 0,
  armedAt: 0,
});

it('contract 3.5: warns as soon as the intent was read, and names the missing fields', () => {
  const payment = signal<PaymentState>({ status: 'booting' });
  const warn = vi.fn();
  warnOfMissingDetails(payment, warn);
  expect(warn).not.toHaveBeenCalled();
  payment.value = ready({ missing_details: ['buyer', 'shipping_details'] });
  expect(warn.mock.calls).toEqual([
    [
      'payment_intent',
      'It lacks buyer, shipping_details, without which it cannot be paid. Update it from your server, then call refresh().',
    ],
  ]);
});

it.each([null, []])('says nothing if the service sends %j', (missing_details) => {
  const warn = vi.fn();
  warnOfMissingDetails(signal(ready({ missing_details })), warn);
  expect(warn).not.toHaveBeenCalled();
});
