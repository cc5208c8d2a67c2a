/**
 * Finds what is painted over the form but not found by hit testing: boxes that are inert or still let the pointer
 * through, and painting outside of boxes. Each is judged by its box, in doubt by a larger one, and counts unless it is
 * known to be below the form.
 *
 * Elements of the page may be forms, whose fields can hide the properties that are read here, hence `unclobbered`.
 */
import { around } from './around.ts';
import { alphaOf, FAINT, HAIRLINE, inkOf, isMarked, lengthsIn } from './readable.ts';
import { isBelow, isOnTop } from './stacking.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

export type Sides = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** An element that paints there, itself or by a pseudo-element. `hides`: how much, if only its shadow is there. */
export type Stray = Sides & { readonly one: Element; readonly hides?: number | undefined };

const grow = ({ left, right, top, bottom }: Sides, by: number): Sides => ({
  left: left - by,
  right: right + by,
  top: top - by,
  bottom: bottom + by,
});

/**
 * Returns true unless two boxes are known to be apart: they share a point, if only an edge, or a side is not a number.
 */
export const meets = (one: Sides, other: Sides): boolean =>
  !(one.right < other.left || one.left > other.right || one.bottom < other.top || one.top > other.bottom);

const EVERYWHERE = grow({ left: 0, right: 0, top: 0, bottom: 0 }, Number.POSITIVE_INFINITY);

/** A safe view of an element. Only forms need one, since no other element's properties can be hidden. */
export const viewOf = (one: Element): Element => (one instanceof HTMLFormElement ? unclobbered(one) : one);

/** All elements of the document, including those in open shadow roots. */
export const allElements = (): readonly Element[] => {
  const all: Element[] = [];
  const roots: (Document | ShadowRoot)[] = [unclobberedDocument()];
  for (const root of roots) {
    for (const one of root.querySelectorAll('*|*')) {
      all.push(one);
      const { shadowRoot } = viewOf(one);
      if (shadowRoot) roots.push(shadowRoot);
    }
  }
  return all;
};

/** Pseudo-elements with their own box on plain elements, since nothing enumerates them. */
const PSEUDO = ['::before', '::after'];
const OF_SCROLLERS = ['left', 'right', 'up', 'down'].map((to) => `::scroll-button(${to})`);

/** The styles of the element's existing pseudo-elements. */
export const pseudoOf = (element: Element, isScroller = true): CSSStyleDeclaration[] =>
  [...PSEUDO, ...(isScroller ? OF_SCROLLERS : [])]
    .map((name) => getComputedStyle(element, name))
    .filter(({ content, display }) => display !== 'none' && !/^(none|normal|)$/.test(content));

export const hasText = (element: Element): boolean =>
  [...unclobbered(element).childNodes].some((node) =>
    node instanceof Element
      ? getComputedStyle(node).display === 'contents' && (hasText(node) || pseudoOf(node).length > 0)
      : node instanceof Text && /\S/.test(node.data),
  );

/**
 * Painting outside the box: the property that shows if there is any, and those with its lengths if the first has none.
 */
const AROUND = [
  ['box-shadow'],
  ['text-shadow'],
  ['-webkit-text-stroke-width'],
  ['filter'],
  ['outline-style', 'outline-width', 'outline-offset'],
  ['border-image-source', 'border-image-outset', 'border-width'],
  ['text-decoration-line', 'text-decoration-thickness', 'text-underline-offset'],
] as const;

/** The layers of a value; functions are not nested in computed shadows. */
const layersOf = (value: string): readonly string[] => value.replace(/\([^()]*\)/g, '').split(',');

