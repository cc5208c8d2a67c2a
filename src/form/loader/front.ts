/**
 * Brings the form to the front: into the top layer, at the same place, where no style or element of the page reaches
 * it. Triggered by a press that the press guard rejected because of a cover, so that the buyer sees what the next press
 * pays (threat-model 1.4). The form goes back when the frame asks for it, or when it would no longer be where the page
 * put it.
 */

import { around } from './around.ts';
import { canvas } from './canvas.ts';
import { READABLE } from './readable.ts';
import { isOnTop } from './stacking.ts';
import { allElements, type Sides } from './strays.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

type Front = {
  /** Keeps the form's space on the page. */
  readonly place: HTMLElement;
  /** The elements that were already in the top layer. */
  readonly below: ReadonlySet<Element>;
  /** The part of the window that shows the form. The buyer can scroll to the rest. */
  readonly shown: Sides;
  /** Returns true if no style of the page overrides what was set here. */
  holds(): boolean;
  putBack(): void;
};

const fronts = new WeakMap<Element, Front>();

/** The form's state in front; undefined if it is not there. If the page closed the popover, the form goes back. */
export const frontOf = (iframe: Element): Front | undefined => {
  const front = fronts.get(iframe);
  if (!front || unclobbered(iframe).matches(':popover-open')) return front;
  front.putBack();
  return undefined;
};

export const putBack = (iframe: Element): void => frontOf(iframe)?.putBack();

/** Returns true if the browser supports the top layer for this. Safari before 17 and Firefox before 125 don't. */
export const canBeInFront = (): boolean => 'showPopover' in HTMLElement.prototype;

/** The part of the iframe's box inside all boxes around it that clip with this kind of overflow. */
export const shownOf = (iframe: HTMLElement, kind: RegExp): Sides => {
  const { left, top, right, bottom } = iframe.getBoundingClientRect();
  const shown = { left, top, right, bottom };
  let { position } = getComputedStyle(iframe);
  for (const one of around(iframe).slice(1)) {
    if (position === 'fixed' || one instanceof HTMLBodyElement) break;
    const style = getComputedStyle(one);
    if (position === 'absolute' && style.position === 'static') continue;
    position = style.position;
    const { scrollHeight, clientHeight, scrollWidth, clientWidth, getBoundingClientRect } = unclobbered(one);
    const box = getBoundingClientRect();
    // A margin shows more than the box.
    if (!/^(0px|)$/.test(style.getPropertyValue('overflow-clip-margin'))) continue;
    if (kind.test(style.overflowY) && scrollHeight > clientHeight) {
      shown.top = Math.max(shown.top, box.top);
      shown.bottom = Math.min(shown.bottom, box.bottom);
    }
    if (kind.test(style.overflowX) && scrollWidth > clientWidth) {
      shown.left = Math.max(shown.left, box.left);
      shown.right = Math.min(shown.right, box.right);
    }
  }
  return shown;
};

/** The background colour behind the form: the form is transparent, and its text suits this colour. */
const groundOf = (iframe: HTMLElement): string =>
  around(iframe)
    .map((one) => getComputedStyle(one).backgroundColor)
    .find((colour) => !/^rgba|\/|transparent/.test(colour)) ?? canvas();

/** Creates a placeholder with all of the iframe's styles, so that nothing on the page moves. */
const placeFor = (iframe: HTMLElement): HTMLElement => {
  const place = unclobberedDocument().createElement('div');
  const style = getComputedStyle(iframe);
  const values = [...style].map((name) => `${name}:${style.getPropertyValue(name)}!important`);
  place.style.cssText = `${values.join(';')};opacity:0!important;animation:none!important;view-transition-name:none!important;anchor-name:none!important`;
  if (style.display === 'inline') place.style.setProperty('display', 'inline-block', 'important');
  return place;
};

