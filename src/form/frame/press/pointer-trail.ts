/**
 * Tracks the positions of pointer and button on the screen, to distinguish a pointer that came to the button from a
 * button that came to the pointer. A frame cannot ask for its screen position, so it is computed from
 * `screenX - clientX` of trusted pointer events.
 */

/** A point on the screen, in CSS pixels. */
export type Spot = { readonly x: number; readonly y: number };

/** Facts from one pointer event. */
export type PointerFact = {
  /** `enter`: the pointer came into the frame from outside. */
  readonly kind: 'enter' | 'move' | 'other';
  /** `screenX`, `screenY`. */
  readonly spot: Spot;
  /** The screen position of the button's top left corner at that moment. */
  readonly button: Spot;
  /** True if the pointer was over the button at that moment. */
  readonly isOver: boolean;
  /** The event's `timeStamp`, in monotonic ms. */
  readonly at: number;
};

export type PointerTrail = {
  note(fact: PointerFact): void;
  /** The pointer left the frame: its position and the button's are unknown until the next event. */
  forget(): void;
  /**
   * True if the pointer came to the button: since the button last moved on the screen, the pointer has travelled or the
   * button has rested long enough.
   */
  cameToButton(at: number): boolean;
  /**
   * Ms until `cameToButton` is true for a pointer resting on the button. 0 if it already is, if no pointer is known, or
   * if the pointer rests elsewhere and has yet to come.
   */
  restLeft(at: number): number;
};

/** The button must rest this long if the pointer does not move, in ms. */
const REST = 300;

/** Farther than a still hand moves a mouse between two clicks, in CSS pixels. */
const TRAVEL = 8;

/** On a scaled page `screenX - clientX` drifts by less than this between two events, in CSS pixels. */
const SAME_PLACE = 2;

/** The events of one movement arrive within this time, in ms. */
const AT_ONCE = 50;

export const distance = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * Returns true if this move brought the pointer into the frame: it began outside, so its length is unknown. The `enter`
 * comes first, at the same point; in Firefox or with a fake clock the two times differ. A frame that appears under a
 * resting pointer causes an `enter` without a move.
 */
const movedIn = (before: PointerFact, { kind, spot, at }: PointerFact): boolean =>
  before.kind === 'enter' && kind === 'move' && distance(before.spot, spot) === 0 && at - before.at < AT_ONCE;

/** Starts with no knowledge: the first event counts as the button's arrival. */
export const createPointerTrail = (): PointerTrail => {
  let last: PointerFact | null = null;
  /** Time the button was first seen at its current place. */
  let restsSince = 0;
  /** Distance the pointer has travelled since then, in CSS pixels. */
  let travelled = 0;

  return {
    note(fact) {
      if (!last || distance(last.button, fact.button) > SAME_PLACE) {
        restsSince = fact.at;
        travelled = 0;
      }
      // A pointer at a different position has moved, even without a move event: WebKit's driver sends none.
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
