/**
 * Decides whether the page may move the focus to a card field.
 *
 * The attack: a page waits until a card field has the focus, focuses its own invisible input, collects the digits the
 * buyer types, and returns the focus so that nothing seems to have happened. A frame cannot prevent the first step:
 * from here, a buyer who clicks elsewhere on the page looks the same. So the last step is refused: after a card field
 * lost the focus to the page, the page cannot move it back to one until the buyer does something in the form. The form
 * then shows a notice if their typing was interrupted.
 *
 * Times are event times (`timeStamp`), in ms.
 */

/** The buyer counts as typing for this long after a key or after the focus arrived, in ms. */
const TYPING = 1000;

/** Memory shared by all frames of this form in a tab: the buyer was interrupted and has not acted since. */
export type InterruptionMemory = { isInterrupted(): boolean; set(is: boolean): void };

export type FocusTheft = {
  /** A card field received the focus. */
  came(at: number): void;
  /**
   * The buyer used a key or the pointer in the form. `isLeaving`: the key leaves the field (Tab, Escape). Returns true
   * if the buyer should now see the notice that their typing was interrupted: once per interruption.
   */
  acted(at: number, isLeaving: boolean): boolean;
  /**
   * A card field lost the focus to the page. `isComplete`: the field was complete, so there was nothing left to type.
   */
  lost(at: number, isComplete: boolean): void;
  /** Returns true if the page may move the focus to a card field. */
  mayReturn(): boolean;
  /** Returns true if the focus was taken while the buyer was typing, and they have not acted in a form since. */
  isInterrupted(): boolean;
};

export const createFocusTheft = ({ isInterrupted, set }: InterruptionMemory): FocusTheft => {
  let typedAt = Number.NEGATIVE_INFINITY;
  let wasLeaving = false;
  let isTaken = false;
  return {
    came(at) {
      typedAt = at;
      wasLeaving = false;
    },
    acted(at, isLeaving) {
      const wasInterrupted = isInterrupted();
      typedAt = at;
      wasLeaving = isLeaving;
      isTaken = false;
      if (wasInterrupted) set(false);
      return wasInterrupted;
    },
    lost(at, isComplete) {
      if (wasLeaving) return; // the buyer left by Tab or Escape
      isTaken = true;
      if (!isComplete && at - typedAt < TYPING) set(true);
    },
    mayReturn: () => !isTaken && !isInterrupted(),
    isInterrupted,
  };
};
