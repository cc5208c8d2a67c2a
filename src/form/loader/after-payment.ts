/** Continues after a payment that the buyer made in this form on a page without code. */
import { createElement } from './create-element.ts';
import { throwMistake } from './errors.ts';
import { unclobbered } from './unclobbered.ts';

/**
 * The URL in the script tag's `data-success-url`, or null if it has none. Resolved against the page's own address,
 * since injected markup may contain a `<base>`. Throws unless the URL has the page's origin: if a policy allows scripts
 * by their address, the tag, too, may have been injected.
 */
export const readSuccessUrl = (tag: HTMLScriptElement): string | null => {
  const successUrl = tag.getAttribute('data-success-url');
  if (successUrl === null) return null;
  const url = urlOf(successUrl);
  const { protocol, host } = new URL(location.href);
  // Not the origin: for `blob:` that is its creator's, and for an app's scheme it is `null`, as for `javascript:`.
  if (url?.protocol === protocol && url.host === host) return url.href;
  return throwMistake(
    'invalid_option',
    `data-success-url: expected a page of this site, such as /thanks; got ${url?.href ?? successUrl}`,
  );
};

/** Parses a URL without `URL.canParse`, which Safari supports from version 17 on. */
const urlOf = (text: string): URL | null => {
  try {
    return new URL(text, location.href);
  } catch {
    return null;
  }
};

/** Submits the form around the element with the payment intent's id; without such a form, opens the success URL. */
export const continueCheckout = (place: Element, paymentIntent: string, successUrl: string | null): void => {
  const form = formAround(place);
  if (form) {
    const order = unclobbered(form);
    // Includes fields elsewhere in the page that belong to the form by their `form` attribute.
    for (const old of [...order.elements]) if (old.getAttribute('name') === FIELD) old.remove();
    order.append(createElement('input', { type: 'hidden', name: FIELD, value: paymentIntent }));
    order.requestSubmit();
  } else if (successUrl !== null) location.assign(successUrl);
};

const FIELD = 'payment_intent';

/** The form around an element. Crosses shadow roots, since forms outside don't submit the fields inside. */
const formAround = (place: Element): HTMLFormElement | null => {
  const { closest, getRootNode } = unclobbered(place);
  const root = getRootNode();
  return closest('form') ?? (root instanceof ShadowRoot ? formAround(root.host) : null);
};
