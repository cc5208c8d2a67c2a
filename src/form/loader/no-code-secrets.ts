/**
 * The client secrets of a page's elements. A secret does not stay in the markup, where page snapshots and selectors of
 * other scripts could find it: a random name takes its place. Libraries such as Turbo and htmx keep copies of the page and
 * put them back, and by the name a copy gets its secret again.
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

    /** The secret of an element, or of the one that it is a copy of; null if that one was of a page loaded before this. */
    of(element: Element): string | null | undefined {
      const name = unclobbered(element).getAttribute(NAME);
      return secrets.get(element) ?? (name === null ? undefined : (named.get(name) ?? null));
    },
  };
};
