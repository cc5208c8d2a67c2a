/**
 * Checks for the form's press guard what the page paints over lines of the iframe, and where the mouse was. The frame
 * cannot do this: browsers show a cross-origin frame nothing of the page around it, or a single bit for the whole
 * frame. Loaded when the form first asks, which is when the buyer enters it.
 *
 * `elementsFromPoint` skips elements that let the pointer through, such as a malicious overlay. If there are any, a
 * style sheet makes them catch the pointer during the check, which no selector of the page can see. Elements that it
 * doesn't reach, and inert ones, are judged by their box (`strays.ts`). The browser paints nothing in between.
 *
 * Elements of the page may be forms, whose fields can hide the properties that are read here, hence `unclobbered`.
 */
import type { Cover, CoversAnswer } from '../channel/commands.ts';
import type { CoversRequest, Line } from '../channel/messages.ts';
import { around, outermost } from './around.ts';
import { bringToFront, canBeInFront, frontOf, putBack, shownOf } from './front.ts';
import { FAINT, inkOf, isReadable, readBare } from './readable.ts';
import {
  allElements,
  boxedBy,
  hasText,
  meets,
  nearTo,
  pseudoOf,
  type Sides,
  scaleOf,
  viewOf,
} from './strays.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';
import { hasUnknownPseudo } from './unknown-pseudo.ts';

/**
 * Time limit for one look, in ms. Most of it is spent on the style of each element: 5 µs on a desktop. Anything not
 * examined by then counts as covered. Less than the form waits for the answer (`frame/press/places.ts`).
 */
const PATIENCE = 1500;

/**
 * A line is checked at a random point in each cell of a grid, so that no pattern of bars or holes escapes. Width of a
 * cell in CSS pixels, since no digit is narrower, and its height as a share of the line's. Three rows are as high as
 * digits.
 */
const COLUMN = 6;
const ROW = 1 / 6;

/** Values of `overflow` that clip what is outside the box. */
const CUTTING = /auto|scroll|hidden|clip/;

/** Sample positions for finding a veil, as shares of a box. */
const SHARES = [0.02, 0.25, 0.5, 0.75, 0.98];

/** Elements that paint nothing without a style. A `canvas` paints nothing until a script draws on it. */
const PLAIN =
  /^(a|blockquote|body|br|canvas|d(iv|ialog|l)|font|form|h[1-6]|html|label|li|menu|ol|p|pre|slot|span|ul)$/;

/** The last mouse event on the page. Taps cause mouse events, swipes don't. */
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

/** The cover of each line, whether the form is in front, and where the mouse was. Undefined if the form is gone. */
export const checkCovers = (
  iframe: HTMLElement | null | undefined,
  question: Pick<CoversRequest, 'lines' | 'front'>,
): Omit<CoversAnswer, 'type'> | undefined => {
  if (!iframe) return undefined;
  try {
    return look(iframe, question);
  } catch {
    return { covers: question.lines.map(() => 'over'), front: isInFront(iframe), pointer: null };
  }
};

/** Undefined if the browser can't bring the form to the front. */
const isInFront = (iframe: HTMLElement): boolean | undefined =>
  canBeInFront() ? !!frontOf(iframe) : undefined;

/** May throw if the page replaced a browser API: then everything counts as covered. */
const look = (
  iframe: HTMLElement,
  { lines, front }: Pick<CoversRequest, 'lines' | 'front'>,
): Omit<CoversAnswer, 'type'> => {
  readBare(iframe);
  if (front === false) putBack(iframe);
  const box = placeOf(iframe).getBoundingClientRect();
  const isVeiled =
    getComputedStyle(placeOf(iframe)).pointerEvents === 'none' ||
    around(iframe).some(isOff) ||
    !!catcherOf(iframe, [box]);
  const catchers = lines.map(({ button, ...line }) =>
    button
      ? catcherOf(
          iframe,
          [-1, 0, 1].map((row) => rowOf(box, line, row)),
        )
      : undefined,
  );
  // Bring the form to the front only for a press that the buyer could make there.
  if (front && !isVeiled && !catchers.some(Boolean)) bringToFront(iframe);
  return {
    covers: isVeiled ? lines.map(() => 'over') : coversOf(iframe, lines, catchers),
    front: isInFront(iframe),
    pointer: mouse && { x: mouse.screenX, y: mouse.screenY, age: performance.now() - mouse.timeStamp },
  };
};

/** Returns true if the page disabled the element and so its content. */
const isOff = (element: Element): boolean =>
  unclobbered(element).matches(':disabled,[inert]') ||
  getComputedStyle(element).getPropertyValue('interactivity') === 'inert';

/** The form's element in the page's layout: its placeholder while the form is in front. */
const placeOf = (iframe: HTMLElement): HTMLElement => frontOf(iframe)?.place ?? iframe;

/** One of the three rows of cells of a line, numbered -1 to 1. */
const rowOf = (box: DOMRect, { left, top, length, height }: Line, row: number): DOMRect =>
  new DOMRect(
    box.x + left * box.width,
    box.y + (top + (row - 0.5) * ROW * height) * box.height,
    length * box.width,
    ROW * height * box.height,
  );

