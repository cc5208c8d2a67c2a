/**
 * What stands in the fields is what counts, however it came there: password managers and scripts of extensions set values
 * without an event, and what was typed before there was a form had nobody to hear it (promises 2.11).
 */
import { effect } from '@preact/signals';
import { readWrittenDate } from '../../card/written-date.ts';
import { DIGITS, type DigitsName } from '../first/auto-advance.ts';
import { controlOf } from '../first/controls.ts';
import type { Typing } from '../first/typing.ts';
import type { FormModel } from './card-form.ts';

const isDigits = (name: string): name is DigitsName => DIGITS.some((digits) => digits === name);

/**
 * Takes over what stands in the document's fields, now and after each event by which a field may have been filled in.
 * From now on `typing` puts each key into the form. `canChange`: whether the fields are on the screen and not locked.
 */
export const followFields = (form: FormModel, typing: Typing, canChange: () => boolean): void => {
  const { fields } = form;
  typing.connect(fields, canChange, readWrittenDate);

  /** `edited`: a field that is being edited, by a key perhaps. `typing` reads it. */
  const read = (edited?: EventTarget | null) => {
    if (!canChange()) return;
    // All of them before any is typed: a country that is typed changes its state.
    const differing = Object.values(fields).flatMap((field) => {
      const control = controlOf(field.name);
      if (!control || control === edited || control.value === field.text.peek()) return [];
      // A list that lacks what the form holds chooses nothing: it has not been loaded.
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
  // The document follows the form at once, before another event: what differs then was put there by somebody else.
  for (const { name, text } of Object.values(fields)) {
    effect(() => {
      const shown = text.value;
      const control = controlOf(name);
      if (control && control.value !== shown) control.value = shown;
    });
  }

  for (const type of ['change', 'focusout']) document.addEventListener(type, () => read(), true);
  // The others first: how many digits a security code has depends on the number that stands beside it.
  document.addEventListener('input', ({ target }) => read(target), true);
};
