/** The one way to pay, and what judges it: the guard, the watch over the focus, and the questions to the page. */
import { computed } from '@preact/signals';
import { systemClock } from '../../../clock/clock.ts';
import { placeOf } from '../../channel/field-names.ts';
import type { PaymentState } from '../../payment/payment-state.ts';
import { focusField } from '../form/focus-field.ts';
import { type CoverQuestions, createCoverQuestions } from '../merchant/cover-questions.ts';
import { type FocusWatch, watchFocus } from '../merchant/focus-watch.ts';
import { afterPointer } from '../press/after-pointer.ts';
import { createGuard, type Guard, type Payable } from '../press/guard.ts';
import { createPress, type Press } from '../press/press.ts';
import type { Parts } from './parts.ts';

export type PressParts = { press: Press; guard: Guard; watch: FocusWatch; covers: CoverQuestions };

export const connectPress = (parts: Parts): PressParts => {
  const { form, opening, screen, page, pressHint, isInterrupted, isButtonless } = parts;
  const ending = parts.ending.signal;
  const covers = createCoverQuestions(page.reply, page.warn);
  const guard = createGuard({
    clock: systemClock,
    payable: computed(() => payableIn(opening.state.value, isButtonless.value)),
    ask: covers.ask,
    ending,
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
  });
  return { press, guard, watch, covers };
};

/** What a press would pay in this state, for the guard. */
export const payableIn = (state: PaymentState, isButtonless: boolean): Payable | null =>
  state.status === 'ready'
    ? {
        // A button that changes its place has to be seen anew.
        amount: `${state.intent.amount_total} ${state.intent.currency} ${isButtonless}`,
        notBefore: state.armedAt,
      }
    : null;
