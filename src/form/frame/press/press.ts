/** Handles a press: focuses an incomplete field, shows a hint if the press does not count, or pays. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import { isSameMoney, type Money } from '../../../api/money.ts';
import type { Clock } from '../../../clock/clock.ts';
import type { FieldName } from '../../channel/fields.ts';
import type { MessageKey } from '../../i18n/en.ts';
import type { FormModel } from '../form/card-form.ts';
import type { View } from '../view/form-view.ts';
import type { Guard } from './guard.ts';
import type { HeldPress } from './hold-press.ts';
import { type GuardRefusal, type Presser, SECOND_PRESS } from './judge.ts';

/** Why a press was refused, as the page is told. */
export type PressRefusal = GuardRefusal | 'incomplete' | 'not_ready';

/**
 * Resolves when the press has been judged. A press while another is being judged is ignored. `held`: the press was made
 * before there was anything to carry it out, and judged then.
 */
export type Press = (presser: Presser, held?: HeldPress) => Promise<void>;

/** What a press can lead to. */
export type PayActions = {
  /** Confirms with the total that was shown. False if the press comes too soon after that total appeared. */
  pay(shown: Money): boolean;
  /** How often another intent was asked for: a press pays the one that it was made for, also if the total is the same. */
  swaps(): number;
  /** Tells the page that a press was refused. */
  refused(why: PressRefusal): void;
  /** Counts a press that was refused, whether or not the page is told. */
  counted(why: PressRefusal): void;
  /** "Try again" or "Check status". */
  retry(): void;
};

type Parts = {
  form: Pick<FormModel, 'press' | 'settle'>;
  screen: ReadonlySignal<View>;
  actions: PayActions;
  guard: Pick<Guard, 'judge' | 'isInView' | 'isMeantForPage'>;
  /** Why the last press did not count, as a message to the buyer. */
  pressHint: Signal<MessageKey | null>;
  /** Whether the notice about interrupted typing is shown; a press removes it. */
  isInterrupted: Signal<boolean>;
  clock: Clock;
  /** Moves the focus to an incomplete field. */
  focusField(field: FieldName): void;
  /** Scrolls the button into view. */
  showButton(): void;
  /** Moves the focus to the button, where Enter can only mean to pay. */
  focusButton(): void;
};

const HINT: Readonly<Record<GuardRefusal, MessageKey>> = {
  too_soon: 'notice.press_again',
  moved: 'notice.press_again',
  too_small: 'notice.too_small',
  obscured: 'notice.press_again',
};

const isByGuard = (why: PressRefusal): why is GuardRefusal => Object.hasOwn(HINT, why);

/** The total that a press would pay if the form is complete, or null. */
export const totalToPay = (view: View): Money | null => {
  if (view.screen !== 'form' || view.locked || view.action.kind !== 'pay') return null;
  return view.action.total;
};

/** Creates the only code path that leads to a confirm. */
export const createPress = (parts: Parts): Press => {
  const {
    form,
    screen,
    actions,
    guard,
    pressHint,
    isInterrupted,
    clock,
    focusField,
    showButton,
    focusButton,
  } = parts;

  /** Judges a press when it is made, though it is carried out later. */
  const hold = (presser: Presser): HeldPress | undefined => {
    const shown = totalToPay(screen.peek());
    return shown ? { shown, refusal: guard.judge(presser) } : undefined;
  };

  const isOpen = () => {
    const now = screen.peek();
    return now.screen === 'form' && !now.locked;
  };

  const attempt = async (presser: Presser, early?: HeldPress): Promise<PressRefusal | null> => {
    const swaps = early ? 0 : actions.swaps();
    if (!isOpen()) return 'not_ready';
    const loading = form.settle();
    const held = early ?? (loading ? hold(presser) : undefined);
    if (loading) await loading; // or else the problems are marked within the press
    if (!isOpen()) return 'not_ready';
    const problem = form.press();
    if (problem) {
      focusField(problem);
      return 'incomplete';
    }
    const shown = totalToPay(screen.peek());
    if (!shown) return 'not_ready';
    if (held && !isSameMoney(held.shown, shown)) return 'too_soon';
    const refused = await (held ? held.refusal : guard.judge(presser));
    if (refused) return refused;
    const still = totalToPay(screen.peek()); // it may have changed while the guard was asking
    if (!still || !isSameMoney(still, shown) || actions.swaps() !== swaps) return 'too_soon';
    return actions.pay(shown) ? null : 'too_soon';
  };

  let latest = 0;
  const showHint = async (key: MessageKey | null) => {
    latest += 1;
    const mine = latest;
    isInterrupted.value = false;
    pressHint.value = key;
    if (key === null) return;
    await clock.wait(SECOND_PRESS.until); // as long as a covered press is excused
    if (mine === latest) pressHint.value = null;
  };

  let isJudging = false;
  return async (presser, held) => {
    const now = screen.peek();
    const isRetry = now.screen === 'form' && now.action.kind === 'retry';
    if (isRetry && presser !== 'host') return actions.retry();
    if (isJudging) return;
    isJudging = true;
    const why = await attempt(presser, held).finally(() => {
      isJudging = false;
    });
    void showHint(why && isByGuard(why) ? HINT[why] : null);
    if (why === null) return;
    actions.counted(why);
    // The buyer sees which field is incomplete. A page that has the button must be told.
    if (presser === 'host' || isByGuard(why)) actions.refused(why);
    if (presser !== 'buyer' || !isByGuard(why)) return;
    if (guard.isMeantForPage()) focusButton();
    else if (!guard.isInView('button')) showButton();
  };
};
