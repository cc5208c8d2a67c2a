/** `update({ fields })`: which billing details the buyer is asked for from now on. */
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
 * Applies other `fields` to a form in use. Nothing typed is lost: what is not asked for any more is sent as it stands.
 * What cannot be sent as it stands is asked for all the same, with a warning, since the form cannot be refused any more.
 */
export const changeFields = (
  form: FormModel,
  fields: NonNullable<Init['fields']>,
  defaults: BillingDefaults,
  warn: Warn,
): void => {
  const { unasked } = form;
  const wanted = neverAskedIn(fields);
  /** The buyer has seen a country that they did not change, but not one that was only guessed for default values. */
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
  // As at the start: what the page knows, and the buyer has not touched, stands as text.
  const known = BILLING_OPTIONS.filter((option) => {
    if (wanted.includes(option)) return false;
    if (!unasked.never.peek().includes(option)) return unasked.known.peek().includes(option);
    return !form.isTyped(option) && hasCountry(option) && form.isSound(option) === true;
  });
  const focused = fieldAt(document.activeElement, FIELD_NAMES);
  unasked.replace({ never, known });
  const hidden = unasked.fields.peek();
  if (!focused || !hidden.includes(focused)) return;
  // The field goes with the focus in it: to the next that stays, or else to the one before.
  const shown = form.asked.peek().filter((name) => name === focused || !hidden.includes(name));
  const at = shown.indexOf(focused);
  focusWhenShown(shown[at + 1] ?? shown[at - 1]);
};