/** The element that blocks the pointer, if no part of these boxes inside the window can be reached. */
const catcherOf = (iframe: HTMLElement, boxes: readonly DOMRect[]): Element | undefined => {
  const place = placeOf(iframe);
  const root = place.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return;
  const shown = shownOf(place, CUTTING); // whatever clips the form is not a veil
  let catcher: Element | undefined;
  for (const box of boxes) {
    const [x, y] = [Math.max(box.x, shown.left, 0), Math.max(box.y, shown.top, 0)];
    const width = Math.min(box.right, shown.right, innerWidth) - x;
    const height = Math.min(box.bottom, shown.bottom, innerHeight) - y;
    if (width <= 0 || height <= 0) continue;
    for (const across of SHARES) {
      for (const down of SHARES) {
        const [hit] = unclobbered(root)
          .elementsFromPoint(x + across * width, y + down * height)
          .filter((one) => one === place || one !== iframe);
        if (hit === place) return;
        // An element around the form only clips it, unless a pseudo-element of it paints over the form.
        if (
          hit &&
          (!unclobbered(hit).contains(outermost(place)) || pseudoOf(hit).some((one) => inkOf(one) > 0))
        )
          catcher = hit;
      }
    }
  }
  return catcher;
};

/** The worst cover of each line. If the iframe itself can hardly be seen, every line counts as covered. */
const coversOf = (
  iframe: HTMLElement,
  lines: readonly Line[],
  catchers: readonly (Element | undefined)[],
): Cover[] => {
  const front = frontOf(iframe);
  const form = around(iframe);
  const until = performance.now() + PATIENCE;
  const box = iframe.getBoundingClientRect();
  const shown = front?.shown ?? shownOf(iframe, CUTTING);
  const all = allElements();
  if (!front && hasUnknownPseudo(all)) return lines.map(() => 'over');
  const lookAt = nearTo(box, all, form, front?.below, until);
  const first = lookAt(all);
  // Making everything catch the pointer takes a while, and is needed only if something nearby doesn't.
  const isHeld = unclobbered(unclobberedDocument().documentElement).matches(':is(:active-view-transition)');
  const lower = first?.strays.length === 0 && !isHeld ? undefined : lift();
  try {
    const lifted = lower ? lookAt(first ? [...new Set(first.strays.map(({ one }) => one))] : all) : first;
    if (!lifted || front?.holds() === false || !isReadable(iframe, front ? [iframe] : form))
      return lines.map(() => 'over');
    const { strays } = lifted;
    const { boxes } = first ?? lifted;
    const inkFor = judgeOnce(form);
    const coverAt = (x: number, y: number): Cover => {
      const isInWindow = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      if (!isInWindow || !isWithin(shown, x, y)) return 'none'; // scrolled out of view
      const above = aboveAt(iframe, x, y);
      if (!above || performance.now() > until) return 'over';
      const beside = strays.filter((stray) => isWithin(stray, x, y) && !above.has(stray.one));
      return coverBy([
        ...[...above].map((one) => inkFor(one, true)),
        ...beside.map(({ one, hides }) => ({ ...inkFor(one, false), ...(hides !== undefined && { hides }) })),
      ]);
    };
    return lines.map((line, index) => {
      const caught = catchers[index];
      const found = new Set<Cover>(caught ? [isFixed(caught) ? 'fixed' : 'over'] : []);
      const rows = [-1, 0, 1].map((row) => rowOf(box, line, row));
      // Outside all boxes only painting that overflows a box is possible, which a coarser search finds.
      const step = boxes.some((one) => rows.some((row) => meets(one, row))) ? 1 : rows.length;
      for (const [row, { left, right, top, height }] of rows.entries()) {
        for (let at = left + (row % step) * COLUMN; at < right && !found.has('over'); at += step * COLUMN)
          found.add(coverAt(at + Math.random() * Math.min(COLUMN, right - at), top + Math.random() * height));
      }
      return WORST_FIRST.find((cover) => found.has(cover)) ?? 'none';
    });
  } finally {
    lower?.();
  }
};

const isWithin = ({ left, right, top, bottom }: Sides, x: number, y: number): boolean =>
  left < x && x < right && top < y && y < bottom;

/**
 * The elements over the form at a point, including open shadow roots. Undefined if the form is not there: something
 * clips it, such as a round corner, or a view transition shows a picture of the page.
 */
const aboveAt = (iframe: Element, x: number, y: number): Set<Element> | undefined => {
  const above = new Set<Element>();
  let target = iframe;
  for (;;) {
    const root = unclobbered(target).getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot)) return undefined;
    const elements = unclobbered(root).elementsFromPoint(x, y);
    const at = elements.indexOf(target);
    if (at < 0) return undefined;
    for (const one of elements.slice(0, at)) for (const each of withShadow(one, x, y)) above.add(each);
    if (root instanceof Document) return above;
    target = root.host;
  }
};

