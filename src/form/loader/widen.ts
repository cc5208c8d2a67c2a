/** Sets the size of the iframe where its style can't. */

import { around } from './around.ts';
import { unclobbered } from './unclobbered.ts';

/** The minimum width of the form, with the space for the focus ring on both sides. */
const LEAST = 208;

/**
 * Widens an iframe that got no width from a container as wide as its content, such as a grid column of `min-content`:
 * for the browser an iframe of `width: 100%` has no content. A container of a fixed width is not widened, since the
 * form would be cut off; the developer gets a warning that it is too small.
 *
 * Also removes the space for the focus ring if it would make something around the form scroll sideways.
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
 * Keeps the page's rules for iframes, such as `iframe { max-height: 400px !important }`, from cutting off the form.
 * Also makes the frame's document fill its iframe, so that its lines are where the cover check expects them.
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
