/** The one way to pay, and what judges it: the guard and the watch over the focus. */
import { systemClock } from '../../../clock/clock.ts';
import { placeOf } from '../../channel/field-names.ts';
import { focusField } from '../form/focus-field.ts';
import { pressRefused } from '../merchant/events.ts';
import { type FocusWatch, watchFocus } from '../merchant/focus-watch.ts';
import { afterPointer } from '../press/after-pointer.ts';
import { createPress, type Press } from '../press/press.ts';
import type { Parts } from './parts.ts';

export type PressParts = { press: Press; watch: FocusWatch };

export const connectPress = (parts: Parts): PressParts => {
  const { form, session, screen, page, guard, pressHint, isInterrupted } = parts;
  const ending = parts.ending.signal;
  const watch = watchFocus(
    {
      isComplete: (name) => form.fields[name].isComplete.peek(),
      onBack: () =>
        afterPointer(() => {
          pressHint.value = null;
          isInterrupted.value = true;
        }),
    },
    ending,
  );
  const press = createPress({
    form,
    screen,
    actions: {
      pay: session.pay,
      retry: session.retry,
      // An error would read as the end of the payment that is under way.
      refused(why) {
        if (!session.isPaying.peek()) page.post(pressRefused(why, session.charged()));
      },
      counted: page.diagnostics.pressRefused,
    },
    guard,
    pressHint,
    isInterrupted,
    clock: systemClock,
    // A page that has the button could otherwise use a press to take the focus back to a card field.
    focusField: (field) => {
      if (placeOf(field) !== 'card' || !watch.isInterrupted()) focusField(field);
    },
    showButton: () => document.querySelector('.pay')?.scrollIntoView({ block: 'nearest' }),
    focusButton: () => document.querySelector<HTMLElement>('.pay')?.focus(),
  });
  return { press, watch };
};