/** An element found at a point, and the elements found there in its shadow root. */
const withShadow = (one: Element, x: number, y: number): readonly Element[] => {
  const { shadowRoot } = viewOf(one);
  const within = shadowRoot?.elementsFromPoint(x, y).filter((each) => each.getRootNode() === shadowRoot);
  return [one, ...(within ?? []).flatMap((each) => withShadow(each, x, y))];
};

const WORST_FIRST: readonly Cover[] = ['over', 'fixed'];

/** Makes elements that let the pointer through catch it. Returns a function that undoes it. */
export const lift = (): (() => void) => {
  const sheet = new CSSStyleSheet();
  // In a layer, where `!important` outranks that of unlayered rules. A transition would outrank both. A separate rule
  // for selectors that older browsers don't know: Firefox otherwise ignores a view transition's picture of the page.
  sheet.replaceSync(
    '@layer{*,::before,::after,::backdrop{pointer-events:auto!important;transition-behavior:normal!important}::view-transition{pointer-events:auto!important}}',
  );
  const sheets = [...unclobberedDocument().adoptedStyleSheets];
  const adopt = (all: readonly CSSStyleSheet[]) =>
    Reflect.set(Document.prototype, 'adoptedStyleSheets', all, document);
  adopt([...sheets, sheet]);
  return () => adopt(sheets);
};

/**
 * Returns true if the element or one around it is fixed or sticky, so that it stays in place while the page scrolls.
 */
const isFixed = (element: Element): boolean =>
  around(element).some((one) => /fixed|sticky/.test(getComputedStyle(one).position));

type Ink = { readonly hides: number; readonly as: 'fixed' | 'over' };

/** Judges each element once, however many points it covers. `isFound`: found by hit testing. */
const judgeOnce = (form: readonly Element[]): ((element: Element, isFound: boolean) => Ink) => {
  const known = [new Map<Element, Ink>(), new Map<Element, Ink>()] as const;
  return (one, isFound) => {
    const mine = known[isFound ? 1 : 0];
    const found = mine.get(one) ?? {
      hides: form.includes(one) ? inkAround(one) : inkIn(one, isFound),
      as: isFixed(one) ? 'fixed' : 'over',
    };
    mine.set(one, found);
    return found;
  };
};

/** The combined cover of these elements. */
const coverBy = (all: readonly Ink[]): Cover => {
  const inks = { fixed: 0, over: 0 };
  for (const { hides, as } of all) inks[as] += hides;
  if (inks.over > FAINT) return 'over';
  return inks.fixed + inks.over > FAINT ? 'fixed' : 'none';
};

/** How much an element around the form hides of it with pseudo-elements, text or its shadow root. */
const inkAround = (element: Element): number => {
  const pseudo = pseudoOf(element);
  if (pseudo.length === 0 || hasText(element)) return 1;
  return pseudo.reduce((sum, style) => sum + inkOf(style), 0);
};

/** Returns true if a line through text is drawn in the element: it runs through spaces, too. */
const isStruck = (element: Element): boolean =>
  [...unclobbered(element).childNodes].some((node) => node instanceof Text && node.data !== '') &&
  around(element).some((one) => getComputedStyle(one).textDecorationLine !== 'none');

/**
 * How much an element hides of what is below it, from 0 to 1. An empty container for toasts hides nothing. If hit
 * testing finds an element, it is drawn: itself, or a part of it that is not hidden like the element.
 */
const inkIn = (element: Element, isFound = true): number => {
  const { localName, scrollHeight, clientHeight, scrollWidth, clientWidth } = unclobbered(element);
  if (unclobbered(boxedBy(element)).checkVisibility?.({ checkOpacity: true }) === false) return 0;
  const style = getComputedStyle(element);
  const { overflowX, overflowY } = style;
  const scale = scaleOf(element);
  const hasBars =
    /scroll/.test(overflowX + overflowY) ||
    (/auto/.test(overflowX + overflowY) && (scrollHeight > clientHeight || scrollWidth > clientWidth));
  const isPlain =
    (Object.getPrototypeOf(element) === HTMLElement.prototype ||
      PLAIN.test(localName) ||
      localName.includes('-')) &&
    !hasBars &&
    !hasText(element) &&
    !isStruck(element);
  const isDrawn = isFound || style.visibility === 'visible';
  const own = isPlain ? inkOf(style, scale) : Number(style.opacity);
  const hasPseudo = pseudoOf(element).some(
    (pseudo) => pseudo.visibility === 'visible' && inkOf(pseudo, scale) > 0,
  );
  let ink = Math.max(isDrawn ? own : 0, hasPseudo ? Number(style.opacity) : 0);
  for (const one of around(element).slice(1)) {
    const { filter, opacity } = getComputedStyle(one);
    // These may paint their input opaque.
    ink = /url|drop-shadow/.test(filter) ? Math.ceil(ink) : ink * Number(opacity);
  }
  return ink;
};

/** Returns true if the element paints anything. */
export const paints = (element: Element): boolean => inkIn(element) > 0;
