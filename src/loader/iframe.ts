import { createElement } from './create-element.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

declare global {
  interface Document {
    /** Chromium only. */
    featurePolicy?: { features(): readonly string[] };
  }
}

/**
 * How our document lies in the page until it tells its height: as high as a usual form, so that what stands below stays
 * out of the way; and light as a document is that has nothing to show yet, since in another scheme it would be painted
 * opaque. An iframe has no text whose colour could be seen: its transition tells that the page has come to be painted
 * otherwise.
 */
export const STYLE =
  'display:block;color-scheme:light;height:1000px;border:0;transition:color 1ms;color:light-dark(red,tan);width:100%';

/**
 * Makes the iframe, not yet in the page. Styles go through CSSOM, so that no page policy stands against them.
 * No name (names can be read and aimed at), and never lazy (the wait for hello begins at once).
 */
export const createIframe = (src: string): HTMLIFrameElement =>
  createElement('iframe', {
    referrerPolicy: 'origin',
    src,
    // An engine that does not know the feature would warn about it on every page.
    allow: unclobberedDocument.featurePolicy?.features().includes('autofill') ? 'autofill' : '',
    // Without allow-same-origin no message could be aimed at the frame; without the attribute a broken frame
    // could navigate the shop. Modals: the browser's own question before a payment on its way is left.
    sandbox: 'allow-scripts allow-same-origin allow-forms allow-modals',
    title: 'Secure card form',
  });
