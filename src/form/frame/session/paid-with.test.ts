import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import type { Brand } from '../../card/brand-names.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { paidWith } from './paid-with.ts';

type Status = PaymentState['status'];

/** Goes through these states with a card in the form, which is cleared at the end, as the session does. */
const afterStates = (...statuses: readonly Status[]) => {
  const payment = signal<{ status: Status }>({ status: 'ready' });
  const text = signal('4242 4242 4242 4242');
  const card = paidWith(payment, { brand: signal<Brand | null>('visa'), number: { text } });
  for (const status of statuses) {
    payment.value = { status };
    if (status === 'succeeded') text.value = '';
  }
  return card.peek();
};

it.each<[string, readonly Status[], string]>([
  ['the service accepted it', ['confirming', 'succeeded'], 'Visa •••• 4242'],
  ['the bank took its time', ['confirming', 'confirming', 'processing', 'succeeded'], 'Visa •••• 4242'],
  ['the page was asked first', ['asking_page', 'confirming', 'succeeded'], 'Visa •••• 4242'],
  ['it was paid before this form was opened', ['loading', 'succeeded'], ''],
  ['the answer was lost, and another tab may have paid', ['confirming', 'resolving', 'succeeded'], ''],
  ['it was declined, and another tab has paid since', ['confirming', 'ready', 'succeeded'], ''],
  ['nothing was sent', ['asking_page', 'ready'], ''],
])('the card of the receipt, if %s: %j', (_, statuses, expected) => {
  expect(afterStates(...statuses)).toBe(expected);
});

it('a card of no known brand is its last four digits', () => {
  const payment = signal<{ status: Status }>({ status: 'confirming' });
  const card = paidWith(payment, { brand: signal(null), number: { text: signal('9999 0000 1111 2222') } });
  expect(card.peek()).toBe('•••• 2222');
});
