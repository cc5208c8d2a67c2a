/**
 * Finds the elements of pages without code, `<div data-card-form data-client-secret>` and `<card-form client-secret>`,
 * including those added later. Loaded only if the script tag has `data-card-form`. Uses only the public API.
 */
import { createNoCodeForms, WATCHED } from './no-code.ts';
import type { CardFormApi } from './types.ts';
import { unclobbered } from './unclobbered.ts';
import { unclobberedDocument } from './unclobbered-document.ts';

const SELECTOR = '[data-card-form]:not(script)';
const TAGS = 'script[data-card-form]';

const elementsIn = (node: Node, selector = SELECTOR): readonly Element[] => {
  if (!(node instanceof Element)) return [];
  const { matches, querySelectorAll } = unclobbered(node);
  return [...(matches(selector) ? [node] : []), ...querySelectorAll(selector)];
};

/** Starts mounting forms in the page's elements. `tag` is the script tag, which has the publishable key. */
export const start = (api: CardFormApi, tag: HTMLScriptElement): void => {
  const { sync, remove, compareTag } = createNoCodeForms(api, tag);
  let isServed = true;
  const isGone = (element: Element) => !unclobbered(element).isConnected;

  new MutationObserver((records) => {
    for (const { removedNodes } of records) {
      for (const node of removedNodes)
        for (const element of elementsIn(node)) if (isGone(element)) remove(element);
    }
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes')
        for (const element of elementsIn(target)) if (element === target) sync(element);
      for (const node of addedNodes) {
        for (const other of elementsIn(node, TAGS)) compareTag(other);
        for (const element of elementsIn(node)) sync(element);
      }
    }
  }).observe(document, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-card-form', ...WATCHED.map((name) => `data-${name}`)],
  });
  for (const other of unclobberedDocument().querySelectorAll(TAGS)) compareTag(other);
  for (const element of unclobberedDocument().querySelectorAll(SELECTOR)) sync(element, isServed);

  customElements.get('card-form') ??
    customElements.define(
      'card-form',
      class extends HTMLElement {
        static readonly observedAttributes: readonly string[] = WATCHED;

        connectedCallback() {
          this.style.display ||= 'block';
          sync(this, isServed);
        }

        attributeChangedCallback() {
          if (this.isConnected) sync(this);
        }

        /** An element that was only moved is connected again when the microtask runs. */
        disconnectedCallback() {
          queueMicrotask(() => {
            if (!this.isConnected) remove(this);
          });
        }
      },
    );
  isServed = false;
};
