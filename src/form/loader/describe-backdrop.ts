/**
 * Describes for the frame what the page paints behind the form, as `channel/backdrop.ts` reads it: the backgrounds of the
 * container and of everything around it. This is what the form begins with. `follow-backdrop.ts` looks closer, and again
 * when the page changes.
 */
import { unclobbered } from './unclobbered.ts';

/** A node, or a shadow root, which has no parent but a host. */
export type Nested = Node & { readonly host?: Element };

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
  // Nobody knows what is behind a page that is in a frame itself.
  return parent === window ? description : `${description};?`;
};
