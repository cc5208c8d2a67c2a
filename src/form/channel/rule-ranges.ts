/**
 * Ranges of the sizes in `appearance.rules`. The frame refuses values outside (`appearance/rules.ts`); the script on
 * the page fits what it reads for `appearance.from` into them (`loader/look/take-over.ts`).
 */

/** Smallest and largest value. Letter spacing is in em, a weight has no unit, everything else is in px. */
export const RULE_RANGES = {
  outlineWidth: [2, 4],
  outlineOffset: [0, 4],
  borderWidth: [0, 4],
  borderRadius: [0, 32],
  padding: [0, 32],
  height: [36, 80],
  gap: [0, 16],
  fontSize: [12, 20],
  fontWeight: [300, 800],
  letterSpacing: [0, 0.2],
} as const;

/** Maximum distance that shadow and outline reach beyond their box, in px. */
export const FARTHEST = 8;

/** Maximum distance that shadows reach into their box, in px: text is further from the edge. */
export const DEEPEST = 4;

export const MOST_SHADOWS = 4;

/** Rounds a length in px to a tenth, the precision of every length in an appearance. */
export const roundLength = (pixels: number): number => Math.round(pixels * 10) / 10;
