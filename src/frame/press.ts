/** One press, from wherever it came: to the fields that are not done yet, to a word of caution, or to the payment. */
import type { Signal } from '@preact/signals';
import type { ShownTotal } from '../api/client.ts';
import type { FieldName } from '../channel/field-names.ts';
import type { MessageKey } from '../i18n/en.ts';
import type { CardForm } from './form.ts';
import type { Guard, Presser, Refused } from './guard.ts';
import type { View } from './view.ts';

/** What the page is told of a press that did not count. */
export type NotPressed = Refused | 'incomplete' | 'not_ready';

export type Press = (presser: Presser) => void;

/** What a press can come to. */
export type Till = {
  /** With the total that was shown. False where it comes too soon after that total. */
  pay(shown: ShownTotal): boolean;
  /** Tells the page of a press that did not count. */
  notPressed(why: NotPressed): void;
  /** "Try again" or "Check status". */
  retry(): void;
};

type Parts = {
  form: CardForm;
  screen: Signal<View>;
  till: Till;
  guard: Guard;
  /** What the buyer is told of a press that did not count. */
  caution: Signal<MessageKey | null>;
  /** Leads the buyer to a field. */
  lead(field: FieldName): void;
};

const CAUTION: Record<Refused, MessageKey> = {
  too_soon: 'notice.press_again',
  too_small: 'notice.too_small',
  obscured: 'notice.press_again',
};

/** Makes the one way in which anything is ever sent. */
export const createPress = ({ form, screen, till, guard, caution, lead }: Parts): Press => {
  const attempt = (presser: Presser): NotPressed | null => {
    const now = screen.peek();
    if (now.screen !== 'form' || now.locked) return 'not_ready';
    const problem = form.press();
    if (problem) {
      lead(problem);
      return 'incomplete';
    }
    if (now.action.kind !== 'pay') return 'not_ready';
    const refused = guard.judge(presser);
    caution.value = refused && CAUTION[refused];
    if (refused) return refused;
    const { value, currency } = now.action.total;
    return till.pay({ amountTotal: value, currency }) ? null : 'too_soon';
  };

  return (presser) => {
    const now = screen.peek();
    const asksAgain = now.screen === 'form' && now.action.kind === 'retry';
    if (asksAgain && presser !== 'host') return till.retry();
    const refused = attempt(presser);
    // Who pressed a button of ours sees why; a page that has the button has to be told.
    if (refused && (presser === 'host' || refused === 'obscured' || refused === 'too_small')) {
      till.notPressed(refused);
    }
  };
};
