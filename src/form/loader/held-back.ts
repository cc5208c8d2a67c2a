/**
 * A document in the iframe that is not ours. Consent managers and lazy loaders hold the iframe's address back until the
 * buyer agrees or scrolls; documents loaded meanwhile don't count. Such scripts look for the iframe in the page when
 * they restore the address, so the iframe stays there. Part of the loader's second file.
 */
import { createLoadErrorAlert } from './load-error-alert.ts';
import type { CardFormOptions } from './types.ts';

/** Time limit for a document's hello after its `load` event, in ms. Ours posts it before the event. */
const HELLO_AFTER_LOAD = 2000;

/** Time in ms before page and buyer learn that the address is missing: the same as the frame's time limit. */
const SAID_AFTER = 10_000;

/** Describes the replacement of the form's address; empty if the iframe has its address. */
const otherAddress = (iframe: HTMLIFrameElement, service: string): string =>
  iframe.matches('[srcdoc]')
    ? 'a srcdoc'
    : iframe.src.startsWith(service)
      ? ''
      : `src="${iframe.src.slice(0, 99)}"`;

/** Iframes that wait for their address. */
const waiting = new WeakSet<Element>();

/**
 * Resolves once the address is back, or the buyer tries again. Rejects once no hello can come any more, if the address
 * was never missing, or if a payment was sent, whose outcome is due. Does neither after the iframe was removed.
 */
export const whenBack = (
  iframe: HTMLIFrameElement,
  service: string,
  isSent: boolean | undefined,
  options: Pick<CardFormOptions, 'translations'>,
  tell: (detail: string) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const isAway = () => !isSent && otherAddress(iframe, service) !== '';
    const wasAway = isAway();
    if (waiting.has(iframe)) return;
    if (wasAway) waiting.add(iframe);
    let alert: Element | undefined;
    const end = (settle?: () => void) => {
      waiting.delete(iframe);
      observer.disconnect();
      clearTimeout(timer);
      alert?.remove();
      settle?.();
    };
    const observer = new MutationObserver(() => {
      if (!iframe.isConnected) end();
      else if (wasAway && !isAway()) end(resolve);
    });
    if (iframe.parentNode)
      observer.observe(iframe.parentNode, { attributes: true, childList: true, subtree: true });
    const timer = setTimeout(
      () => {
        if (!wasAway) return end(isAway() ? undefined : reject); // a document without the address is judged then
        tell(otherAddress(iframe, service));
        alert = createLoadErrorAlert('blocked', options, () => end(resolve));
        iframe.before(alert);
      },
      wasAway ? SAID_AFTER : HELLO_AFTER_LOAD,
    );
  });
