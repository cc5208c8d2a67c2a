/**
 * Judges a press by the rules in `guard.ts`. Pure: takes the facts of one moment (`PressFacts`), returns a refusal or
 * null. A press is judged twice: before the page's script is asked about covers, and with its answer.
 */
import type { CoversAnswer } from '../../channel/commands.ts';
import { type Happened, PAUSE } from './listeners.ts';
import type { Click } from './liveness.ts';
import type { AmountPlace, PlaceName } from './places.ts';
import { distance } from './pointer-trail.ts';
import { SMALLEST_FRAME } from './smallest-frame.ts';

/** Who triggered the payment: the buyer with our button, or the page with `submit()`. */
export type Presser = 'buyer' | 'host';

/** Reason a press does not count. */
export type GuardRefusal =
  /** The amount, or the button under a finger, has not been seen long enough. */
  | 'too_soon'
  /** The button moved under the pointer. */
  | 'moved'
  /** The frame is too small to read. */
  | 'too_small'
  /** An element covers the amount or the button. */
  | 'obscured';

/** A press refused because of a cover: the amount it would have paid, and its time in monotonic ms. */
export type CoveredPress = { readonly amount: string; readonly at: number };

/** The facts at one moment. Times in monotonic ms. */
export type PressFacts = Readonly<Happened> & {
  readonly now: number;
  /** The amount a press would pay; null before there is one. */
  readonly amount: string | null;
  /** The places that show the amount; null where there is none. */
  readonly places: Readonly<Record<PlaceName, AmountPlace | null>>;
  /** Total time the amount has been seen since it last changed, and whether it is seen now. */
  readonly seenFor: number;
  readonly isSeen: boolean;
  /** Ms until a resting mouse may press a button that moved under it; 0 if it may now. */
  readonly restLeft: number;
  /** The latest press refused because of a cover. */
  readonly covered: CoveredPress | null;
};

/** Total time the amount must have been seen since it last changed, in ms. */
const SEEN_FOR = 500;

/** Half of the button must have been in view this long before a tap, in ms. */
const IN_SIGHT_FOR = 300;

/** Browsers report that an element came into view up to this long after drawing it, in ms. */
const REPORT_DELAY = 50;

/** A pointer the page saw this recently (ms) and this close (CSS pixels) was there before the button. */
const SEEN_BY_PAGE = { within: 500, near: 16 };

/**
 * A press after a refusal for a cover counts within this range, in ms since the refusal: later than a double click,
 * but soon.
 */
export const SECOND_PRESS = { from: 500, until: 8000 };

/** Presses are ignored for this long after the tab came to the front, in ms. */
const IN_FRONT_FOR = 500;

/** The places where the buyer can read the amount, covered or not. The hint repeats it only after a refusal. */
const shown = ({ places }: PressFacts): readonly (AmountPlace | null)[] =>
  [places.total, places.button].filter((place) => place?.isInView);

const isClear = (place: AmountPlace | null): boolean => place?.isInView === true && place.cover === 'none';

/** Returns true if an element of the page covers the amount. */
export const isLaidOver = (facts: PressFacts): boolean =>
  shown(facts).some((place) => place?.cover === 'over');

/** Returns true if the amount is in view with nothing over it. */
export const isAmountClear = (facts: PressFacts): boolean =>
  [...shown(facts), facts.places.hint].some(isClear);

/** Ms until a tap counts on a button that must stay in sight, or a click of a resting mouse. */
export const msToPointer = (facts: PressFacts): number => {
  const button = facts.places.button;
  if (!facts.isTapping || !button) return facts.isTapping ? 0 : facts.restLeft;
  return (button.halfInViewSince ?? Number.POSITIVE_INFINITY) + IN_SIGHT_FOR - facts.now;
};

/** Ms until the amount has been seen long enough; 0 if it is covered: such a press is refused with the hint. */
export const msToSeen = (facts: PressFacts): number => {
  if (facts.seenFor >= SEEN_FOR || isLaidOver(facts)) return 0;
  return facts.isSeen ? SEEN_FOR - facts.seenFor : Number.POSITIVE_INFINITY;
};

/** Returns true if the button had been in view long enough when the finger came down. */
const wasInSight = (facts: PressFacts, at: number): boolean => {
  const since = facts.places.button?.halfInViewSince ?? null;
  return since !== null && at - since >= IN_SIGHT_FOR - REPORT_DELAY;
};

const pointerRefusal = (facts: PressFacts, click: Click): GuardRefusal | null => {
  if (click.by === 'mouse') return facts.cameToButton ? null : 'moved';
  return click.by === 'key' || wasInSight(facts, click.at) ? null : 'too_soon';
};

/** Returns true if a key may be meant for the page, which moved the focus here while the buyer was typing there. */
export const isMeantForPage = ({ now, pageKeyAt }: PressFacts): boolean => now - pageKeyAt < PAUSE;

/** Returns the reason a press does not count regardless of covers, or null. */
export const refusalAtOnce = (
  facts: PressFacts,
  presser: Presser,
  click: Click,
  { innerWidth, innerHeight }: Pick<Window, 'innerWidth' | 'innerHeight'>,
): GuardRefusal | null => {
  if (innerWidth < SMALLEST_FRAME.width || innerHeight < SMALLEST_FRAME.height) return 'too_small';
  if (facts.amount === null || facts.now - facts.frontAt < IN_FRONT_FOR) return 'too_soon';
  if (presser === 'buyer' && click.by === 'key' && isMeantForPage(facts)) return 'too_soon';
  return pointerRefusal(facts, click);
};

const wasSeenByPage = ({ now }: PressFacts, click: Click, pointer: CoversAnswer['pointer']): boolean =>
  click.by !== 'key' &&
  pointer !== null &&
  pointer.age - (now - click.at) < SEEN_BY_PAGE.within &&
  distance(pointer, click.spot) < SEEN_BY_PAGE.near;

const isCovered = (facts: PressFacts, click: Click): boolean => {
  if (isLaidOver(facts)) return true;
  if (click.by !== 'key') return facts.places.button?.cover !== 'none';
  const places = shown(facts);
  return places.length > 0 && !places.some(isClear);
};

/** Returns true if the hint asked the buyer to press again, and they can read it. */
const wasAskedAgain = (facts: PressFacts): boolean => {
  const { covered, amount, now } = facts;
  const age = covered?.amount === amount ? now - covered.at : Number.NaN;
  return age >= SECOND_PRESS.from && age <= SECOND_PRESS.until && isClear(facts.places.hint);
};

/** Returns the reason a press does not count, or null. `pointer`: where the page's script last saw it. */
export const refusalByAnswer = (
  facts: PressFacts,
  click: Click,
  pointer: CoversAnswer['pointer'],
): GuardRefusal | null => {
  if (wasSeenByPage(facts, click, pointer)) return 'moved';
  if (isCovered(facts, click) && !wasAskedAgain(facts)) return 'obscured';
  return facts.seenFor < SEEN_FOR ? 'too_soon' : null;
};

/** The covered press to remember after this one was judged. The exception for a covered press holds for one press. */
export const coveredAfter = (
  { covered, now }: PressFacts,
  judged: string,
  refusal: GuardRefusal | null,
): CoveredPress | null => {
  if (refusal === null) return null;
  const isDoubleClick = covered !== null && now - covered.at < SECOND_PRESS.from;
  return refusal !== 'obscured' || isDoubleClick ? covered : { amount: judged, at: now };
};
