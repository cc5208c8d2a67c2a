/**
 * Whether the page may bring the focus to a card field.
 *
 * A page can take the keyboard from under the buyer's hands: it waits until a card field has the focus, focuses an
 * invisible input of its own, collects the digits, and gives the focus back so that nothing seems to have happened. No
 * frame can prevent the first step, and a buyer who clicks somewhere else on the page looks the same from here. So the
 * last step is refused: after a card field lost the focus to the page, the page cannot bring it back to one until the
 * buyer does something in the form. And buyers whose typing was interrupted are told so when they do.
 *
 * Times are in ms, of events (`timeStamp`).
 */

/** Whoever is interrupted this soon after a key, or after coming to the field, was about to type. In ms. */
const TYPING = 1000;

export type FocusTheft = {
  /** The focus came to a card field. */
  came(at: number): void;
  /**
   * The buyer pressed a key or a pointer in the form. `leads`: with a key that leads out of the field (Tab, Escape). True once
   * for a buyer who is to be told of an interruption.
   */
  acted(at: number, leads: boolean): boolean;
  /** A card field lost the focus to the page around the form. `isDone`: nothing was missing in it. */
  lost(at: number, isDone: boolean): void;
  /** Whether the page may bring the focus to a card field. */
  mayReturn(): boolean;
  /** Whether the focus was taken while the buyer typed, and the buyer has not come back yet. */
  isInterrupted(): boolean;
};

/** Nothing has happened yet. */
export const createFocusTheft = (): FocusTheft => {
  let typedAt = Number.NEGATIVE_INFINITY;
  let isLeaving = false;
  let isTaken = false;
  let isInterrupted = false;
  return {
    came(at) {
      typedAt = at;
      isLeaving = false;
    },
    acted(at, leads) {
      const tells = isInterrupted;
      typedAt = at;
      isLeaving = leads;
      isTaken = false;
      isInterrupted = false;
      return tells;
    },
    lost(at, isDone) {
      if (isLeaving) return; // by the buyer's own key
      isTaken = true;
      isInterrupted ||= !isDone && at - typedAt < TYPING;
    },
    mayReturn: () => !isTaken,
    isInterrupted: () => isInterrupted,
  };
};
