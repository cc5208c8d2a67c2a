/** How large the iframe is, where its style cannot say so. */

import { around } from './around.ts';
import { unclobbered } from './unclobbered.ts';

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
  for (const element of around(iframe).slice(1)) {
    const { scrollWidth, clientWidth } = unclobbered(element);
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX);
    if (scrolls && scrollWidth > clientWidth) [style.width, style.margin] = ['100%', '0'];
  }
  if (!parentElement || iframe.clientWidth >= LEAST) return;
  style.minWidth = `${LEAST}px`;
  if (parentElement.clientWidth < LEAST - 8) style.minWidth = '';
};

/**
 * Keeps rules of the page for iframes, such as `iframe { max-height: 400px !important }`, from cutting off the form. And
 * lets the frame's document fill its iframe, so that its lines are where they are looked for.
 */
export const keepSize = ({ style }: HTMLElement): void => {
  const sizes = { padding: '0', border: '0', 'min-height': '0', 'max-height': 'none', 'max-width': 'none' };
  for (const [name, value] of Object.entries({
    ...sizes,
    width: style.width,
    'min-width': style.minWidth || '0',
  }))
    style.setProperty(name, value, 'important');
};
