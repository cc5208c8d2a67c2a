/** Whether a submit comes from a person who presses now, and by what. */
import type { Spot } from './pointer-trail.ts';

/** How the latest click came about. */
export type Click =
  | { by: 'key' }
  /** `at` in monotonic ms: when the pointer went down. `spot` on the screen. */
  | { by: 'mouse' | 'touch'; at: number; spot: Spot };

export type Liveness = {
  /**
   * True for a submit that is trusted itself, as is the click that caused it, while the browser counts the person as
   * active, and that is no repetition of a key still held from an earlier press (research 2.7: the total may have
   * changed meanwhile).
   */
  isLive(submit: Event): boolean;
  /** The click that caused the latest submit. Enter in a field clicks the button without a pointer. */
  click(): Click;
};

/** Listens until the signal. */
export const createLiveness = (signal: AbortSignal): Liveness => {
  let click: Click = { by: 'key' };
  /** A click that a script made up submits a form like a true one. */
  let isMadeUp = false;
  let isHeld = false;
  let isRepeated = false;
  /** What pressed last, and when. */
  let down: { by: 'mouse' | 'touch'; at: number } = { by: 'mouse', at: 0 };

  const options = { capture: true, signal };
  window.addEventListener(
    'pointerdown',
    ({ pointerType, timeStamp }) => {
      down = { by: pointerType === 'touch' ? 'touch' : 'mouse', at: timeStamp };
    },
    options,
  );
  window.addEventListener(
    'keydown',
    ({ repeat }) => {
      isHeld = repeat;
    },
    options,
  );
  window.addEventListener(
    'keyup',
    () => {
      isHeld = false;
    },
    options,
  );
  window.addEventListener(
    'click',
    ({ detail, isTrusted, screenX, screenY }) => {
      const isByKey = detail === 0; // also what assistive technology clicks
      click = isByKey ? { by: 'key' } : { ...down, spot: { x: screenX, y: screenY } };
      isMadeUp = !isTrusted;
      isRepeated = isByKey && isHeld;
      isHeld = false; // each repetition begins with a keydown of its own
    },
    options,
  );

  return {
    isLive: ({ isTrusted }) =>
      isTrusted && !isMadeUp && !isRepeated && (navigator.userActivation?.isActive ?? true),
    click: () => click,
  };
};
