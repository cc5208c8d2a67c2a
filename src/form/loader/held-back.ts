/**
 * A document in the iframe that is not ours. What is loaded while something holds the iframe's address back does not
 * count, as consent managers and lazy loaders do until the buyer agrees or scrolls. They look for the iframe in the page
 * when they give the address back, so it stays there. Part of the loader's second file.
 */
import { createLoadErrorAlert } from './load-error-alert.ts';
import type { CardFormOptions } from './types.ts';

/** How long after a `load` event, in ms, a document may take to say hello. Ours does it before the event. */
const HELLO_AFTER_LOAD = 2000;

/** How long an address may be away, in ms, until page and buyer learn of it: as long as the frame may take to answer. */
const SAID_AFTER = 10_000;

/** What the iframe has in place of the form's address. Empty if it has the address. */
const otherAddress = (iframe: HTMLIFrameElement, service: string): string =>
  iframe.matches('[srcdoc]')
    ? 'a srcdoc'
    : iframe.src.startsWith(service)
      ? ''
      : `src="${iframe.src.slice(0, 99)}"`;

/** The iframes that wait for their address. */
const waiting = new WeakSet<Element>();

/**
 * Resolves once the address is back, or the buyer tries again; if it was never away, or a payment was sent, whose outcome
 * is due, rejects once no hello can come any more. Does neither after the iframe was removed.
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
        if (!wasAway) return end(isAway() ? undefined : reject); // what is loaded without the address is judged then
        tell(otherAddress(iframe, service));
        alert = createLoadErrorAlert('blocked', options, () => end(resolve));
        iframe.before(alert);
      },
      wasAway ? SAID_AFTER : HELLO_AFTER_LOAD,
    );
  });