/** The maximum distance, in CSS pixels, that a box of this style paints beyond its edges. */
const reachOf = (style: CSSStyleDeclaration, except = ''): number => {
  if (!/^(none|)$/.test(style.getPropertyValue('-webkit-box-reflect'))) return Number.POSITIVE_INFINITY;
  let far = 0;
  for (const [name, ...lengths] of AROUND) {
    const value = style.getPropertyValue(name);
    if (name === except || value === 'none' || value === '' || value === '0px') continue;
    // A filter of the page may draw anywhere, a blur reaches three times its length, and a number multiplies border
    // widths.
    if (name === 'filter' && value.includes('url(')) return Number.POSITIVE_INFINITY;
    const [first = value, ...more] = lengths.map((each) => style.getPropertyValue(each));
    const unit = name === 'border-image-source' ? Math.max(0, ...lengthsIn(more.join(' '))) : 0;
    const [layers, times] = name === 'filter' ? [[first], 3] : [layersOf(first), 1];
    const sums = layers.map((layer) => lengthsIn(layer).reduce((sum, length) => sum + length * times, 0));
    far += Math.max(...sums, ...first.split(' ').map((part) => (Number(part) || 0) * unit));
    for (const length of unit ? [] : lengthsIn(more.join(' '))) far += length;
  }
  return far;
};

