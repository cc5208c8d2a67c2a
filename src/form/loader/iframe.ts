import {
  ALLOW,
  type heightsOf,
  MARK,
  REFERRER_POLICY,
  SANDBOX,
  widthStyle,
} from '../channel/iframe-attributes.ts';
import { createElement } from './create-element.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

/**
 * Styles the iframe until the frame posts its height, so that nothing moves when it does:
 * - the height is that of `heightsOf`, whatever the page's style sheets set for iframes;
 * - `color-scheme: light`, like the frame's document: with another scheme the browser would paint it opaque;
 * - wider than the container (`widthStyle`), unless the page could then be scrolled sideways;
 * - an outline of the form: bars where the first fields will be, in a grey that is visible on every page. A repeating
 *   gradient begins at the first stop, so the grey needs one at 0.
 */
export const styleIframe = (
  iframe: HTMLIFrameElement,
  [ribbon, rest]: ReturnType<typeof heightsOf>,
): void => {
  const style = (room?: number) => {
    iframe.style = `height:${ribbon + rest}px!important;border:0;display:block;${widthStyle(room)}color-scheme:light;background:repeating-linear-gradient(#8882 0 44px,#0000 0 77px)4px ${ribbon + (rest < 460 ? 133 : 161)}px/min(480px,100% - 8px) 198px no-repeat`;
    return unclobberedDocument().documentElement.scrollWidth;
  };
  if (style(0) < style()) style(0);
};

/**
 * Creates the iframe without inserting it. A script sets its style, since a page's Content-Security-Policy doesn't
 * block that. No `name`, which other windows could read and target. Not lazy, since the timeout for hello starts at
 * once.
 */
export const createIframe = (src: string): HTMLIFrameElement => {
  const iframe = createElement('iframe', {
    referrerPolicy: REFERRER_POLICY,
    src,
    allow: ALLOW,
    sandbox: SANDBOX,
    title: 'Secure card form',
  });
  // In a copy of the page that Turbo or htmx restores, it is found like an early frame.
  iframe.setAttribute(MARK, '');
  return iframe;
};
