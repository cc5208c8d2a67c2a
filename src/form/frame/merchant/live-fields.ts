/** `update({ fields })`: changes which billing details the buyer is asked for. */
import { FIELD_NAMES } from '../../channel/field-names.ts';
import { BILLING_OPTIONS, type BillingOption, fieldsOf } from '../../channel/fields.ts';
import type { Init } from '../../channel/read-options.ts';
import { fieldAt } from '../first/controls.ts';
import { neverAskedIn } from '../first/known-details.ts';
import type { FormModel } from '../form/card-form.ts';
import type { BillingDefaults } from '../form/fill-in.ts';
import { focusWhenShown } from '../form/focus-when-shown.ts';
import type { Warn } from './warnings.ts';

/**
 * Applies new `fields` to a form in use. Nothing typed is lost: a detail that is no longer asked for is sent as it is.
 * If it cannot be sent, the buyer is asked for it after all, with a warning, since it is too late to refuse the form.
 */
export const changeFields = (
  form: FormModel,
  fields: NonNullable<Init['fields']>,
  defaults: BillingDefaults,
  warn: Warn,
): void => {
  const { unasked } = form;
  const wanted = neverAskedIn(fields);
  /** True if the buyer has seen the country, even if they did not change it; false if it was guessed for defaults. */
  const hasCountry = (option: BillingOption) =>
    option !== 'address' || defaults.address?.country !== undefined || form.isTyped('address');
  const canBeSent = (option: BillingOption) =>
    hasCountry(option) &&
    fieldsOf([option])
      .filter((name) => form.asked.peek().includes(name))
      .every((name) => form.fields[name].isComplete.peek() && form.fields[name].problem.peek() === null);

  const never = wanted.filter((option) => unasked.never.peek().includes(option) || canBeSent(option));
  for (const option of wanted) {
    if (never.includes(option)) continue;
    warn(`fields.billingDetails.${option}`, 'Incomplete or invalid, so the form asks the buyer for it.');
  }
  // As at the start: details the page knows and the buyer has not touched are shown as text.
  const known = BILLING_OPTIONS.filter((option) => {
    if (wanted.includes(option)) return false;
    if (!unasked.never.peek().includes(option)) return unasked.known.peek().includes(option);
    return !form.isTyped(option) && hasCountry(option) && form.isSound(option) === true;
  });
  const focused = fieldAt(document.activeElement, FIELD_NAMES);
  unasked.replace({ never, known });
  const hidden = unasked.fields.peek();
  if (!focused || !hidden.includes(focused)) return;
  // If the focused field disappears, the focus moves to the next field that stays, or else to the previous one.
  const shown = form.asked.peek().filter((name) => name === focused || !hidden.includes(name));
  const at = shown.indexOf(focused);
  focusWhenShown(shown[at + 1] ?? shown[at - 1]);
};
