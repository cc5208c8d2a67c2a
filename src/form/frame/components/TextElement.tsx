/**
 * Renders every text of the form that can change. Browser translation replaces text nodes with translated elements and
 * detaches the old nodes: Preact would keep updating those, invisibly. So a text is all that its element contains, and
 * a change replaces the whole content (promises 2.13).
 */

import type { ReadonlySignal } from '@preact/signals';
import { type AllHTMLAttributes, h, type RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { UNTRANSLATED } from '../view/button-face.ts';

type Attributes = Omit<AllHTMLAttributes<HTMLElement>, 'as' | 'children' | 'ref' | 'translate'> & {
  as?: 'bdi' | 'button' | 'label' | 'legend' | 'p' | 's' | 'small' | 'span' | 'strong' | 'summary';
  of: string | ReadonlySignal<string>;
  /** A ref for the element. */
  place?: RefObject<HTMLElement | null>;
};

/** An element with this text. */
export const TextElement = ({ as = 'span', of, place, ...attributes }: Attributes) => {
  const text = typeof of === 'string' ? of : of.value;
  const own = useRef<HTMLElement>(null);
  const element = place ?? own;
  // Preact renders the first text, for the prerendered form, and never another.
  const first = useRef(text);
  const written = useRef(text);
  useLayoutEffect(() => {
    if (!element.current || written.current === text) return;
    written.current = text;
    element.current.textContent = text;
  }, [text]);
  return h(as, { ...attributes, ref: element }, first.current);
};

/** An amount, digits or a name, which are the same in every language. */
export const FixedText = (attributes: Attributes) => <TextElement {...attributes} {...UNTRANSLATED} />;
