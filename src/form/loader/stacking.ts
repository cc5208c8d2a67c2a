/** Decides whether an element that hit testing can't find is drawn below the form. In doubt it is above. */
import { around } from './around.ts';
import { HAIRLINE, isDrawnApart } from './readable.ts';
import { unclobbered } from './unclobbered.ts';

/** Returns true if the element is in the top layer. A browser ignores unknown selectors in `:is()`. */
export const isOnTop = (element: Element): boolean =>
  unclobbered(element).matches(':is(:modal,:popover-open,:fullscreen)');

/** Blocks are drawn before inline content such as an iframe, and that before positioned elements. */
const [BLOCK, FLOW, PLACED] = [-1, -0.5, 0];

/** Returns true if an element of this style is a flex or grid item, which is drawn as a whole. */
const isItem = (parent: Element | undefined): boolean =>
  !!parent && /flex|grid/.test(getComputedStyle(parent).display);

const isFloat = (style: CSSStyleDeclaration): boolean => style.getPropertyValue('float') !== 'none';

/** The highest level at which a box of this style may be drawn, if nothing around it decides. */
const highestOf = (style: CSSStyleDeclaration, parent: Element | undefined): number => {
  const { zIndex, position, display, outlineStyle, outlineWidth, textShadow } = style;
  const isPlaced = position !== 'static';
  if (zIndex !== 'auto' && (isPlaced || Number(zIndex) > 0)) return Number(zIndex);
  if (isPlaced || isDrawnApart(style)) return PLACED;
  // An outline is drawn after the text.
  if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= HAIRLINE) return PLACED;
  const isBlock = !/^(inline|contents)/.test(display) && !isFloat(style) && textShadow === 'none';
  return isBlock && !isItem(parent) ? BLOCK : FLOW;
};

/** Returns true if the element certainly is a stacking context, so that z-indexes within it don't count outside. */
const isContext = ({
  position,
  zIndex,
  isolation,
  opacity,
  transform,
  filter,
}: CSSStyleDeclaration): boolean =>
  (position !== 'static' && zIndex !== 'auto') ||
  isolation === 'isolate' ||
  Number(opacity) < 1 ||
  transform !== 'none' ||
  filter !== 'none';

/** The highest level at which these elements, innermost first, may be drawn within `shared`. */
const highest = (path: readonly Element[], shared: Element): number => {
  let level = Number.NEGATIVE_INFINITY;
  let parent = shared;
  for (const one of [...path].reverse()) {
    const style = getComputedStyle(one);
    level = Math.max(level, highestOf(style, parent));
    if (isContext(style)) break;
    parent = one;
  }
  return level;
};

/** The lowest level at which the innermost of these elements, outermost first, may be drawn. */
const lowest = ([first, ...within]: readonly Element[]): number => {
  if (!first) return FLOW;
  if (isOnTop(first)) return Number.POSITIVE_INFINITY;
  const style = getComputedStyle(first);
  const [isPlaced, level] = [style.position !== 'static', Number(style.zIndex)];
  if (isPlaced && style.zIndex !== 'auto') return level;
  const inside = lowest(within);
  if (isDrawnApart(style)) return Math.min(PLACED, level || PLACED, inside);
  if (style.zIndex !== 'auto') return Math.min(inside, level); // an item of a flex box, or nothing
  if (isFloat(style)) return Math.min(inside, BLOCK);
  return isPlaced && inside === FLOW ? PLACED : inside;
};

/** Returns true if an element is certainly drawn before another at the same level. */
const precedes = (one: Element, other: Element, paths: readonly Element[]): boolean => {
  const { DOCUMENT_POSITION_DISCONNECTED: APART, DOCUMENT_POSITION_FOLLOWING: AFTER } = Node;
  const { compareDocumentPosition } = unclobbered(one);
  return (
    (compareDocumentPosition(other) & (APART | AFTER)) === AFTER &&
    paths.every((each) => getComputedStyle(each).order === '0' && !unclobbered(each).assignedSlot)
  );
};

/**
 * `form`: the elements that the form is drawn on, from the iframe outwards. `pseudo`: the style of a pseudo-element, if
 * that is to be judged.
 */
export const isBelow = (
  element: Element,
  form: readonly [Element, ...Element[]],
  pseudo?: CSSStyleDeclaration,
): boolean => {
  const path = around(element);
  const shared = path.find((one) => form.includes(one));
  if (!shared) return false;
  const theirs = path.slice(0, path.indexOf(shared));
  const mine = form.slice(0, form.indexOf(shared)).reverse();
  // The top layer has its own order. Only another modal dialog is below the form's own, which makes it inert.
  const top = theirs.find(isOnTop);
  if (top) return [top, mine.find(isOnTop) ?? shared].every((one) => unclobbered(one).matches(':modal'));
  const level = Math.max(
    highest(theirs, shared),
    pseudo ? highestOf(pseudo, element) : Number.NEGATIVE_INFINITY,
  );
  const least = lowest(mine);
  if (getComputedStyle(shared).transformStyle === 'preserve-3d') return false;
  return level < least || (level === least && precedes(element, form[0], [...theirs, ...mine]));
};
