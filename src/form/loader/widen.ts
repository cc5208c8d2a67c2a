/**
 * Widens an iframe that got no width from a container that is as wide as its content, such as a grid's column of
 * `min-content`: to a browser an iframe of `width: 100%` has no content. A container of a fixed width is not widened, since
 * the form would be cut off: the developer is warned that it is too small.
 */
const LEAST = 200;

export const widen = (iframe: HTMLElement): void => {
  const { parentElement, style } = iframe;
  if (!parentElement || iframe.clientWidth >= LEAST) return;
  style.minWidth = `${LEAST}px`;
  if (parentElement.clientWidth < LEAST) style.minWidth = '';
};
