/** Finds the element that cuts off the form, for `diagnostics()` and the developer's console. */
import { around } from './around.ts';
import { unclobbered } from './unclobbered.ts';

/**
 * The element around the form that cuts it off, as `#id` or `<main>`: smaller than the form, and not scrollable.
 * Undefined if there is none, or the form is not shown.
 */
export const findCutting = (iframe: HTMLElement | null | undefined): string | undefined => {
  if (!iframe?.getClientRects().length) return undefined;
  const form = iframe.getBoundingClientRect();
  for (const element of around(iframe).slice(1)) {
    if (element instanceof HTMLBodyElement) break; // the window scrolls what the body cuts off
    const { id, localName, clientHeight, getBoundingClientRect } = unclobbered(element);
    const { overflowY, contain } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowY) && clientHeight > 0) break; // everything can be scrolled to
    const cuts = overflowY !== 'visible' || /strict|content|paint/.test(contain);
    if (cuts && getBoundingClientRect().bottom < form.bottom - 1) return id ? `#${id}` : `<${localName}>`;
  }
  return undefined;
};
