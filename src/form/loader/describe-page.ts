/**
 * Describes for the frame what it cannot see: the backdrop of the form, as `channel/backdrop.ts` reads it, and the
 * custom properties that an appearance names, such as `var(--brand)`. The form starts with this, so that it is never
 * painted without them. `follow-page.ts` looks closer, and again when the page changes.
 */
import { unclobbered } from './unclobbered.ts';

/** A node, or a shadow root, which has no parent but a host. */
export type Nested = Node & { readonly host?: Element };

/** The colour of the container's text, then the backgrounds of the container and of everything around it. */
export const describeBackdrop = (container: Element): string => {
  let description = getComputedStyle(container).color;
  let node: Nested | null | undefined = container;
  while (node) {
    if (node instanceof Element) {
      const style = getComputedStyle(node);
      description += (style.backgroundImage === 'none' ? ';' : ';?;') + style.backgroundColor;
    }
    const around: Nested = unclobbered(node);
    node = around.parentNode ?? around.host;
  }
  // If the page is in a frame itself, its background is unknown.
  return parent === window ? description : `${description};?`;
};

/** Names and values of the custom properties that an appearance or a list names. Empty if the container lacks one. */
export const readProperties = (container: Element, named: object | undefined) =>
  JSON.stringify(named)
    ?.match(/--[\w-]+/g)
    ?.map((name) => [name, getComputedStyle(container).getPropertyValue(name)]);
