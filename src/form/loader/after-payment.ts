/** What happens on a page without code after a payment that the buyer made in this form. */
import { createElement } from './create-element.ts';
import { throwMistake } from './errors.ts';
import { unclobbered } from './unclobbered.ts';

/**
 * The URL in the script tag's `data-success-url`, or null if it has none. Resolved against the page's own address, since
 * a `<base>` may have come with injected markup. Throws unless it is of the page's origin: where a policy allows scripts
 * by their address, the tag, too, may have come with injected markup.
 */
export const readSuccessUrl = (tag: HTMLScriptElement): string | null => {
  const successUrl = tag.getAttribute('data-success-url');
  if (successUrl === null) return null;
  const url = urlOf(successUrl);
  const { protocol, host } = new URL(location.href);
  // Not the origin: that of `blob:` is its creator's, and that of an app's scheme is `null`, as of `javascript:`.
  if (url?.protocol === protocol && url.host === host) return url.href;
  return throwMistake(
    'invalid_option',
    `data-success-url: expected a page of this site, such as /thanks; got ${url?.href ?? successUrl}`,
  );
};

/** Without `URL.canParse`, which Safari has from version 17 on. */
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
    // Including fields elsewhere in the page that belong to the form by their `form` attribute.
    for (const old of [...order.elements]) if (old.getAttribute('name') === FIELD) old.remove();
    order.append(createElement('input', { type: 'hidden', name: FIELD, value: paymentIntent }));
    order.requestSubmit();
  } else if (successUrl !== null) location.assign(successUrl);
};

const FIELD = 'payment_intent';

/** The form around an element. Leaves shadow roots, since forms outside do not submit the fields inside. */
const formAround = (place: Element): HTMLFormElement | null => {
  const { closest, getRootNode } = unclobbered(place);
  const root = getRootNode();
  return closest('form') ?? (root instanceof ShadowRoot ? formAround(root.host) : null);
};
