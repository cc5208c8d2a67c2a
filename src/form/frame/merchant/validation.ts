/** The page's view of the fields: names of billing fields, `card` for the whole card, never their values. */

import type { CardFormValidation } from '../../channel/events.ts';
import { CARD_FIELDS, placeOf } from '../../channel/field-names.ts';
import type { FieldName, Place } from '../../channel/fields.ts';
import { controlOf } from '../first/controls.ts';
import type { FormModel } from '../form/card-form.ts';
import type { View } from '../view/form-view.ts';

/**
 * Which fields are missing or invalid, and whether a press would pay. Reads signals.
 *
 * `invalid`: the form shows at the field that its value is wrong. `missing`: any other field that is incomplete,
 * including one whose value is still being typed.
 *
 * The card fields count as one, and as `invalid` only for a value that no further key can make valid: whether a value
 * is just incomplete changes with each key, which would show the page when the buyer types (threat-model 1.3).
 */
export const validationOf = (form: FormModel, canBePaid: boolean): CardFormValidation => {
  const places = (belongs: (name: FieldName) => boolean): readonly Place[] => [
    ...new Set(form.asked.value.filter(belongs).map(placeOf)),
  ];
  const invalid = places((name) => form.fields[name].isKnownInvalid.value);
  return {
    complete: form.isComplete.value,
    invalid,
    missing: places((name) => !form.fields[name].isComplete.value).filter(
      (place) => !invalid.includes(place),
    ),
    canPay: canBePaid && form.wouldPass.value,
  };
};

/**
 * Answers `validate()`: shows the messages that a press would show, but neither pays nor moves the focus. A card field
 * the buyer is typing in shows its message only when they leave it: if the page could mark it at any time, it could see
 * the next key, which removes the mark.
 */
export const validate = (form: FormModel, screen: View, canBePaid: boolean): CardFormValidation => {
  form.read();
  const canMark = screen.screen === 'form' && !screen.locked;
  const typing = document.hasFocus()
    ? CARD_FIELDS.find((name) => controlOf(name) === document.activeElement)
    : undefined;
  // Computed before the marks: a doubt stops the press that first shows it, so it counts here, too.
  const canPay = canBePaid && form.wouldPass.peek();
  if (canMark) form.press(typing);
  return { ...validationOf(form, canBePaid), canPay };
};
