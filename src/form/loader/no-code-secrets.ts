/**
 * The client secrets of a page's elements. A secret doesn't stay in the markup, where page snapshots and selectors of
 * other scripts could find it: a random name replaces it. Libraries such as Turbo and htmx keep copies of the page and
 * restore them; by that name a copy gets its secret back.
 */
import { unclobbered } from './unclobbered.ts';

/** The attribute with the name, on any element. */
const NAME = 'data-card-form-name';

export const createSecrets = () => {
  const secrets = new WeakMap<Element, string>();
  const named = new Map<string, string>();
  return {
    keep(element: Element, secret: string): void {
      const name = crypto.getRandomValues(new Uint32Array(4)).join('-');
      secrets.set(element, secret);
      named.set(name, secret);
      unclobbered(element).setAttribute(NAME, name);
    },

    /** The secret of an element or of its original; null if the original was in a page loaded before this one. */
    of(element: Element): string | null | undefined {
      const name = unclobbered(element).getAttribute(NAME);
      return secrets.get(element) ?? (name === null ? undefined : (named.get(name) ?? null));
    },
  };
};
