/**
 * Forms without code of the page's: `<div data-card-form data-publishable-key data-client-secret>` and
 * `<card-form publishable-key client-secret>`, those that stand there and those that come later. A file of its own,
 * fetched only where the script's tag bears `data-card-form`; knows nothing but the public interface.
 */
import type { CardFormEventName, CardFormInstance, CardFormOptions, Result } from './types.ts';

const EVENTS: readonly CardFormEventName[] = [
  'ready',
  'change',
  'focus',
  'blur',
  'escape',
  'amountchange',
  'processing',
  'decline',
  'ratelimited',
  'error',
  'warning',
  'result',
  'loaderror',
];

/** Lower-case names of options; with `data-` in front on any element but `<card-form>`. */
const ATTRIBUTES = [
  'publishable-key',
  'client-secret',
  'locale',
  'theme',
  'labels',
  'pay-button',
  'read-only',
  'debug',
] as const;
type Attribute = (typeof ATTRIBUTES)[number];

const isOurs = (element: Element) => element.localName === 'card-form';
const read = (element: Element, name: Attribute | 'success-url') =>
  element.getAttribute(isOurs(element) ? name : `data-${name}`);

/** Who stands where, and with what it was mounted. */
const forms = new WeakMap<Element, { form: CardFormInstance; keys: string }>();

const appearanceOf = (element: Element): CardFormOptions['appearance'] => {
  const [theme, labels] = [read(element, 'theme'), read(element, 'labels')];
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    labels: labels === 'floating' ? labels : 'above',
  };
};

const changeable = (element: Element) => ({
  locale: read(element, 'locale') ?? 'auto',
  appearance: appearanceOf(element),
  readOnly: read(element, 'read-only') !== null,
});

/** Mounts what has a key and a secret, anew where these are others; of what stands, changes what can be. */
const follow = (element: Element) => {
  const publishableKey = read(element, 'publishable-key');
  const clientSecret = read(element, 'client-secret');
  const known = forms.get(element);
  const keys = `${publishableKey} ${clientSecret}`;
  if (known?.keys === keys) return known.form.update(changeable(element));
  leave(element);
  // Frameworks set attributes one by one.
  if (!publishableKey || !clientSecret || !element.isConnected || !window.CardForm) return;
  try {
    const form = window.CardForm.mount(element, {
      publishableKey,
      clientSecret,
      ...changeable(element),
      payButton: read(element, 'pay-button') === 'host' ? 'host' : 'frame',
      debug: read(element, 'debug') !== null,
    });
    forms.set(element, { form, keys });
    for (const name of EVENTS) {
      form.on(name, (detail) => {
        element.dispatchEvent(
          new CustomEvent(`card-form:${name}`, { detail, bubbles: true, composed: true }),
        );
      });
    }
    form.on('result', (result) => finish(element, result));
  } catch (mistake) {
    reportError(mistake);
  }
};

const leave = (element: Element) => {
  forms.get(element)?.form.unmount();
  forms.delete(element);
};

/** A paid order goes the way the page's markup says: its own form is sent, or the next page opened. */
const finish = (element: Element, result: Result) => {
  if (result.outcome !== 'succeeded') return;
  const order = formAround(element);
  if (order) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name: 'payment_intent', value: result.paymentIntent.id });
    for (const old of order.querySelectorAll('input[type=hidden][name=payment_intent]')) old.remove();
    order.append(input);
    return order.requestSubmit();
  }
  const address = read(element, 'success-url');
  if (address === null) return;
  const url = new URL(address, document.baseURI);
  if (/^https?:$/.test(url.protocol)) location.assign(url);
  else reportError(new Error(`success-url: expected an address of http or https; got ${url.protocol}`));
};

/** Also the one around the host of a shadow root, which would not be sent with what stands in it. */
const formAround = (element: Element): HTMLFormElement | null => {
  const root: Node & { readonly host?: Element } = element.getRootNode();
  return element.closest('form') ?? (root.host ? formAround(root.host) : null);
};

const SELECTOR = '[data-card-form]:not(script)';

const elementsIn = (node: Node): readonly Element[] =>
  node instanceof Element
    ? [...(node.matches(SELECTOR) ? [node] : []), ...node.querySelectorAll(SELECTOR)]
    : [];

new MutationObserver((records) => {
  for (const { type, target, addedNodes, removedNodes } of records) {
    if (type === 'attributes')
      for (const element of elementsIn(target)) if (element === target) follow(element);
    for (const node of removedNodes) {
      for (const element of elementsIn(node)) if (!element.isConnected) leave(element);
    }
    for (const node of addedNodes) for (const element of elementsIn(node)) follow(element);
  }
}).observe(document, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['data-card-form', ...ATTRIBUTES.map((name) => `data-${name}`)],
});
for (const element of document.querySelectorAll(SELECTOR)) follow(element);

customElements.get('card-form') ??
  customElements.define(
    'card-form',
    class extends HTMLElement {
      static readonly observedAttributes: readonly string[] = ATTRIBUTES;

      connectedCallback() {
        this.style.display ||= 'block';
        follow(this);
      }

      attributeChangedCallback() {
        if (this.isConnected) follow(this);
      }

      /** After the move of an element it is connected again. */
      disconnectedCallback() {
        queueMicrotask(() => {
          if (!this.isConnected) leave(this);
        });
      }
    },
  );
