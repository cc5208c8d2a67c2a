/** The one way to pay, and what judges it: the guard and the watch over the focus. */
import { effect } from '@preact/signals';
import { systemClock } from '../../../clock/clock.ts';
import { placeOf } from '../../channel/field-names.ts';
import { focusField } from '../form/focus-field.ts';
import { type FocusWatch, watchFocus } from '../merchant/focus-watch.ts';
import { afterPointer } from '../press/after-pointer.ts';
import type { Guard } from '../press/guard.ts';
import { createPress, type Press } from '../press/press.ts';
import { payableIn } from './first-read.ts';
import type { Offer } from './offer.ts';
import type { Parts } from './parts.ts';

export type PressParts = { press: Press; guard: Guard; watch: FocusWatch };

export const connectPress = (parts: Parts, { guard, payable }: Offer): PressParts => {
  const { form, opening, screen, page, pressHint, isInterrupted, isButtonless } = parts;
  const ending = parts.ending.signal;
  effect(() => {
    payable.value = payableIn(opening.state.value, isButtonless.value);
  });
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
      pay: opening.pay,
      retry: opening.retry,
      refused: (why) => opening.whenStarted(({ refused }) => refused(why)),
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
  return { press, guard, watch };
};
