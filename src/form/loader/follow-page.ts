/**
 * Follows what the form takes from the page: the backdrop, including what the first look doesn't find
 * (`describe-page.ts`), and custom properties named in its appearance. Themes change both. Part of the loader's second
 * file: the frame requests it when the form is ready.
 */
import { around, outermost } from './around.ts';
import { canvas } from './canvas.ts';
import { lift, paints } from './covers.ts';
import { readProperties } from './describe-page.ts';
import { frontOf } from './front.ts';
import { paintsColour, readBare } from './readable.ts';
import { pseudoOf, type Sides } from './strays.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/** How long the page must be at rest, in ms, so that an animation causes one look and few messages to the frame. */
const REST = 100;

/** Sample positions for finding layers, as shares of the visible part of the form. */
const HEIGHTS = [0.02, 0.25, 0.5, 0.75, 0.98];

/** Reads the look of the page's fields, for `appearance.from` (`look/take-over.ts`). */
export type Taker = (iframe: Element) => readonly (readonly string[])[];

type Look = {
  backdrop: string;
  style: ReturnType<typeof readProperties>;
  from?: ReturnType<Taker> | undefined;
};

/** Resolves with the next look, including these custom properties; at once for a document's first request. */
type Follower = (names: readonly string[] | undefined, take: Taker | undefined) => Promise<Look>;

const followers = new WeakMap<Element, Follower>();
const stops = new WeakMap<Element, AbortController>();

/** Stops following: the form of this iframe is gone. Its pending request gets no answer. */
export const stopFollowing = (iframe: Element): void => stops.get(iframe)?.abort();

/** Resolves with the page's look for this iframe once it differs from the last one reported. */
export const nextLook: (iframe: HTMLElement, ...question: Parameters<Follower>) => Promise<Look> = (
  iframe,
  ...question
) => {
  const next = followers.get(iframe) ?? follow(iframe);
  followers.set(iframe, next);
  return next(...question);
};

const follow = (iframe: HTMLElement): Follower => {
  readBare(iframe);
  let answer: ((look: Look) => void) | undefined;
  let wanted: readonly string[] | undefined;
  let taker: Taker | undefined;
  let told: string | undefined;
  let isLayered = false;
  let timer: ReturnType<typeof setTimeout>;
  const stopped = new AbortController();
  stops.set(iframe, stopped);
  const { signal } = stopped;
  /** Nodes added or removed, and styles changed, since the last look. */
  let came: Node[] = [];
  const look = () => {
    if (!iframe.isConnected) return stopped.abort();
    if (frontOf(iframe)) return; // same background as before, and the form will go back
    const looked = came;
    came = [];
    if (looked.some((node) => isAboutBelow(node, iframe))) isLayered = hasLayer(iframe);
    if (!answer) return; // no pending request: the next one looks at once
    const style = readProperties(iframe.parentElement ?? iframe, wanted);
    const now = { backdrop: describe(iframe, isLayered), style, from: taker?.(iframe) };
    const description = JSON.stringify(now);
    if (description === told) return;
    told = description;
    answer(now);
    answer = undefined;
  };
  const lookSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, REST);
  };
  /** Looks without waiting for rest: a page may change all the time. */
  const lookFor = (nodes: readonly Node[]) => {
    if (nodes.length > 0 && came.length === 0) setTimeout(look, REST);
    came.push(...nodes);
  };
  const themes = new MutationObserver(lookSoon);
  for (const element of around(iframe)) themes.observe(element, { attributes: true });
  themes.observe(unclobberedDocument().head, { attributes: true, subtree: true });
  const changes = new MutationObserver((records) => {
    if (!iframe.isConnected) return stopped.abort();
    for (const { target, addedNodes, removedNodes } of records)
      lookFor([...addedNodes, ...removedNodes, ...(isStyle(target) ? [target] : [])]);
  });
  const loaded = ({ target }: Event) => {
    if (target instanceof Node && isStyle(target)) lookFor([target]); // also a style whose imports have loaded
  };
  for (const root of new Set(around(iframe).map((element) => unclobbered(element).getRootNode()))) {
    changes.observe(root, { childList: true, characterData: true, subtree: true });
    unclobbered(root).addEventListener('load', loaded, { capture: true, signal }); // no window gets these events
  }
  const places = new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) isLayered = hasLayer(iframe);
    look();
  });
  places.observe(iframe);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', lookSoon, { signal });
  for (const type of ['transitionend', 'animationstart', 'animationend'])
    addEventListener(type, lookSoon, { signal });
  addEventListener('resize', lookSoon, { signal }); // a property may depend on the page's width
  signal.addEventListener('abort', () => {
    for (const observer of [themes, changes, places]) observer.disconnect();
    clearTimeout(timer);
    followers.delete(iframe);
  });
  return (names, take) =>
    new Promise((resolve) => {
      if (answer) told = undefined; // requested by another document, after a reload, or for other properties
      wanted = names;
      taker = take;
      answer = resolve;
      look();
    });
};

