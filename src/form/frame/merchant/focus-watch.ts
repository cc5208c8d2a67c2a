/**
 * Feeds `focus-theft.ts` from the document's events: what the buyer does, and when a card field loses the focus to the
 * page.
 */
import { DIGITS, type DigitsName } from '../first/auto-advance.ts';
import { fieldAt } from '../first/controls.ts';
import { createFocusTheft, type FocusTheft } from './focus-theft.ts';

export type FocusWatch = Pick<FocusTheft, 'mayReturn' | 'isInterrupted'> & {
  /** The page is about to move the focus out of the card fields, if it is in one: by `blur()`, or to another field. */
  leftByPage(): void;
};

/** Watches until the signal aborts. `onBack`: a buyer whose typing was interrupted did something in the form again. */
export const watchFocus = (
  { isComplete, onBack }: { isComplete(name: DigitsName): boolean; onBack(): void },
  signal: AbortSignal,
): FocusWatch => {
  const theft = createFocusTheft();
  /** The card field that has the focus, according to the events so far. */
  let focused: DigitsName | undefined;
  /** The card field that just lost the focus, if nothing else in this document received it. */
  let left: DigitsName | undefined;

  const came = (target: EventTarget | null, at: number) => {
    left = undefined;
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

  document.addEventListener('focusin', ({ target, timeStamp }) => came(target, timeStamp), { signal });
  document.addEventListener(
    'focusout',
    ({ target, relatedTarget }) => {
      focused = undefined;
      left = relatedTarget ? undefined : fieldAt(target, DIGITS);
      // If the page took the focus, the window's `blur` follows at once; otherwise the focus is still in this document.
      setTimeout(() => {
        left = undefined;
      });
    },
    { signal },
  );
  window.addEventListener(
    'blur',
    ({ timeStamp }) => {
      // If a field is still the active element, the buyer only went to another window or tab.
      if (!current()) lost(left, timeStamp);
    },
    { signal },
  );

  // A key on the body does not count: a page can focus the frame while the buyer types elsewhere.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat || event.target === document.body) return;
      const isLeaving = event.key === 'Tab' || event.key === 'Escape'; // Escape may close the page's dialog
      acted(event, isLeaving && !event.defaultPrevented);
    },
    { signal },
  );
  // A buyer who arrives by Tab pressed it on the page and releases it here.
  document.addEventListener('keyup', (event) => event.key === 'Tab' && acted(event), { signal });
  // The press of a pointer counts, not its release: the page may have taken the focus in between. A click without a
  // press is that of a screen reader or a voice.
  let isPressed = false;
  document.addEventListener(
    'pointerdown',
    (event) => {
      isPressed = true;
      acted(event);
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'click',
    (event) => {
      if (!isPressed) acted(event);
      isPressed = false;
    },
    { signal, capture: true },
  );
  document.addEventListener(
    'pointercancel',
    () => {
      isPressed = false;
    },
    { signal, capture: true },
  );

  if (document.hasFocus()) came(document.activeElement, performance.now()); // the buyer may be typing already

  return {
    leftByPage: () => lost(current(), performance.now()),
    mayReturn() {
      // Firefox sends no events to a frame that the page no longer displays.
      if (!document.hasFocus()) lost(focused, performance.now());
      return theft.mayReturn();
    },
    isInterrupted: theft.isInterrupted,
  };
};
