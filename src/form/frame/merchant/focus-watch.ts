/** Feeds `focus-theft.ts` from document events: the buyer's actions, and card fields losing the focus to the page. */
import { DIGITS, type DigitsName } from '../first/auto-advance.ts';
import { fieldAt } from '../first/controls.ts';
import { createFocusTheft, type FocusTheft } from './focus-theft.ts';
import { interruptionMemory } from './interruption-memory.ts';

export type FocusWatch = Pick<FocusTheft, 'mayReturn' | 'isInterrupted'> & {
  /** Call before the page moves the focus out of the card fields, by `blur()` or to another field. */
  leftByPage(): void;
};

/** Watches until the signal aborts. `onBack`: a buyer whose typing was interrupted acted in the form again. */
export const watchFocus = (
  { isComplete, onBack }: { isComplete(name: DigitsName): boolean; onBack(): void },
  signal: AbortSignal,
): FocusWatch => {
  const theft = createFocusTheft(interruptionMemory());
  /** The card field that has or just lost the focus, or that gets it when the buyer returns to this window. */
  let focused: DigitsName | undefined;
  let isAway = false;

  const came = (target: EventTarget | null, at: number) => {
    isAway = false;
    focused = fieldAt(target, DIGITS);
    if (focused) theft.came(at);
  };
  const acted = ({ isTrusted, timeStamp }: Event, isLeaving = false) => {
    if (isTrusted && theft.acted(timeStamp, isLeaving)) onBack();
  };
  const current = () => fieldAt(document.activeElement, DIGITS);
  const lost = (name: DigitsName | undefined, at: number) => {
    if (name) theft.lost(at, isComplete(name));
  };

  const on = <Type extends keyof WindowEventMap>(type: Type, act: (event: WindowEventMap[Type]) => void) =>
    window.addEventListener(type, act, { signal });

  on('focusin', ({ target, timeStamp }) => came(target, timeStamp));
  on('focusout', () => {
    // If the page took the focus, the window's `blur` follows immediately; otherwise the focus is still in this
    // document.
    setTimeout(() => {
      focused = current();
    });
  });
  on('blur', ({ timeStamp }) => {
    // If a field is still the active element, the buyer only went to another window or tab. If the page takes the focus
    // in the meantime, this event fires again.
    if (!current()) lost(focused, timeStamp);
    isAway = true;
  });

  // A key on the body does not count: a page can focus the frame while the buyer types elsewhere.
  on('keydown', (event) => {
    if (event.repeat || event.target === document.body) return;
    const isLeaving = event.key === 'Tab' || event.key === 'Escape'; // Escape may close the page's dialog
    acted(event, isLeaving && !event.defaultPrevented);
  });
  // A buyer who arrives by Tab presses it on the page and releases it here.
  on('keyup', (event) => event.key === 'Tab' && acted(event));
  // The pointer's press counts, not its release: the page may take the focus in between. A click without a press comes
  // from a screen reader or voice control.
  let isPressed = false;
  on('pointerdown', (event) => {
    isPressed = true;
    acted(event);
  });
  on('click', (event) => {
    if (!isPressed) acted(event);
    isPressed = false;
  });
  on('pointercancel', () => {
    isPressed = false;
  });

  if (document.hasFocus()) came(document.activeElement, performance.now()); // the buyer may already be typing

  return {
    leftByPage: () => lost(current(), performance.now()),
    mayReturn() {
      // Firefox sends no events to a frame that is no longer displayed.
      if (!document.hasFocus() && !(isAway && current())) lost(focused, performance.now());
      return theft.mayReturn();
    },
    isInterrupted: theft.isInterrupted,
  };
};
