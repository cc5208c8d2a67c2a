/** Where a page without code leads the buyer after a payment that was pressed here. */
import { createElement } from './create-element.ts';
import { throwMistake } from './errors.ts';
import { unclobbered } from './unclobbered.ts';

/**
 * The address that the script's tag names, or null. Relative to the page's own address: a `<base>` may have come with
 * other people's markup. Throws where it is no address of a page.
 */
export const successUrlOf = (tag: HTMLScriptElement): string | null => {
  const { successUrl } = tag.dataset;
  if (successUrl === undefined) return null;
  const url = URL.canParse(successUrl, location.href) ? new URL(successUrl, location.href) : null;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  return throwMistake(
    'invalid_option',
    `data-success-url: expected an address of http or https; got ${url?.protocol ?? successUrl}`,
  );
};

/** Submits the page's form around the element, with the payment's id in it; where there is none, opens the address. */
export const leadOn = (place: Element, paymentIntent: string, successUrl: string | null): void => {
  const form = formAround(place);
  if (form) {
    const order = unclobbered(form);
    // Also those that stand elsewhere in the page and name the form.
    for (const old of [...order.elements]) if (old.getAttribute('name') === FIELD) old.remove();
    order.append(createElement('input', { type: 'hidden', name: FIELD, value: paymentIntent }));
    order.requestSubmit();
  } else if (successUrl !== null) location.assign(successUrl);
};

const FIELD = 'payment_intent';

/** Also the one around the host of a shadow root, which would not be sent with what stands in it. */
const formAround = (place: Element): HTMLFormElement | null => {
  const { closest, getRootNode } = unclobbered(place);
  const root = getRootNode();
  return closest('form') ?? (root instanceof ShadowRoot ? formAround(root.host) : null);
};