/** Brings the form to the front, unless it is there. If the browser refuses, everything stays as it was. */
export const bringToFront = (iframe: HTMLElement): void => {
  if (frontOf(iframe) || !canBeInFront()) return;
  const box = iframe.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = iframe;
  const { color, colorScheme, borderRadius } = getComputedStyle(iframe);
  const before = iframe.style.cssText;
  let { height } = iframe.style;
  const shown = shownOf(iframe, /auto|scroll/); // the buyer can scroll to the rest
  const below = new Set(allElements().filter(isOnTop));
  const place = placeFor(iframe);
  const ground = groundOf(iframe);
  const set = (name: string, value: string) => iframe.style.setProperty(name, value, 'important');

  const ending = new AbortController();
  const { signal } = ending;
  const back = () => {
    if (signal.aborted) return;
    ending.abort();
    attributes.disconnect();
    fronts.delete(iframe);
    place.remove();
    iframe.removeAttribute('popover');
    iframe.style.cssText = before;
    set('height', height);
  };
  const attributes = new MutationObserver(() => {
    // The frame posts its height. Any other change is not ours.
    const isOurs = iframe.popover === 'manual' && iframe.style.getPropertyPriority('left') !== '';
    if (!iframe.isConnected || !place.isConnected || !isOurs) return back();
    height = iframe.style.height; // the place keeps its own, so that nothing on the page moves
    set('height', height);
    set('background', ground);
    attributes.takeRecords();
  });

  try {
    iframe.after(place);
    iframe.style.cssText = `all:initial!important;display:block!important;position:fixed!important;left:0!important;top:0!important;color-scheme:${colorScheme}!important;border-radius:${borderRadius}!important;color:${color}!important`;
    set('background', ground);
    set('width', `${offsetWidth}px`);
    set('height', `${offsetHeight}px`);
    iframe.popover = 'manual';
    iframe.showPopover();
  } catch {
    back();
    return;
  }
  // A `zoom` around it still applies, unless it makes the form too small to read.
  const zoomed = iframe.getBoundingClientRect().width / offsetWidth;
  if (zoomed < READABLE) set('zoom', `${1 / zoomed}`);
  const now = iframe.getBoundingClientRect();
  const zoom = now.width / offsetWidth;
  const left = Math.max(0, Math.min(box.left, innerWidth - now.width));
  set('left', `${(left - now.left) / zoom}px`);
  set('top', `${(box.top - now.top) / zoom}px`);
  const cut = [
    shown.top - box.top,
    box.right - shown.right,
    box.bottom - shown.bottom,
    shown.left - box.left,
  ];
  if (cut.some((side) => side > 1)) {
    set('clip-path', `inset(${cut.map((side) => `${Math.max(0, side) / zoom}px`).join(' ')})`);
  }

  attributes.observe(iframe, { attributes: true });
  if (iframe.parentNode) attributes.observe(iframe.parentNode, { childList: true });
  const on = (type: string, listener: (event: Event) => unknown) =>
    addEventListener(type, listener, { capture: true, passive: true, signal });
  on('resize', back);
  on('scroll', ({ target }) => target instanceof Node && unclobbered(target).contains(iframe) && back());
  for (const type of ['wheel', 'touchmove', 'pointerdown']) on(type, ({ isTrusted }) => isTrusted && back());
  on(
    'keydown',
    (event) => event instanceof KeyboardEvent && event.isTrusted && event.key === 'Escape' && back(),
  );
  // Anything opened again is above the form.
  for (const type of ['beforetoggle', 'toggle'])
    on(type, ({ target }) => {
      if (target === iframe) frontOf(iframe);
      else if (target instanceof Element) below.delete(target);
    });
  const holds = () => {
    const { backgroundColor, backgroundImage, width, height: high } = getComputedStyle(iframe);
    return (
      backgroundColor === ground &&
      backgroundImage === 'none' &&
      width === iframe.style.width &&
      high === iframe.style.height
    );
  };
  fronts.set(iframe, { place, below, shown, holds, putBack: back });
};
