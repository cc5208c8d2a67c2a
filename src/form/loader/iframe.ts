import { ALLOW, MARK, REFERRER_POLICY, SANDBOX } from '../channel/iframe-attributes.ts';
import { createElement } from './create-element.ts';
import type { CheckedOptions } from './options.ts';

/**
 * Styles the iframe until the frame posts its height, so that nothing moves when it does:
 * - as high as the form will be in English from the US, in a container of this width (`e2e/look/placeholder.spec.ts`);
 * - `color-scheme: light`, as the frame's document has: with another scheme the browser would paint it opaque;
 * - with an outline of the form: bars where the fields of the card will be, in a grey that is seen on every page.
 */
export const styleIframe = (
  iframe: HTMLIFrameElement,
  { publishableKey, payButton, defaultValues }: CheckedOptions,
  width: number,
): void => {
  const isKnown = defaultValues?.billingDetails?.address;
  const ribbon = publishableKey.includes('sandbox') ? 36 : 0;
  const columns = isKnown ? 455 : width < 720 ? 924 : width < 872 ? 647 : 570;
  const button = payButton === 'host' ? 76 : 0;
  iframe.style = `height:${columns + ribbon - button}px;border:0;display:block;width:100%;color-scheme:light;background:repeating-linear-gradient(#0000 0 5px,#8882 0 49px,#0000 0 77px)4px ${ribbon - (isKnown ? 38 : 0)}px/480px no-repeat`;
};

/**
 * Creates the iframe without inserting it. Its style is set by script, which a page's Content-Security-Policy does not
 * block. No `name`, which other windows could read and target. Not lazy, since the timeout for hello starts at once.
 */
export const createIframe = (src: string): HTMLIFrameElement => {
  const iframe = createElement('iframe', {
    referrerPolicy: REFERRER_POLICY,
    src,
    allow: ALLOW,
    sandbox: SANDBOX,
    title: 'Secure card form',
  });
  // In a copy of the page, which Turbo or htmx put back, it is found as an early frame is.
  iframe.setAttribute(MARK, '');
  return iframe;
};
