/**
 * Describes for the frame what it cannot look at: what the page paints behind the form, as `channel/backdrop.ts` reads it, and the
 * custom properties that an appearance names, as in `var(--brand)`. The form begins with this, so that it is never painted without
 * them. `follow-page.ts` looks closer, and again when the page changes.
 */
import { unclobbered } from './unclobbered.ts';

/** A node, or a shadow root, which has no parent but a host. */
export type Nested = Node & { readonly host?: Element };

/**
 * `backdrop`: the backgrounds of the container and of everything around it, after the colour of its text. `style`: the properties,
 * and their values, which are empty if the container has none.
 */
export const describePage = (container: Element, appearance: object | undefined) => {
  const own = getComputedStyle(container);
  let description = own.color;
  let node: Nested | null | undefined = container;
  while (node) {
    if (node instanceof Element) {
      const style = getComputedStyle(node);
      description += (style.backgroundImage === 'none' ? ';' : ';?;') + style.backgroundColor;
    }
    const around: Nested = unclobbered(node);
    node = around.parentNode ?? around.host;
  }
  return {
    // Nobody knows what is behind a page that is in a frame itself.
    backdrop: parent === window ? description : `${description};?`,
    style: JSON.stringify(appearance)
      ?.match(/--[\w-]+/g)
      ?.map((name) => [name, own.getPropertyValue(name)]),
  };
};
