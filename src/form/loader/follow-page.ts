/**
 * Follows what the form takes from the page: what is painted behind it, with what the first look does not find
 * (`describe-page.ts`), and custom properties that its appearance names. Themes change both. Part of the loader's second
 * file: the frame asks for it when the form is ready.
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

/** How long the page must have been at rest, in ms: an animation is looked at once, and the frame hears little. */
const REST = 100;

/** Where layers are looked for, as shares of the part of the form that is in view. */
const HEIGHTS = [0.02, 0.25, 0.5, 0.75, 0.98];

/** Reads how fields of the page look, for `appearance.from` (`look/take-over.ts`). */
export type Taker = (iframe: Element) => readonly (readonly string[])[];

type Look = {
  backdrop: string;
  style: ReturnType<typeof readProperties>;
  from?: ReturnType<Taker> | undefined;
};

/** Resolves with the next look, with these custom properties: at once for the first question of a document. */
type Follower = (names: readonly string[] | undefined, take: Taker | undefined) => Promise<Look>;

const followers = new WeakMap<Element, Follower>();
const stops = new WeakMap<Element, AbortController>();

/** The form of this iframe is no longer there. What was asked for it is not answered. */
export const stopFollowing = (iframe: Element): void => stops.get(iframe)?.abort();

/** How the page looks to this iframe, when it is not as was last said. */
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
  /** What came to the page, or left it, since the last look. */
  let came: Node[] = [];
  const look = () => {
    if (!iframe.isConnected) return stopped.abort();
    if (frontOf(iframe)) return; // on the same ground as before, and it goes back
    const looked = came;
    came = [];
    if (looked.some((node) => isAboutBelow(node, iframe))) isLayered = hasLayer(iframe);
    if (!answer) return; // nobody waits for it: the next question looks at once
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
  /** Without waiting for rest: a page that changes all the time has none. */
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
  for (const root of new Set(around(iframe).map((element) => unclobbered(element).getRootNode())))
    changes.observe(root, { childList: true, characterData: true, subtree: true });
  const places = new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) isLayered = hasLayer(iframe);
    look();
  });
  places.observe(iframe);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', lookSoon, { signal });
  for (const type of ['transitionend', 'animationstart', 'animationend'])
    addEventListener(type, lookSoon, { signal });
  addEventListener('resize', lookSoon, { signal }); // a property may depend on the width of the page
  const loaded = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement) lookFor([target]);
  };
  addEventListener('load', loaded, { capture: true, signal });
  signal.addEventListener('abort', () => {
    for (const observer of [themes, changes, places]) observer.disconnect();
    clearTimeout(timer);
    followers.delete(iframe);
  });
  return (names, take) =>
    new Promise((resolve) => {
      if (answer) told = undefined; // asked by another document, after a reload, or for other properties
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
    // What is fixed, as a dialog is, is not drawn on its parent.
    if (/\(/.test(style.backdropFilter) || style.position === 'fixed') layers.push('?');
  }
  layers.push(parent === window ? canvas() : '?');
  return layers.join(';');
};

const isOpaque = (colour: string): boolean => !/^rgba|\//.test(colour);

/** Whether a box paints more behind its content than a colour. */
const paintsMore = ({ backgroundImage, borderImageSource, boxShadow }: CSSStyleDeclaration): boolean =>
  /\(/.test(backgroundImage + borderImageSource) || /inset/.test(boxShadow);

/** How far two boxes overlap, in CSS pixels; at most 0 if they are apart. */
const overlap = (one: Sides, other: Sides): number =>
  Math.min(
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
  );

/** Whether the node is a style or a link, or the text of one. */
const isStyle = (node: Node | null): boolean =>
  node instanceof Element
    ? unclobbered(node).matches('style,link')
    : node instanceof Text && isStyle(node.parentNode);

/** Whether a node that came may change what is below the form: styles, and boxes there. */
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

/** How far what a box paints around itself, its outline and shadows, reaches, in CSS pixels. */
const reach = ({ outlineStyle, outlineWidth, outlineOffset, boxShadow }: CSSStyleDeclaration): number => {
  const outline =
    outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
  const lengths = boxShadow.split(/[ ,]/).filter((part) => part.endsWith('px'));
  return lengths.reduce((sum, length) => sum + Math.abs(Number.parseFloat(length)), Math.max(outline, 0));
};

/** A shadow or outline that reaches less far into the form, in CSS pixels, is a neighbour's decoration. */
const DECORATION = 10;

/** Whether a box beside the form paints around itself so far that it lies behind the form, too. */
const isReached = (box: DOMRect, outer: Element): boolean =>
  [...unclobberedDocument().querySelectorAll('body *')].some((one) => {
    const far = reach(getComputedStyle(one));
    if (far <= DECORATION || unclobbered(one).contains(outer)) return false;
    const { left, top, right, bottom } = unclobbered(one).getBoundingClientRect();
    const painted = { left: left - far, top: top - far, right: right + far, bottom: bottom + far };
    return overlap(painted, box) > DECORATION;
  });

/** Whether something that is not around the form is drawn behind it, in front of the first opaque background. */
const hasLayer = (iframe: HTMLElement): boolean => {
  const outer = outermost(iframe);
  const box = iframe.getBoundingClientRect();
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [width, height] = [Math.min(box.right, innerWidth) - left, Math.min(box.bottom, innerHeight) - top];
  const { body } = unclobberedDocument(); // its background is the canvas's, below boxes with a negative z-index
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
