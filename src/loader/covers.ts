/**
 * What the form's press guard asks of the page: what is painted over lines of the iframe, and where the mouse was.
 * The frame cannot see it: browsers tell a frame of another site nothing about the page around it, or one bit for the
 * frame as a whole. Fetched when the form first asks, which is when the buyer first comes to it.
 *
 * `elementsFromPoint` passes over what lets the pointer through, as an overlay that means ill does. So everything is
 * made to catch the pointer for the moment of the question. Nothing is painted in between.
 *
 * Elements of the page may be forms, whose fields can bear the names of what is asked here: so all is `unclobbered`.
 */
import type { Cover, CoversAnswer, Line } from '../channel/messages.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** A line is looked at every so many CSS pixels: no digit is narrower. */
const STEP = 6;

/** What paints without a background or a text of its own. A canvas paints nothing unless a script does. */
const PICTURES = 'img,svg,video,iframe,object,embed,input,textarea,select,progress,meter,hr';

/** The latest that the page saw of the mouse. Swipes are none of it, taps are. */
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

/** What lies over the lines now. Nothing can be said where the form is gone. */
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

/** For each line the worst that lies over it. Of a frame that is itself hardly seen, all is as good as covered. */
const coversOf = (iframe: HTMLElement, lines: readonly Line[]): Cover[] => {
  if (isFaint(iframe)) return lines.map(() => 'over');
  const outer = outermost(iframe);
  const box = iframe.getBoundingClientRect();
  const lower = lift(box, outer);
  try {
    return lines.map(({ left, top, length }) => {
      const found = new Set<Cover>();
      for (let along = 0; along <= length * box.width; along += STEP) {
        found.add(coverAt(box.x + left * box.width + along, box.y + top * box.height, outer));
      }
      return WORST_FIRST.find((cover) => found.has(cover)) ?? 'none';
    });
  } finally {
    lower();
  }
};

/** The element, or the outermost host of the shadow roots it stands in: of what is in these nothing is known. */
const outermost = (element: Element): Element => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? outermost(root.host) : element;
};

/** Whether the page lets nearly nothing be seen of the element: transparent, blurred or shrunk, or what it stands in is. */
const isFaint = (element: HTMLElement): boolean => {
  let opacity = 1;
  for (let one: Element | null = element; one; one = parentOf(one)) {
    const style = getComputedStyle(one);
    const [, through = '1'] = /\bopacity\(([\d.]+)\)/.exec(style.filter) ?? [];
    const [, blur = '0'] = /\bblur\(([\d.]+)px\)/.exec(style.filter) ?? [];
    if (Number(blur) > LEAST.blur) return true;
    opacity *= Number(style.opacity) * Number(through);
  }
  const scale = element.getBoundingClientRect().width / element.offsetWidth;
  return opacity < LEAST.opacity || scale < LEAST.scale;
};

/** What can be read with an effort; `blur` in CSS pixels, and at most. */
const LEAST = { opacity: 0.5, blur: 2, scale: 0.5 };

/** What the element stands in, also where that is a shadow root. */
const parentOf = (element: Element): Element | null => {
  const parent = unclobbered(element).parentNode;
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
};

const WORST_FIRST: readonly Cover[] = ['over', 'fixed'];

/** Makes everything over the box catch the pointer. Returns what undoes it. */
const lift = (box: DOMRect, outer: Element): (() => void) => {
  const undo: (() => void)[] = [];

  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*,::before,::after{pointer-events:auto!important}');
  const sheets = [...unclobberedDocument.adoptedStyleSheets];
  const adopt = (all: readonly CSSStyleSheet[]) =>
    Reflect.set(Document.prototype, 'adoptedStyleSheets', all, document);
  adopt([...sheets, sheet]);
  undo.push(() => adopt(sheets));

  // No style sheet reaches these.
  for (const one of unclobberedDocument.querySelectorAll<HTMLElement>(
    '[inert],[style*="pointer-events" i]',
  )) {
    const element = unclobbered(one);
    const other = element.getBoundingClientRect();
    const isApart =
      other.right < box.left || other.left > box.right || other.bottom < box.top || other.top > box.bottom;
    if (isApart || element.contains(outer)) continue;
    if (element.matches('[inert]')) {
      element.removeAttribute('inert');
      undo.push(() => element.setAttribute('inert', ''));
    }
    const { style } = element; // no element of XML has one
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

const coverAt = (x: number, y: number, outer: Element): Cover => {
  let cover: Cover = 'none';
  for (const element of unclobberedDocument.elementsFromPoint(x, y)) {
    if (unclobbered(element).contains(outer)) return cover;
    if (!paints(element)) continue;
    if (!isFixed(element)) cover = 'over';
    else if (cover === 'none') cover = 'fixed';
  }
  return 'none'; // the form itself is not there: out of sight
};

/** Whether the element, or what it stands in, stays where it is while the page scrolls. */
const isFixed = (element: Element | null): boolean =>
  element !== null && (/fixed|sticky/.test(getComputedStyle(element).position) || isFixed(parentOf(element)));

/** Whether something of the element can be seen. A transparent box, such as an empty place for toasts, hides nothing. */
const paints = (element: Element): boolean => {
  const { checkVisibility, matches, childNodes } = unclobbered(element);
  if (checkVisibility?.({ checkOpacity: true }) === false) return false;
  if (matches(PICTURES)) return true;
  const style = getComputedStyle(element);
  const { backgroundColor, borderWidth, backgroundImage, boxShadow, outlineStyle, backdropFilter } = style;
  const pseudo = ['::before', '::after'].map((name) => getComputedStyle(element, name).content);
  return (
    !/^transparent$|[,/] 0\)$/.test(backgroundColor) ||
    /[1-9]/.test(borderWidth) ||
    [backgroundImage, boxShadow, outlineStyle, backdropFilter, ...pseudo].some(
      (value) => value && value !== 'none' && value !== 'normal',
    ) ||
    [...childNodes].some((node) => node instanceof Text && /\S/.test(node.data)) // words of its own
  );
};
