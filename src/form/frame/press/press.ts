/** Handles a press: focuses an incomplete field, shows a hint if the press does not count, or pays. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Clock } from '../../../api/clock/clock.ts';
import { isSameMoney, type Money } from '../../../api/money.ts';
import type { FieldName } from '../../channel/fields.ts';
import type { MessageKey } from '../../i18n/en.ts';
import type { FormModel } from '../form/card-form.ts';
import type { View } from '../view/form-view.ts';
import type { Guard } from './guard.ts';
import type { HeldPress } from './hold-press.ts';
import { type GuardRefusal, type Presser, SECOND_PRESS } from './judge.ts';

/** Reason a press was refused, as reported to the page. */
export type PressRefusal = GuardRefusal | 'incomplete' | 'not_ready';

/**
 * Resolves once the press has been judged. Ignores a press while another is being judged. `held`: a press made, and
 * judged, before the form had loaded.
 */
export type Press = (presser: Presser, held?: HeldPress) => Promise<void>;

/** Possible consequences of a press. */
export type PayActions = {
  /** Confirms with the total that was shown. False if the press comes too soon after that total appeared. */
  pay(shown: Money): boolean;
  /** How often earlier presses were dropped: a press made before pays nothing, even if the total is the same. */
  drops(): number;
  /** Reports a refused press to the page. */
  refused(why: PressRefusal): void;
  /** Counts a refused press, whether or not the page is informed. */
  counted(why: PressRefusal): void;
  /** "Try again" or "Check status". */
  retry(): void;
};

type Parts = {
  form: Pick<FormModel, 'press' | 'settle'>;
  screen: ReadonlySignal<View>;
  actions: PayActions;
  guard: Pick<Guard, 'judge' | 'isInView' | 'isMeantForPage'>;
  /** Message key for the buyer: the reason the last press did not count. */
  pressHint: Signal<MessageKey | null>;
  /** True while the notice about interrupted typing is shown; a press removes it. */
  isInterrupted: Signal<boolean>;
  clock: Clock;
  /** Moves the focus to an incomplete field. */
  focusField(field: FieldName): void;
  /** Scrolls the button into view. */
  showButton(): void;
  /** Moves the focus to the button, where Enter can only mean pay. */
  focusButton(): void;
};

const HINT: Readonly<Record<GuardRefusal, MessageKey>> = {
  too_soon: 'notice.press_again',
  moved: 'notice.press_again',
  too_small: 'notice.too_small',
  obscured: 'notice.press_again',
};

const isByGuard = (why: PressRefusal): why is GuardRefusal => Object.hasOwn(HINT, why);

/** The total that a press pays if the form is complete; null if there is none. */
export const totalToPay = (view: View): Money | null => {
  if (view.screen !== 'form' || view.locked || view.action.kind !== 'pay') return null;
  return view.action.total;
};

/** Creates the press function, the only code path that leads to a confirm. */
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

  /** Judges a press at the time it is made, although it is carried out later. */
  const hold = (presser: Presser): HeldPress | undefined => {
    const shown = totalToPay(screen.peek());
    return shown ? { shown, refusal: guard.judge(presser) } : undefined;
  };

  const isOpen = () => {
    const now = screen.peek();
    return now.screen === 'form' && !now.locked;
  };

  const attempt = async (presser: Presser, early?: HeldPress): Promise<PressRefusal | null> => {
    const drops = early ? 0 : actions.drops();
    if (!isOpen()) return 'not_ready';
    const loading = form.settle();
    const held = early ?? (loading ? hold(presser) : undefined);
    if (loading) await loading; // otherwise problems are marked synchronously, within the press
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
    const still = totalToPay(screen.peek()); // may have changed while the guard was asking the page
    if (!still || !isSameMoney(still, shown) || actions.drops() !== drops) return 'too_soon';
    return actions.pay(shown) ? null : 'too_soon';
  };

  let latest = 0;
  const showHint = async (key: MessageKey | null) => {
    latest += 1;
    const mine = latest;
    isInterrupted.value = false;
    pressHint.value = key;
    if (key === null) return;
    await clock.wait(SECOND_PRESS.until); // as long as the exception for a covered press lasts
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
    // The buyer sees which field is incomplete. A page that has the button has to be informed.
    if (presser === 'host' || isByGuard(why)) actions.refused(why);
    if (presser !== 'buyer' || !isByGuard(why)) return;
    if (guard.isMeantForPage()) focusButton();
    else if (!guard.isInView('button')) showButton();
  };
};
