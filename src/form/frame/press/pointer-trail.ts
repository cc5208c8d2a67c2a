/**
 * Follows the pointer and the button on the screen, to tell whether the pointer came to the button or the button to
 * the pointer. A frame cannot ask where on the screen it is; `screenX - clientX` of a trusted pointer event tells.
 */

/** A point on the screen, in CSS pixels. */
export type Spot = { readonly x: number; readonly y: number };

/** What one pointer event shows. */
export type PointerFact = {
  /** `enter`: the pointer came into the frame from outside. */
  readonly kind: 'enter' | 'move' | 'other';
  /** `screenX`, `screenY`. */
  readonly spot: Spot;
  /** The button's top left corner on the screen at that moment. */
  readonly button: Spot;
  /** Whether the pointer was over the button then. */
  readonly isOver: boolean;
  /** The event's `timeStamp`, in monotonic ms. */
  readonly at: number;
};

export type PointerTrail = {
  note(fact: PointerFact): void;
  /** The pointer left the frame: nothing is known of it or of the button until the next event. */
  forget(): void;
  /**
   * Whether the pointer came to the button: since the button last moved on the screen, the pointer has travelled or
   * the button has rested for long enough.
   */
  cameToButton(at: number): boolean;
  /**
   * Ms until `cameToButton` is true for a pointer that rests on the button; 0 if it is already, if no pointer is known, or
   * if it rests elsewhere: it has yet to come.
   */
  restLeft(at: number): number;
};

/** How long the button must have rested if the pointer has not moved, in ms. */
const REST = 300;

/** More than a still hand moves a mouse between two clicks, in CSS pixels. */
const TRAVEL = 8;

/** On a scaled page `screenX - clientX` drifts by less than this between two events, in CSS pixels. */
const SAME_PLACE = 2;

/** The events of one movement arrive within this time, in ms. */
const AT_ONCE = 50;

export const distance = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * Whether this move brought the pointer into the frame: it began outside, so its length is not known. The `enter`
 * comes first, at the same point; in Firefox or with a fake clock the two times differ. A frame that appears under a
 * pointer at rest causes an `enter` without a move.
 */
const movedIn = (before: PointerFact, { kind, spot, at }: PointerFact): boolean =>
  before.kind === 'enter' && kind === 'move' && distance(before.spot, spot) === 0 && at - before.at < AT_ONCE;

/** Nothing is known at the start: the first event counts as the button's arrival. */
export const createPointerTrail = (): PointerTrail => {
  let last: PointerFact | null = null;
  /** When the button was first seen where it is now. */
  let restsSince = 0;
  /** The pointer's way since then, in CSS pixels. */
  let travelled = 0;

  return {
    note(fact) {
      if (!last || distance(last.button, fact.button) > SAME_PLACE) {
        restsSince = fact.at;
        travelled = 0;
      }
      // The pointer has moved if it is somewhere else, even without a move event: WebKit's driver sends none.
      if (last) travelled += distance(last.spot, fact.spot);
      if (last && movedIn(last, fact)) travelled += TRAVEL;
      last = fact;
    },
    forget() {
      last = null;
      travelled = 0;
    },
    cameToButton: (at) => last !== null && (travelled >= TRAVEL || at - restsSince >= REST),
    restLeft: (at) => (!last?.isOver || travelled >= TRAVEL ? 0 : Math.max(0, restsSince + REST - at)),
  };
};
