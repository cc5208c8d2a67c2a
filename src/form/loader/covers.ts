/**
 * Checks for the form's press guard what the page paints over lines of the iframe, and where the mouse was. The frame
 * cannot do this: browsers tell a cross-origin frame nothing about the page around it, or a single bit for the whole
 * frame. Loaded when the form first asks, which is when the buyer enters it.
 *
 * `elementsFromPoint` skips elements that let the pointer through, as a malicious overlay does. So all elements are made
 * to catch the pointer during the check. The browser paints nothing in between.
 *
 * Elements of the page may be forms, whose fields can hide the properties that are read here. So `unclobbered` is used.
 */
import type { Cover, CoversAnswer } from '../channel/commands.ts';
import type { Line } from '../channel/messages.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/**
 * How long one look may take, in ms, most of which is the style of each element: 5 µs on a desktop. What could not be
 * looked through by then counts as covered. Less than the form waits for the answer (`frame/press/places.ts`).
 */
const PATIENCE = 1500;

/**
 * A line is checked at a random point of each cell of a grid, so that no pattern of bars or holes lies between them. The
 * width of a cell in CSS pixels, as no digit is narrower, and its height as a share of the line's. Three rows are as
 * high as digits.
 */
const COLUMN = 6;
const ROW = 1 / 6;

/** What can still be read: at least this part of the contrast, and this scale. */
const READABLE = 0.5;

/** Elements that paint without a background or text. Not `canvas`, which paints nothing unless a script does. */
const REPLACED = 'img,svg,video,iframe,object,embed,input,textarea,select,progress,meter,hr';

/** The last mouse event on the page. Taps cause mouse events, swipes do not. */
let mouse: MouseEvent | null = null;
for (const type of ['mousemove', 'mousedown'] as const) {
  addEventListener(
    type,
    (event) => {
      if (event.isTrusted) mouse = event;
    },
    { capture: true, passive: true },
  );
}

/** What covers each line now, and where the mouse was. Undefined if the form is gone. */
export const checkCovers = (
  iframe: HTMLElement | null | undefined,
  lines: readonly Line[],
): Omit<CoversAnswer, 'type'> | undefined => {
  if (!iframe) return undefined;
  return {
    covers: coversOf(iframe, lines),
    pointer: mouse && { x: mouse.screenX, y: mouse.screenY, age: performance.now() - mouse.timeStamp },
  };
};

/** For each line its worst cover. If the iframe itself can hardly be seen, every line counts as covered. */
const coversOf = (iframe: HTMLElement, lines: readonly Line[]): Cover[] => {
  const { isFaint, isClipped } = lookOf(iframe);
  if (isFaint) return lines.map(() => 'over');
  const outer = outermost(iframe);
  const box = iframe.getBoundingClientRect();
  const until = performance.now() + PATIENCE;
  const lower = lift(box, outer);
  try {
    return lines.map(({ left, top, length, height }) => {
      const found = new Set<Cover>();
      const width = length * box.width;
      for (let along = 0; along < width; along += COLUMN) {
        for (let row = -1.5; row < 1.5 && !found.has('over'); row += 1) {
          const x = box.x + left * box.width + along + Math.random() * Math.min(COLUMN, width - along);
          const y = box.y + (top + (row + Math.random()) * ROW * height) * box.height;
          found.add(coverAt(x, y, outer, isClipped, until));
        }
      }
      return WORST_FIRST.find((cover) => found.has(cover)) ?? 'none';
    });
  } finally {
    lower();
  }
};

/** The element, or the outermost shadow host around it: `elementsFromPoint` does not look into shadow roots. */
export const outermost = (element: Element): Element => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? outermost(root.host) : element;
};

