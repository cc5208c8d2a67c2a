import { createElement } from './create-element.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

declare global {
  interface Document {
    /** Chromium only. */
    featurePolicy?: { features(): readonly string[] };
  }
}

/**
 * The iframe's style until the frame posts its height:
 * - as high as a typical form, so that the content below does not jump;
 * - `color-scheme: light`, which an empty document has: with another scheme the browser would paint it opaque;
 * - a transition of `color`, which an iframe does not show: it ends when the page's color scheme has changed, and that
 *   is how the loader learns of it.
 */
export const STYLE =
  'height:1000px;border:0;transition:color 1ms;display:block;color-scheme:light;color:light-dark(red,tan);width:100%';

/**
 * Creates the iframe without inserting it. Its style is set by script, which a page's Content-Security-Policy does not
 * block. No `name`, which other windows could read and target. Not lazy, since the timeout for hello starts at once.
 */
export const createIframe = (src: string): HTMLIFrameElement =>
  createElement('iframe', {
    referrerPolicy: 'origin',
    src,
    allow: allowed(),
    // Without the attribute a compromised frame could navigate the shop. allow-same-origin: otherwise the frame's origin
    // is opaque, and init could not be posted to it alone. allow-modals: for the browser's question before the buyer
    // leaves the page during a payment. allow-popups: for a bank's page inside the frame (docs/three-d-secure.md).
    sandbox: 'allow-scripts allow-same-origin allow-forms allow-modals allow-popups',
    title: 'Secure card form',
  });

/** Browsers that do not know a feature would log a warning on every page. Only Chromium can be asked. */
const allowed = (): string => {
  const known = unclobberedDocument.featurePolicy?.features() ?? ['publickey-credentials-get'];
  return ['autofill', 'payment', 'publickey-credentials-get']
    .filter((name) => known.includes(name))
    .join(';');
};
