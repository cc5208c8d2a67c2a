/**
 * Reads the values of the document's fields, which count however they got there: password managers and extensions set
 * values without an event, and nothing listens to typing before the form exists (promises 2.11).
 */
import { effect } from '@preact/signals';
import { readWrittenDate } from '../../card/written-date.ts';
import { DIGITS, type DigitsName } from '../first/auto-advance.ts';
import { controlOf } from '../first/controls.ts';
import type { Typing } from '../first/typing.ts';
import type { FormModel } from './card-form.ts';

const isDigits = (name: string): name is DigitsName => DIGITS.some((digits) => digits === name);

/**
 * Reads the document's fields now and after each event that may follow from filling in a field. From now on `typing`
 * sends each key to the form. `canChange`: the fields are shown and not locked.
 */
export const followFields = (form: FormModel, typing: Typing, canChange: () => boolean): void => {
  const { fields } = form;
  typing.connect(fields, canChange, readWrittenDate);

  /** `edited`: a field being edited, possibly by a key. `typing` reads that one. */
  const read = (edited?: EventTarget | null) => {
    if (!canChange()) return;
    // Collect all differences before typing any: typing a country changes the state.
    const differing = Object.values(fields).flatMap((field) => {
      const control = controlOf(field.name);
      if (!control || control === edited || control.value === field.text.peek()) return [];
      // A list that doesn't contain the form's value has no selection: it hasn't loaded yet.
      if (control instanceof HTMLSelectElement && control.selectedIndex < 0) return [];
      return [{ field, control, value: control.value }];
    });
    for (const { field, control, value } of differing) {
      field.type(isDigits(field.name) ? typing.entered(field.name, value) : value);
      control.value = field.text.peek(); // grouped, or shortened
    }
  };

  form.readWith(read);
  read();
  // The document follows the form synchronously, before another event, so later differences come from other code.
  for (const { name, text } of Object.values(fields)) {
    effect(() => {
      const shown = text.value;
      const control = controlOf(name);
      if (control && control.value !== shown) control.value = shown;
    });
  }

  for (const type of ['change', 'focusout']) document.addEventListener(type, () => read(), true);
  // The other fields first: the length of a security code depends on the number next to it.
  document.addEventListener('input', ({ target }) => read(target), true);
};
