/**
 * Where the pointer was and whether the button moved on the screen, from the trusted pointer events the frame gets.
 * A frame cannot ask where it is; `screenX - clientX` of an event says so at that moment.
 */

/** A place on the screen, in CSS pixels. */
export type Spot = { readonly x: number; readonly y: number };

/** What a pointer event tells. */
export type PointerFact = {
  /** `enter`: it came into the frame from outside. */
  readonly kind: 'enter' | 'move' | 'other';
  /** `screenX`, `screenY`. */
  readonly spot: Spot;
  /** Where the button's corner is on the screen, as this event shows it. */
  readonly button: Spot;
  /** The event's `timeStamp`, in monotonic ms. */
  readonly at: number;
};

export type PointerTrail = {
  note(fact: PointerFact): void;
  /** The pointer left the frame: where it is and what moves meanwhile is not known. */
  forget(): void;
  /**
   * Whether the pointer came to the button and not the button to the pointer: since the button last moved on the
   * screen the pointer has travelled, or the button has rested long enough.
   */
  cameToButton(at: number): boolean;
  /** In how many ms that is so of a pointer that does not move; 0 where it is, or nothing is known of a pointer. */
  comesIn(at: number): number;
};

/** How long the button must have rested where it is for a pointer that has not moved, in ms. */
const REST = 300;

/** More than a hand that holds still moves a mouse between two clicks, in CSS pixels. */
const TRAVEL = 8;

/** A page that is scaled makes `screenX - clientX` drift by less than this from event to event, in CSS pixels. */
const SAME_PLACE = 2;

/** Within this time, in ms, what one movement brought about has been told. */
const AT_ONCE = 50;

export const distance = (a: Spot, b: Spot): number => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * Whether the pointer moved into the frame: such a move began outside, and its length is not known. That it came in is
 * told first, at the same place, and in Firefox or under a test's own clock not at the same time. A frame that comes up
 * under a pointer at rest brings no move.
 */
const broughtIn = (before: PointerFact, { kind, spot, at }: PointerFact): boolean =>
  before.kind === 'enter' && kind === 'move' && distance(before.spot, spot) === 0 && at - before.at < AT_ONCE;

/** Starts with nothing known: the first event counts as the button's arrival. */
export const createPointerTrail = (): PointerTrail => {
  let last: PointerFact | null = null;
  /** When the button was first seen where it is now. */
  let restsSince = 0;
  /** How far the pointer has travelled since then, in CSS pixels. */
  let travelled = 0;

  return {
    note(fact) {
      if (!last || distance(last.button, fact.button) > SAME_PLACE) {
        restsSince = fact.at;
        travelled = 0;
      }
      // Wherever it is, it has moved since, told of or not: WebKit's driver clicks without a move.
      if (last) travelled += distance(last.spot, fact.spot);
      if (last && broughtIn(last, fact)) travelled += TRAVEL;
      last = fact;
    },
    forget() {
      last = null;
      travelled = 0;
    },
    cameToButton: (at) => last !== null && (travelled >= TRAVEL || at - restsSince >= REST),
    comesIn: (at) => (last === null || travelled >= TRAVEL ? 0 : Math.max(0, restsSince + REST - at)),
  };
};