const describe = (iframe: Element, isLayered: boolean): string => {
  const layers = [getComputedStyle(iframe).color];
  if (isLayered) layers.push('?');
  for (const element of around(iframe)) {
    const style = getComputedStyle(element);
    if (paintsMore(style) || pseudoOf(element).some((pseudo) => paintsMore(pseudo) || paintsColour(pseudo)))
      layers.push('?');
    layers.push(style.backgroundColor);
    // A fixed element, such as a dialog, is not drawn on its parent.
    if (/\(/.test(style.backdropFilter) || style.position === 'fixed') layers.push('?');
  }
  layers.push(parent === window ? canvas() : '?');
  return layers.join(';');
};

const isOpaque = (colour: string): boolean => !/^rgba|\//.test(colour);

/** Returns true if a box paints more behind its content than a colour. */
const paintsMore = ({ backgroundImage, borderImageSource, boxShadow }: CSSStyleDeclaration): boolean =>
  /\(/.test(backgroundImage + borderImageSource) || /inset/.test(boxShadow);

/** The overlap of two boxes, in CSS pixels; at most 0 if they are apart. */
const overlap = (one: Sides, other: Sides): number =>
  Math.min(
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
  );

/** Returns true if the node is a style or a link, or the text of one. */
const isStyle = (node: Node | null): boolean =>
  node instanceof Element
    ? unclobbered(node).matches('style,link')
    : node instanceof Text && isStyle(node.parentNode);

/** Returns true if an added node may change what is below the form: a style, or a box in that place. */
const isAboutBelow = (node: Node, iframe: Element): boolean => {
  if (!node.isConnected) return false;
  if (isStyle(node)) return true;
  if (!(node instanceof Element)) return false;
  const { contains, querySelectorAll } = unclobbered(node);
  if (contains(iframe)) return false;
  const box = iframe.getBoundingClientRect();
  return [node, ...querySelectorAll(':scope *')].some(
    (one) => overlap(unclobbered(one).getBoundingClientRect(), box) > 0,
  );
};

/** How far a box's outline and shadows reach beyond it, in CSS pixels. */
const reach = ({ outlineStyle, outlineWidth, outlineOffset, boxShadow }: CSSStyleDeclaration): number => {
  const outline =
    outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
  const lengths = boxShadow.split(/[ ,]/).filter((part) => part.endsWith('px'));
  return lengths.reduce((sum, length) => sum + Math.abs(Number.parseFloat(length)), Math.max(outline, 0));
};

/** A shadow or outline that reaches less than this into the form, in CSS pixels, is a neighbour's decoration. */
const DECORATION = 10;

/** Returns true if the outline or shadow of a box beside the form reaches behind the form. */
const isReached = (box: DOMRect, outer: Element): boolean =>
  [...unclobberedDocument().querySelectorAll('body *')].some((one) => {
    const far = reach(getComputedStyle(one));
    if (far <= DECORATION || unclobbered(one).contains(outer)) return false;
    const { left, top, right, bottom } = unclobbered(one).getBoundingClientRect();
    const painted = { left: left - far, top: top - far, right: right + far, bottom: bottom + far };
    return overlap(painted, box) > DECORATION;
  });

/** Returns true if an element not around the form is drawn behind it, in front of the first opaque background. */
const hasLayer = (iframe: HTMLElement): boolean => {
  const outer = outermost(iframe);
  const box = iframe.getBoundingClientRect();
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [width, height] = [Math.min(box.right, innerWidth) - left, Math.min(box.bottom, innerHeight) - top];
  const { body } = unclobberedDocument(); // its background belongs to the canvas, below boxes with a negative z-index
  const isLayeredAt = (x: number, y: number) => {
    const elements = unclobberedDocument().elementsFromPoint(x, y);
    for (const element of elements.slice(elements.indexOf(outer) + 1)) {
      if (!unclobbered(element).contains(outer)) {
        if (paints(element)) return true;
      } else if (element !== body && isOpaque(getComputedStyle(element).backgroundColor)) return false;
    }
    return false;
  };
  const lower = lift();
  try {
    return (
      isReached(box, outer) || HEIGHTS.some((share) => isLayeredAt(left + width / 2, top + height * share))
    );
  } finally {
    lower();
  }
};
