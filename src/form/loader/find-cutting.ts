/** What cuts the form off on its page: for `diagnostics()`, and for the console of a developer. */
import { unclobbered } from './unclobbered.ts';

/**
 * The element that shows less of the form than there is, as `#id` or `<main>`: one around it that is smaller and cannot be
 * scrolled. Undefined if there is none, or the form is not shown.
 */
export const findCutting = (iframe: HTMLElement): string | undefined => {
  if (iframe.getClientRects().length === 0) return undefined;
  const form = iframe.getBoundingClientRect();
  // What the body cuts off, the window shows.
  for (let around = iframe.parentElement; around && around !== document.body; ) {
    // A form of the page, whose fields may be named like what is read here.
    const { id, localName, clientHeight, parentElement, getBoundingClientRect } = unclobbered(around);
    const { overflowY, contain } = getComputedStyle(around);
    const isScrolled = /auto|scroll/.test(overflowY) && clientHeight > 0;
    const cuts = overflowY !== 'visible' || /strict|content|paint/.test(contain);
    if (isScrolled) return undefined; // all of it can be reached
    if (cuts && getBoundingClientRect().bottom < form.bottom - 1) return id ? `#${id}` : `<${localName}>`;
    around = parentElement;
  }
  return undefined;
};
