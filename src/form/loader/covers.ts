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

/** How long one look may take, in ms. What could not be looked through by then counts as covered. */
const PATIENCE = 500;

/** The distance of the checked points on a line in CSS pixels. No digit is narrower. */
const STEP = 6;

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
  if (isFaint(iframe)) return lines.map(() => 'over');
  const outer = outermost(iframe);
  const box = iframe.getBoundingClientRect();
  const lower = lift(box, outer);
  const until = performance.now() + PATIENCE;
  try {
    return lines.map(({ left, top, length }) => {
      const found = new Set<Cover>();
      for (let along = 0; along <= length * box.width && !found.has('over'); along += STEP) {
        found.add(coverAt(box.x + left * box.width + along, box.y + top * box.height, outer, until));
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

/** Whether the element can hardly be seen, because it or an ancestor is transparent, blurred or scaled down. */
const isFaint = (element: HTMLElement): boolean => {
  let opacity = 1;
  for (let one: Element | null = element; one; one = parentOf(one)) {
    const style = getComputedStyle(one);
    const [, through = '1'] = /\bopacity\(([\d.]+)\)/.exec(style.filter) ?? [];
    const [, blur = '0'] = /\bblur\(([\d.]+)px\)/.exec(style.filter) ?? [];
    if (Number(blur) > READABLE.blur) return true;
    opacity *= Number(style.opacity) * Number(through);
  }
  const scale = element.getBoundingClientRect().width / element.offsetWidth;
  return opacity < READABLE.opacity || scale < READABLE.scale;
};

/** What can still be read: at least this opacity and scale, at most this blur in CSS pixels. */
const READABLE = { opacity: 0.5, blur: 2, scale: 0.5 };

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
  sheet.replaceSync('*,::before,::after{pointer-events:auto!important}');
  const sheets = [...unclobberedDocument.adoptedStyleSheets];
  const adopt = (all: readonly CSSStyleSheet[]) =>
    Reflect.set(Document.prototype, 'adoptedStyleSheets', all, document);
  adopt([...sheets, sheet]);
  undo.push(() => adopt(sheets));

  // `inert` and inline `!important` override any style sheet. First all are measured: after a change each would be laid out.
  const over = [
    ...unclobberedDocument.querySelectorAll<HTMLElement>('[inert],[style*="pointer-events" i]'),
  ].filter((one) => {
    const element = unclobbered(one);
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
    if (style?.getPropertyPriority('pointer-events')) {
      const before = style.getPropertyValue('pointer-events');
      style.setProperty('pointer-events', 'auto', 'important');
      undo.push(() => style.setProperty('pointer-events', before, 'important'));
    }
  }
  return () => {
    for (const step of undo) step();
  };
};

const coverAt = (x: number, y: number, outer: Element, until: number): Cover => {
  let cover: Cover = 'none';
  for (const element of unclobberedDocument.elementsFromPoint(x, y)) {
    if (performance.now() > until) return 'over';
    if (unclobbered(element).contains(outer)) return cover;
    if (!paints(element)) continue;
    if (!isFixed(element)) cover = 'over';
    else if (cover === 'none') cover = 'fixed';
  }
  return 'none'; // the form is not at this point: it is scrolled out of view
};

/** Whether the element or an ancestor is fixed or sticky, so that it stays in place while the page scrolls. */
const isFixed = (element: Element | null): boolean =>
  element !== null && (/fixed|sticky/.test(getComputedStyle(element).position) || isFixed(parentOf(element)));

/** Whether the element paints anything. A transparent box, such as an empty container for toasts, covers nothing. */
export const paints = (element: Element): boolean => {
  const { checkVisibility, matches, childNodes } = unclobbered(element);
  if (checkVisibility?.({ checkOpacity: true }) === false) return false;
  if (matches(REPLACED)) return true;
  const style = getComputedStyle(element);
  const { backgroundColor, borderWidth, backgroundImage, boxShadow, outlineStyle, backdropFilter } = style;
  const pseudo = ['::before', '::after'].map((name) => getComputedStyle(element, name).content);
  return (
    !/^transparent$|[,/] 0\)$/.test(backgroundColor) ||
    /[1-9]/.test(borderWidth) ||
    [backgroundImage, boxShadow, outlineStyle, backdropFilter, ...pseudo].some(
      (value) => value && value !== 'none' && value !== 'normal',
    ) ||
    [...childNodes].some((node) => node instanceof Text && /\S/.test(node.data)) // text of its own
  );
};
