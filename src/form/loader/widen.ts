/** How wide the iframe is, where its style cannot say so. */

/** The least width of the form, with the room for the focus ring on both sides. */
const LEAST = 208;

/**
 * Widens an iframe that got no width from a container that is as wide as its content, such as a grid's column of
 * `min-content`: to a browser an iframe of `width: 100%` has no content. A container of a fixed width is not widened, since
 * the form would be cut off: the developer is warned that it is too small.
 *
 * And takes back the room for the focus ring if something around the form could be scrolled sideways because of it.
 */
export const widen = (iframe: HTMLElement): void => {
  const { parentElement, style } = iframe;
  for (let around = parentElement; around; around = around.parentElement) {
    const scrolls = /auto|scroll/.test(getComputedStyle(around).overflowX);
    if (scrolls && around.scrollWidth > around.clientWidth) [style.width, style.margin] = ['100%', '0'];
  }
  if (!parentElement || iframe.clientWidth >= LEAST) return;
  style.minWidth = `${LEAST}px`;
  if (parentElement.clientWidth < LEAST - 8) style.minWidth = '';
};
