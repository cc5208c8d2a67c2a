/**
 * Decides whether the page may move the focus to a card field.
 *
 * The attack: a page waits until a card field has the focus, focuses an invisible input of its own, collects the
 * digits the buyer types, and gives the focus back so that nothing seems to have happened. A frame cannot prevent the
 * first step, and from here a buyer who clicks elsewhere on the page looks the same. So the last step is refused: after
 * a card field lost the focus to the page, the page cannot move it back to one until the buyer does something in the
 * form. At that moment the form shows a notice if their typing was interrupted.
 *
 * Times are event times (`timeStamp`), in ms.
 */

/** Within this time after a key, or after the focus arrived, the buyer counts as typing. In ms. */
const TYPING = 1000;

/** What all frames of this form in one tab remember: that the buyer was interrupted, and has not acted since. */
export type InterruptionMemory = { isInterrupted(): boolean; set(is: boolean): void };

export type FocusTheft = {
  /** A card field received the focus. */
  came(at: number): void;
  /**
   * The buyer used a key or the pointer in the form. `isLeaving`: with a key that leaves the field (Tab, Escape). True
   * if the buyer should now see the notice that their typing was interrupted: once for each interruption.
   */
  acted(at: number, isLeaving: boolean): boolean;
  /** A card field lost the focus to the page. `isComplete`: the field, so there was nothing left to type. */
  lost(at: number, isComplete: boolean): void;
  /** Whether the page may move the focus to a card field. */
  mayReturn(): boolean;
  /** Whether the focus was taken while the buyer was typing, and they have done nothing in a form since. */
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
