/** What cuts the form off on its page: for `diagnostics()`, and for the console of a developer. */
import { around } from './around.ts';
import { unclobbered } from './unclobbered.ts';

/**
 * The element that shows less of the form than there is, as `#id` or `<main>`: one around it that is smaller and cannot be
 * scrolled. Undefined if there is none, or the form is not shown.
 */
export const findCutting = (iframe: HTMLElement | null | undefined): string | undefined => {
  if (!iframe?.getClientRects().length) return undefined;
  const form = iframe.getBoundingClientRect();
  for (const element of around(iframe).slice(1)) {
    if (element instanceof HTMLBodyElement) break; // what the body cuts off, the window shows
    const { id, localName, clientHeight, getBoundingClientRect } = unclobbered(element);
    const { overflowY, contain } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowY) && clientHeight > 0) break; // all of it can be reached
    const cuts = overflowY !== 'visible' || /strict|content|paint/.test(contain);
    if (cuts && getBoundingClientRect().bottom < form.bottom - 1) return id ? `#${id}` : `<${localName}>`;
  }
  return undefined;
};
