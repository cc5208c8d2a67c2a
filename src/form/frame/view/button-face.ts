/**
 * Label and attributes of the Pay button, for the code that draws it before hydration and for the component afterwards.
 * Each passes its own function that creates an element.
 */
import { payLabel } from './pay-label.ts';

export type ButtonFace = {
  kind: 'loading' | 'idle' | 'busy' | 'pay' | 'retry';
  /** A sentence, with a placeholder if there is an amount. */
  text: string;
  /** The amount, formatted for the buyer. */
  amount?: string | undefined;
  /** False if the sentence is the page's. */
  isOurs?: boolean | undefined;
  /** True while a press would not count (`press/guard.ts`): the pointer passes through to the element around it. */
  isEarly?: boolean | undefined;
};

/** Creates an element with these attributes and children. */
type Make<Part> = (
  tag: 'span' | 'bdi',
  attributes: Readonly<Record<string, string>> | null,
  ...children: (Part | string)[]
) => Part;

/**
 * For amounts, digits and names that translators must not change. Upper case, which HTML ignores, because Preact would
 * otherwise set the `translate` property, which takes `'no'` for true.
 */
export const UNTRANSLATED = { TRANSLATE: 'no' };

const AMOUNT = { 'data-amount': '', ...UNTRANSLATED };

/** The label. Replaced as a whole on each change: a translator may have replaced its text nodes (promises 2.13). */
export const labelOf = <Part>({ text, amount, isOurs = true }: ButtonFace, make: Make<Part>): Part[] => {
  if (amount === undefined) return [make('span', null, text)];
  const total = make('bdi', AMOUNT, amount);
  const { before, after, apart } = payLabel(text, isOurs);
  return apart
    ? [make('span', { class: 'apart' }, make('span', null, before), ' ', total)]
    : [make('span', null, before), total, make('span', null, after)];
};

/** Faces with the same key have the same label. */
export const labelKey = ({ text, amount, isOurs = true }: ButtonFace): string =>
  `${text}|${amount}|${isOurs}`;

/** The button's attributes; undefined removes an attribute. */
export const attributesOf = ({ kind, isEarly }: ButtonFace) => ({
  'data-kind': kind,
  'data-early': isEarly ? '' : undefined,
  'aria-disabled': kind === 'pay' || kind === 'retry' ? undefined : ('true' as const),
  'aria-busy': kind === 'loading' || kind === 'busy' ? ('true' as const) : undefined,
});
