/**
 * Decides which billing details may be folded into a line after an attempt (promises 2.9), so that card, notice and
 * button are close together.
 */
import { BILLING_OPTIONS, type BillingOption, fieldsOf } from '../../channel/fields.ts';
import type { MessageKey } from '../../i18n/en.ts';
import type { View } from './form-view.ts';

/** Notices about anything the buyer typed, or about no attempt at all. */
const KEEPS_OPEN: readonly MessageKey[] = [
  'notice.details_refused',
  'notice.order_refused',
  'notice.unavailable',
  'notice.offline',
  'notice.load_failed',
];

export const foldableIn = (view: View): readonly BillingOption[] => {
  if (view.screen !== 'form' || view.locked) return [];
  const { notices, fieldToFix } = view;
  const keys = notices.map(({ message }) => message.key);
  if (keys.length === 0 && !fieldToFix) return [];
  if (keys.some((key) => KEEPS_OPEN.includes(key))) return [];
  if (fieldsOf(BILLING_OPTIONS).some((name) => name === fieldToFix)) return [];
  return BILLING_OPTIONS.filter(
    (option) => option !== 'address' || !keys.includes('decline.incorrect_address'),
  );
};
