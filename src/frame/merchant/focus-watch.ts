/**
 * Sees in the document what `focus-theft.ts` decides upon: which events are the buyer's, and when a card field lost the
 * focus to the page around the form.
 */

import { DIGITS, type DigitsName } from '../first/auto-advance.ts';
import { fieldAt } from '../first/controls.ts';
import { createFocusTheft, type FocusTheft } from './focus-theft.ts';

export type FocusWatch = Pick<FocusTheft, 'mayReturn' | 'isInterrupted'> & {
  /** The page had the focus taken from whatever has it. */
  blurred(): void;
};

/** Watches until the signal. `onBack`: a buyer whose typing was interrupted does something in the form again. */
export const watchFocus = (
  { isDone, onBack }: { isDone(name: DigitsName): boolean; onBack(): void },
  signal: AbortSignal,
): FocusWatch => {
  const theft = createFocusTheft();
  /** The card field that has the focus, as far as anything was heard. */
  let here: DigitsName | undefined;
  /** The card field that just lost the focus to nothing else in this document. */
  let left: DigitsName | undefined;

  const came = (target: EventTarget | null, at: number) => {
    left = undefined;
    here = fieldAt(target, DIGITS);
    if (here) theft.came(at);
  };
  const acted = ({ isTrusted, timeStamp }: Event, leads = false) => {
    if (isTrusted && theft.acted(timeStamp, leads)) onBack();
  };
  const current = () => fieldAt(document.activeElement, DIGITS);
  const lost = (name: DigitsName | undefined, at: number) => {
    if (name) theft.lost(at, isDone(name));
  };

  document.addEventListener('focusin', ({ target, timeStamp }) => came(target, timeStamp), { signal });
  document.addEventListener(
    'focusout',
    ({ target, relatedTarget }) => {
      here = undefined;
      left = relatedTarget ? undefined : fieldAt(target, DIGITS);
      // The window's own `blur` follows at once. Without one the focus is still in this document.
      setTimeout(() => {
        left = undefined;
      });
    },
    { signal },
  );
  window.addEventListener(
    'blur',
    ({ timeStamp }) => {
      // A field that is still the active element keeps its place: the buyer is in another window or tab.
      if (!current()) lost(left, timeStamp);
    },
    { signal },
  );

  // A key that no control gets is no act: a page can give the frame the focus while the buyer types elsewhere.
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat || event.target === document.body) return;
      const leads = event.key === 'Tab' || event.key === 'Escape'; // the page may close a dialog by the latter
      acted(event, leads && !event.defaultPrevented);
    },
    { signal },
  );
  // Whoever comes by Tab pressed it on the page, and releases it here.
  document.addEventListener('keyup', (event) => event.key === 'Tab' && acted(event), { signal });
  document.addEventListener('pointerdown', (event) => acted(event), { signal, capture: true });
  document.addEventListener('click', (event) => acted(event), { signal, capture: true });

  if (document.hasFocus()) came(document.activeElement, performance.now()); // somebody types already

  return {
    blurred: () => lost(current(), performance.now()),
    mayReturn() {
      // Firefox tells a frame nothing that the page does not display any more.
      if (!document.hasFocus()) lost(here, performance.now());
      return theft.mayReturn();
    },
    isInterrupted: theft.isInterrupted,
  };
};
