/** The paying card's brand and last four digits, for the receipt. The rest is cleared (threat-model C20). */
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { brandName } from '../../card/brand-words.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import type { FormModel } from '../form/card-form.ts';
import type { Field } from '../form/field.ts';

/** States in which the card of this form's own confirm is certain. */
const OWN: readonly PaymentState['status'][] = ['confirming', 'processing', 'succeeded'];

/** "Visa •••• 4242"; empty if uncertain, as after a lost answer: another tab may have paid with another card. */
export const paidWith = (
  payment: ReadonlySignal<Pick<PaymentState, 'status'>>,
  { brand, number }: Pick<FormModel, 'brand'> & { number: Pick<Field, 'text'> },
): ReadonlySignal<string> => {
  const card = signal('');
  effect(() => {
    const { status } = payment.value;
    const digits = number.text.peek();
    const name = brand.peek();
    if (status === 'confirming' && digits)
      card.value = `${name ? brandName(name) : ''} •••• ${digits.slice(-4)}`.trim();
    else if (!OWN.includes(status)) card.value = '';
  });
  return card;
};