/** The scale at which an element is drawn, at least 1. Unknown for an element without a size inside a scaling one. */
export const scaleOf = (one: Element): number => {
  const { width, height } = viewOf(one).getBoundingClientRect();
  const { offsetWidth = 0, offsetHeight = 0 } = one instanceof HTMLElement ? unclobbered(one) : {};
  if (offsetWidth > 0 && offsetHeight > 0) return Math.max(1, width / offsetWidth, height / offsetHeight);
  return around(one).some((each) => {
    const { transform, scale, zoom } = getComputedStyle(each);
    return /[(]/.test(transform) || !/^(none|)$/.test(scale) || Number(zoom || 1) !== 1;
  })
    ? Number.POSITIVE_INFINITY
    : 1;
};

/** The distance that an element, or a pseudo-element of it, paints beyond its edges, as drawn. */
const drawnReach = (one: Element, style: CSSStyleDeclaration): number => {
  const reach = reachOf(style);
  return reach > 0 ? reach * scaleOf(one) : 0; // 0 times an unknown scale is NaN
};

/** The element itself, or the nearest ancestor with a box if it has none. */
export const boxedBy = (one: Element): Element =>
  around(one).find((each) => getComputedStyle(each).display !== 'contents') ?? one;

/** The box of an element, or of the nearest ancestor with one, including its text. */
const boxOf = (one: Element): Sides => {
  const own = viewOf(boxedBy(one)).getBoundingClientRect();
  if (!hasText(one)) return own;
  const range = unclobberedDocument().createRange();
  range.selectNodeContents(one);
  const text = range.getBoundingClientRect();
  return {
    left: Math.min(own.left, text.left),
    right: Math.max(own.right, text.right),
    top: Math.min(own.top, text.top),
    bottom: Math.max(own.bottom, text.bottom),
  };
};

/** Returns true if the box may move its content, or positions it without being positioned itself. */
const isFrame = (style: CSSStyleDeclaration): boolean =>
  [
    'transform',
    'rotate',
    'scale',
    'translate',
    'offset-path',
    'filter',
    'perspective',
    'contain',
    'will-change',
  ]
    .map((name) => style.getPropertyValue(name))
    .some((value) => !/^(none|auto|)$/.test(value));

/** The area where a pseudo-element of this element may be drawn: in doubt, everywhere. */
const boxOfPseudo = (one: Element, style: CSSStyleDeclaration): Sides => {
  const { position } = style;
  if (isFrame(style) || /relative|sticky/.test(position)) return EVERYWHERE;
  const px = (name: string) => Math.abs(Number.parseFloat(style.getPropertyValue(name)) || 0);
  const [width, height] = [px('width'), px('height')];
  const edges = ['padding', 'margin', 'border'].reduce(
    (sum, name) => sum + px(`${name}-left`) + px(`${name}-top`),
    drawnReach(one, style),
  );
  if (position === 'static') return grow(boxOf(one), width + height + edges);
  const path = around(one);
  const by = position === 'absolute' && path.find((each) => getComputedStyle(each).position !== 'static');
  if (path.slice(0, by ? path.indexOf(by) : path.length).some((each) => isFrame(getComputedStyle(each))))
    return EVERYWHERE;
  const { left, top } = by ? viewOf(by).getBoundingClientRect() : new DOMRect();
  const [x, y] = [left + Number.parseFloat(style.left), top + Number.parseFloat(style.top)];
  return Number.isNaN(x + y) ? EVERYWHERE : grow(new DOMRect(x, y, width, height), edges);
};

/** Returns true if hit testing finds a box of this style, unless something around it is inert. */
const isCaught = (style: CSSStyleDeclaration): boolean =>
  style.pointerEvents === 'auto' &&
  style.getPropertyValue('interactivity') !== 'inert' &&
  !/^table-col/.test(style.display);

/** Elements that may be over the form. */
export type Near = {
  readonly strays: readonly Stray[];
  /** Nearby boxes of elements that hit testing finds, or may find. */
  readonly boxes: readonly Sides[];
};

/**
 * Returns a function that finds those of `some` elements that may be over this box, among `all` of the page. It returns
 * undefined if a stray covers the whole form: a backdrop, or text or a pseudo-element of something that the form is
 * drawn on. `form`: the elements that the form is drawn on, from the iframe outwards. `below`: the elements that the
 * form in front was raised above. Throws if it takes longer than `until`.
 */
export const nearTo = (
  box: DOMRect,
  all: readonly Element[],
  form: ReturnType<typeof around>,
  below: ReadonlySet<Element> | undefined,
  until: number,
): ((some: readonly Element[]) => Near | undefined) => {
  const drawnOn = new Set(form);
  const modal = unclobberedDocument().querySelector(':modal');
  const isInModal = form.some((one) => unclobbered(one).matches(':modal'));
  const inert = new Set(all.filter((one) => viewOf(one).matches('[inert]')));
  // When in front, only the top layer is above the form, except for elements already there before.
  const above = below && all.filter((one) => isOnTop(one) && !below.has(one));

  return (some) => {
    const strays: Stray[] = [];
    const boxes: Sides[] = [];
    const add = (one: Element, sides: Sides, hides?: number, pseudo?: CSSStyleDeclaration) => {
      const { left, right, top, bottom } = sides;
      if (meets(sides, box) && (below || !isBelow(one, form, pseudo)))
        strays.push({ one, left, right, top, bottom, hides });
    };
    const canBeAbove = above ? some.filter((one) => above.some((top) => around(one).includes(top))) : some;

    for (const one of canBeAbove) {
      if (performance.now() > until) throw new Error('It takes too long to look through this page.');
      const view = viewOf(one);
      const style = getComputedStyle(one);
      if (style.display === 'none') continue;
      const { overflowX, overflowY, boxShadow } = style;
      const pseudos = pseudoOf(one, /auto|scroll/.test(overflowX + overflowY));
      if (drawnOn.has(one)) {
        if (below) continue;
        const isText = one !== form[0] && hasText(one);
        if (isText && (!isCaught(style) || reachOf(style) >= HAIRLINE)) return undefined;
        const isOut = (pseudo: CSSStyleDeclaration) =>
          !(Number(pseudo.zIndex) < 0) &&
          (!isCaught(pseudo) || reachOf(pseudo) >= HAIRLINE) &&
          inkOf(pseudo) > FAINT;
        if (pseudos.some(isOut)) return undefined;
        continue;
      }
      if (isOnTop(one) && !(isInModal && view.matches(':modal'))) {
        if (inkOf(getComputedStyle(one, '::backdrop')) > FAINT) return undefined;
      }
      // A modal dialog makes the other elements inert, and those may be over it.
      const isReached =
        (!modal || around(one).includes(modal)) &&
        (inert.size === 0 || !around(one).some((each) => inert.has(each)));
      const isFound = isReached && isCaught(style);
      const own = view.getBoundingClientRect();
      if (isFound && meets(own, box)) boxes.push(own);
      const far = drawnReach(one, style);
      if (!isFound || far >= HAIRLINE) {
        const isOnlyShadow = isFound && boxShadow !== 'none' && reachOf(style, 'box-shadow') === 0;
        add(
          one,
          grow(
            isFound && style.display !== 'contents' ? own : boxOf(one),
            isMarked(style) && !isFound ? Number.POSITIVE_INFINITY : far,
          ),
          isOnlyShadow ? alphaOf(boxShadow) : undefined,
        );
      }
      for (const pseudo of pseudos)
        if (!isReached || !isCaught(pseudo) || reachOf(pseudo) > 0)
          add(one, boxOfPseudo(one, pseudo), undefined, pseudo);
    }
    return { strays, boxes: [...boxes, ...strays] };
  };
};
