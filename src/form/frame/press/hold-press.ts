/**
 * Holds a press until the script that carries it out has loaded. The press is judged when it is made, so the page gains
 * nothing by delaying that script. Typing afterwards, or leaving the page, withdraws it: a press pays for the form as
 * it was.
 */
import type { Money } from '../../../api/money.ts';
import type { Guard } from './guard.ts';
import type { GuardRefusal } from './judge.ts';

/** A press that was judged but not carried out. */
export type HeldPress = {
  /** The total on the button when it was pressed. */
  readonly shown: Money;
  /** Reason it does not count; null if it does. */
  readonly refusal: Promise<GuardRefusal | null>;
};

/**
 * Listens for presses of the button in `place` while it shows a total. Returns a function that stops listening and
 * returns the held press, if any.
 */
export const holdPress = (
  place: HTMLElement,
  total: () => Money | null,
  guard: Pick<Guard, 'isLive' | 'judge'>,
): (() => HeldPress | null) => {
  let held: HeldPress | null = null;
  const listening = new AbortController();

  /** Marks the button as busy. A refused press is kept as well, because the form shows its hint later. */
  const setBusy = (isBusy: boolean) => {
    if (isBusy) place.setAttribute('aria-busy', 'true');
    else place.removeAttribute('aria-busy');
  };
  const isBusy = () => place.hasAttribute('aria-busy');

  const hold = async (event: Event) => {
    const shown = total();
    if (!shown || !guard.isLive(event) || isBusy()) return;
    const press = { shown, refusal: guard.judge('buyer') };
    held = press;
    setBusy(true);
    if ((await press.refusal) && held === press) setBusy(false);
  };

  const withdraw = () => {
    held = null;
    setBusy(false);
  };

  // While a press would be too early, the pointer passes through the button to its place (`components/PayButton.tsx`).
  place.addEventListener('click', hold, listening);
  addEventListener('input', withdraw, listening);
  addEventListener('pagehide', withdraw, listening); // which empties the card fields

  return () => {
    listening.abort();
    setBusy(false);
    return held;
  };
};
