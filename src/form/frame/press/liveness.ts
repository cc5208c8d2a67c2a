/** Checks that a click comes from a person pressing now, and records what they pressed with. */
import type { Spot } from './pointer-trail.ts';

/** The cause of a click. */
export type Click =
  | { by: 'key' }
  /** `at`: when the pointer went down, in monotonic ms. `spot` on the screen. */
  | { by: 'mouse' | 'touch'; at: number; spot: Spot };

export type Liveness = {
  /**
   * True if the latest click is trusted, the browser reports user activation, and the click is not the repetition of a
   * key held since an earlier press (outcomes 2.7: the total may have changed in the meantime).
   */
  isLive(click: Event): boolean;
  /** The latest click. Enter in a field clicks the button without a pointer. */
  click(): Click;
};

/** Listens until the signal aborts. */
export const createLiveness = (signal: AbortSignal): Liveness => {
  let click: Click = { by: 'key' };
  let isHeld = false;
  let isRepeated = false;
  /** The latest pointer that went down. */
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
    ({ detail, screenX, screenY }) => {
      const isByKey = detail === 0; // or by assistive technology
      click = isByKey ? { by: 'key' } : { ...down, spot: { x: screenX, y: screenY } };
      isRepeated = isByKey && isHeld;
      isHeld = false; // each repetition has its own keydown
    },
    options,
  );

  return {
    isLive: ({ isTrusted }) => isTrusted && !isRepeated && (navigator.userActivation?.isActive ?? true),
    click: () => click,
  };
};
