/** One press, from wherever it came: to the fields that are not done yet, to a hint why it does not count, or to the payment. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Clock } from '../../api/clock.ts';
import { isSameMoney, type Money } from '../../api/money.ts';
import type { FieldName } from '../../channel/field-names.ts';
import type { MessageKey } from '../../i18n/en.ts';
import type { CardForm } from '../form/card-form.ts';
import type { View } from '../view/view.ts';
import { EXCUSED, type Guard, type Presser, type Refused } from './guard.ts';

/** Why a press was refused, as the page is told. */
export type PressRefusal = Refused | 'incomplete' | 'not_ready';

/** Fulfils when the press has been judged. A press while another is judged is the same press. */
export type Press = (presser: Presser) => Promise<void>;

/** What a press can lead to. */
export type PayActions = {
  /** Confirms with the total that was shown. False if the press comes too soon after that total appeared. */
  pay(shown: Money): boolean;
  /** Tells the page that a press was refused. */
  refused(why: PressRefusal): void;
  /** "Try again" or "Check status". */
  retry(): void;
};

type Parts = {
  form: Pick<CardForm, 'press'>;
  screen: ReadonlySignal<View>;
  actions: PayActions;
  guard: Pick<Guard, 'judge' | 'isInView'>;
  /** Why the last press did not count, as a message to the buyer. */
  pressHint: Signal<MessageKey | null>;
  /** Set when the page interrupted the buyer's typing; a press takes that notice away. */
  isInterrupted: Signal<boolean>;
  clock: Clock;
  /** Leads the buyer to a field. */
  lead(field: FieldName): void;
  /** Brings the button into view. */
  reveal(): void;
};

const HINT: Readonly<Record<Refused, MessageKey>> = {
  too_soon: 'notice.press_again',
  moved: 'notice.press_again',
  too_small: 'notice.too_small',
  obscured: 'notice.press_again',
};

const isRefused = (why: PressRefusal): why is Refused => Object.hasOwn(HINT, why);

/** What a press would pay, or null. */
const payableIn = (view: View): Money | null => {
  if (view.screen !== 'form' || view.locked || view.action.kind !== 'pay') return null;
  return view.action.total;
};

/** Makes the one way in which anything is ever sent. */
export const createPress = (parts: Parts): Press => {
  const { form, screen, actions, guard, pressHint, isInterrupted, clock, lead, reveal } = parts;

  const attempt = async (presser: Presser): Promise<PressRefusal | null> => {
    const now = screen.peek();
    if (now.screen !== 'form' || now.locked) return 'not_ready';
    const problem = form.press();
    if (problem) {
      lead(problem);
      return 'incomplete';
    }
    const shown = payableIn(now);
    if (!shown) return 'not_ready';
    const refused = await guard.judge(presser);
    if (refused) return refused;
    const still = payableIn(screen.peek()); // the guard took a moment
    if (!still || !isSameMoney(still, shown)) return 'too_soon';
    return actions.pay(shown) ? null : 'too_soon';
  };

  let latest = 0;
  const showHint = async (key: MessageKey | null) => {
    latest += 1;
    const mine = latest;
    isInterrupted.value = false;
    pressHint.value = key;
    if (key === null) return;
    await clock.wait(EXCUSED.until); // as long as a covered press is excused
    if (mine === latest) pressHint.value = null;
  };

  let isJudging = false;
  return async (presser) => {
    const now = screen.peek();
    const asksAgain = now.screen === 'form' && now.action.kind === 'retry';
    if (asksAgain && presser !== 'host') return actions.retry();
    if (isJudging) return;
    isJudging = true;
    const why = await attempt(presser).finally(() => {
      isJudging = false;
    });
    void showHint(why && isRefused(why) ? HINT[why] : null);
    if (why === null) return;
    // Who pressed a button of ours sees what is missing; a page that has the button has to be told.
    if (presser === 'host' || isRefused(why)) actions.refused(why);
    if (presser === 'buyer' && isRefused(why) && !guard.isInView('button')) reveal();
  };
};
