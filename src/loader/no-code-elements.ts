/**
 * Forms without code of the page's: `<div data-card-form data-client-secret>` and `<card-form client-secret>`, those
 * that stand there and those that come later. A file of its own, fetched only where the script's tag bears
 * `data-card-form`; knows nothing but the public interface.
 */
import { createNoCodeForms, WATCHED } from './no-code.ts';
import type { CardFormApi } from './types.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

const SELECTOR = '[data-card-form]:not(script)';

const elementsIn = (node: Node): readonly Element[] => {
  if (!(node instanceof Element)) return [];
  const { matches, querySelectorAll } = unclobbered(node);
  return [...(matches(SELECTOR) ? [node] : []), ...querySelectorAll(SELECTOR)];
};

/** Follows the page's elements from now on. `tag` is the script's, with the account's key. */
export const start = (api: CardFormApi, tag: HTMLScriptElement): void => {
  const { follow, leave } = createNoCodeForms(api, tag);
  const isGone = (element: Element) => !unclobbered(element).isConnected;

  new MutationObserver((records) => {
    for (const { removedNodes } of records) {
      for (const node of removedNodes)
        for (const element of elementsIn(node)) if (isGone(element)) leave(element);
    }
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes')
        for (const element of elementsIn(target)) if (element === target) follow(element);
      for (const node of addedNodes) for (const element of elementsIn(node)) follow(element);
    }
  }).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-card-form', ...WATCHED.map((name) => `data-${name}`)],
  });
  for (const element of unclobberedDocument.querySelectorAll(SELECTOR)) follow(element);

  customElements.get('card-form') ??
    customElements.define(
      'card-form',
      class extends HTMLElement {
        static readonly observedAttributes: readonly string[] = WATCHED;

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
};
