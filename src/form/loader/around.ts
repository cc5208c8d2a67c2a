import type { Nested } from './describe-page.ts';
import { unclobbered } from './unclobbered.ts';

/** The element and everything it is drawn on: slotted content is drawn on whatever is around the slot. */
export const around = (element: Element): readonly [Element, ...Element[]] => {
  const all: [Element, ...Element[]] = [element];
  let node: (Nested & { readonly assignedSlot?: Element | null }) | null | undefined = element;
  while (node) {
    if (node instanceof Element && node !== element) all.push(node);
    const { assignedSlot, parentNode, host }: Nested & { readonly assignedSlot?: Element | null } =
      unclobbered(node);
    node = assignedSlot ?? parentNode ?? host;
  }
  return all;
};

/** The element, or the outermost shadow host around it: `elementsFromPoint` doesn't look into shadow roots. */
export const outermost = (element: Element): Element => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? outermost(root.host) : element;
};
