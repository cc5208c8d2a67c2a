/** The document around a press: guard, focus changes, and the focus watch. */
import { systemClock } from '../../../api/clock/clock.ts';
import { placeOf } from '../../channel/field-names.ts';
import { focusField } from '../form/focus-field.ts';
import { watchFocus } from '../merchant/focus-watch.ts';
import { afterPointer } from '../press/after-pointer.ts';
import type { Surroundings } from './offered.ts';
import type { ShownForm } from './parts.ts';

export const surroundingsOf = (shown: ShownForm): Surroundings => {
  const { form, guard, pressHint, isInterrupted } = shown;
  const watch = watchFocus(
    {
      isComplete: (name) => form.fields[name].isComplete.peek(),
      onBack: () =>
        afterPointer(() => {
          pressHint.value = null;
          isInterrupted.value = true;
        }),
    },
    shown.ending.signal,
  );
  return {
    guard,
    watch,
    clock: systemClock,
    // Otherwise a page that has the button could use a press to move the focus back to a card field.
    focusField: (field) => {
      if (placeOf(field) !== 'card' || !watch.isInterrupted()) focusField(field);
    },
    showButton: () => document.querySelector('.pay')?.scrollIntoView({ block: 'nearest' }),
    focusButton: () => document.querySelector<HTMLElement>('.pay')?.focus(),
  };
};
