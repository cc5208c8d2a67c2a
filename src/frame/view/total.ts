import type { Intent } from '../../payment/payment-state.ts';
import type { Money } from './words.ts';

/** The total of an intent as money. */
export const totalOf = ({ amount_total, currency }: Intent): Money => ({ value: amount_total, currency });
