/** What the page learns about the fields: names of billing fields, `card` for all of the card, never what was typed. */

import type { CardFormValidation } from '../../channel/events.ts';
import { CARD_FIELDS, placeOf } from '../../channel/field-names.ts';
import type { FieldName, Place } from '../../channel/fields.ts';
import { controlOf } from '../first/controls.ts';
import type { FormModel } from '../form/card-form.ts';
import type { View } from '../view/form-view.ts';

/**
 * What the form lacks, and whether a press would pay. Reads signals.
 *
 * `invalid`: the buyer is told at the field that its value is wrong. `missing`: everything else that is not complete,
 * including a value that is still being typed.
 *
 * The card fields count as one, and as `invalid` only for a value that no further key can make valid: whether a value is
 * only incomplete changes with each key, and would tell the page when the buyer types (threat-model 1.3).
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
 * that the buyer is typing in shows its own when they leave it: if the page could have it marked at any time, the next
 * key, which removes the mark, would be visible to the page.
 */
export const validate = (form: FormModel, screen: View, canBePaid: boolean): CardFormValidation => {
  form.read();
  const canMark = screen.screen === 'form' && !screen.locked;
  const typing = document.hasFocus()
    ? CARD_FIELDS.find((name) => controlOf(name) === document.activeElement)
    : undefined;
  // Before the marks: a doubt stops the press that shows it, so it stops this one.
  const canPay = canBePaid && form.wouldPass.peek();
  if (canMark) form.press(typing);
  return { ...validationOf(form, canBePaid), canPay };
};