/** Whether the element can hardly be seen, because of a style of it or of an ancestor, and whether one has a clip path. */
const lookOf = (element: HTMLElement): { isFaint: boolean; isClipped: boolean } => {
  let clear = 1;
  let isClipped = false;
  for (let one: Element | null = element; one; one = parentOf(one)) {
    const { opacity, filter, clipPath } = getComputedStyle(one);
    clear *= Number(opacity);
    for (const [, name = '', value] of filter.matchAll(/\b(\w+)\((["\d.]+)/g))
      clear *= leftBy(name, Number(value));
    isClipped ||= clipPath !== 'none';
  }
  const { width, height } = element.getBoundingClientRect();
  const scale = Math.min(width / element.offsetWidth, height / element.offsetHeight);
  return { isFaint: !(clear >= READABLE && scale >= READABLE), isClipped };
};

/** The part of the contrast that a filter leaves; of `url("…")`, which can do anything, `NaN`. */
const leftBy = (name: string, value: number): number => {
  if (name === 'invert') return Math.abs(1 - 2 * value);
  if (name === 'blur') return Math.min(1, 1 / value); // in CSS pixels
  return /opacity|contrast|brightness|url/.test(name) ? Math.min(value, 1 / value) : 1;
};

/** The parent element; for children of a shadow root, its host. */
const parentOf = (element: Element): Element | null => {
  const parent = unclobbered(element).parentNode;
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
};

const WORST_FIRST: readonly Cover[] = ['over', 'fixed'];

/** Makes everything over the box catch the pointer. Returns a function that undoes it. */
export const lift = (box: DOMRect, outer: Element): (() => void) => {
  const undo: (() => void)[] = [];

  const sheet = new CSSStyleSheet();
  // In a layer, where `!important` outranks that of a rule in none. A transition would outrank both. A rule of its own
  // for what older browsers do not know: Firefox looks through a view transition's picture of the page otherwise.
  sheet.replaceSync(
    '@layer{*,::before,::after,::backdrop{pointer-events:auto!important;transition-behavior:normal!important}::view-transition{pointer-events:auto!important}}',
  );
  const sheets = [...unclobberedDocument().adoptedStyleSheets];
  const adopt = (all: readonly CSSStyleSheet[]) =>
    Reflect.set(Document.prototype, 'adoptedStyleSheets', all, document);
  adopt([...sheets, sheet]);
  undo.push(() => adopt(sheets));

  // `inert`, inline `!important` and that of earlier layers override any style sheet. First all are measured: after a
  // change each would be laid out.
  const over = [...unclobberedDocument().querySelectorAll<HTMLElement>('body *')].filter((one) => {
    const element = unclobbered(one);
    if (getComputedStyle(one).pointerEvents !== 'none' && !element.matches('[inert]')) return false;
    const other = element.getBoundingClientRect();
    const isApart =
      other.right < box.left || other.left > box.right || other.bottom < box.top || other.top > box.bottom;
    return !isApart && !element.contains(outer);
  });
  for (const one of over) {
    const element = unclobbered(one);
    if (element.matches('[inert]')) {
      element.removeAttribute('inert');
      undo.push(() => element.setAttribute('inert', ''));
    }
    const { style } = element; // undefined for plain XML elements
    if (style) {
      const { cssText } = style;
      style.setProperty('pointer-events', 'auto', 'important');
      undo.push(() => {
        style.cssText = cssText;
      });
    }
  }
  return () => {
    for (const step of undo) step();
  };
};

const coverAt = (x: number, y: number, outer: Element, isClipped: boolean, until: number): Cover => {
  let cover: Cover = 'none';
  const elements = unclobberedDocument().elementsFromPoint(x, y);
  // Scrolled out of view, unless a clip path cuts it off here, or a view transition shows a picture of the page.
  if (!elements.includes(outer))
    return elements.length === 1 || (isClipped && elements.length > 0) ? 'over' : 'none';
  for (const element of elements) {
    if (performance.now() > until) return 'over';
    if (element === outer) break;
    if (!(unclobbered(element).contains(outer) ? paintsOver(element) : paints(element))) continue;
    if (!isFixed(element)) cover = 'over';
    else if (cover === 'none') cover = 'fixed';
  }
  return cover;
};

/** Whether the element or an ancestor is fixed or sticky, so that it stays in place while the page scrolls. */
const isFixed = (element: Element | null): boolean =>
  element !== null && (/fixed|sticky/.test(getComputedStyle(element).position) || isFixed(parentOf(element)));

/** Styles that paint something unless they are `none` or `normal`. An empty `content` paints nothing. */
const PAINTING = [
  'backdropFilter',
  'backgroundImage',
  'borderImageSource',
  'columnRuleStyle',
  'content',
  'outlineStyle',
  'textDecorationLine',
] as const;

/** Whether the box has a background colour, however faint. */
export const paintsColour = ({ backgroundColor }: CSSStyleDeclaration): boolean =>
  !/^transparent$|[,/] 0\)$/.test(backgroundColor);

/** Whether such a style hides what is below it. Lines and shadows of less than 10 CSS pixels do not. */
const hides = (style: CSSStyleDeclaration): boolean =>
  paintsColour(style) ||
  /(^| )-?\d\d/.test(`${style.borderWidth} ${style.boxShadow.replace(/\([^()]*\)/g, '')}`) ||
  PAINTING.some((name) => !/^(none|normal|undefined|""|)$/.test(`${style[name]}`));

/** `::before` and `::after`, if there are any. */
export const pseudoOf = (element: Element): CSSStyleDeclaration[] =>
  ['::before', '::after']
    .map((name) => getComputedStyle(element, name))
    .filter(({ content }) => !/^(none|normal)$/.test(content));

/** Whether the element paints anything. A transparent box, such as an empty container for toasts, covers nothing. */
export const paints = (element: Element): boolean => {
  const { checkVisibility, matches } = unclobbered(element);
  if (checkVisibility?.({ checkOpacity: true }) === false) return false;
  return matches(REPLACED) || hides(getComputedStyle(element)) || hasContent(element);
};

/** Whether it has text or pseudo-elements of its own, also in elements without a box. */
const hasContent = (element: Element): boolean =>
  pseudoOf(element).some(hides) ||
  [...unclobbered(element).childNodes].some((node) =>
    node instanceof Element
      ? getComputedStyle(node).display === 'contents' && hasContent(node)
      : node instanceof Text && /\S/.test(node.data),
  );

/** Whether something of an element around the form hides it: a pseudo-element that is laid over it, or text. */
const paintsOver = (element: Element): boolean => {
  const pseudo = pseudoOf(element);
  return pseudo.length === 0 || pseudo.some((style) => Number(style.opacity) >= READABLE && hides(style));
};
