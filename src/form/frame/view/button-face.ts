/**
 * The label and attributes of the Pay button, for the code that draws it before hydration and for the component after it. Each
 * passes its own function that makes an element.
 */
import { payLabel } from './pay-label.ts';

export type ButtonFace = {
  kind: 'loading' | 'idle' | 'busy' | 'pay' | 'retry';
  /** A sentence; with the place of the amount if there is an amount. */
  text: string;
  /** As it is written for the buyer. */
  amount?: string | undefined;
  /** False if the page gave the sentence. */
  isOurs?: boolean | undefined;
  /** A press would not count yet (`press/guard.ts`), so the pointer passes through to the element around the button. */
  isEarly?: boolean | undefined;
};

/** Makes an element with these attributes and children. */
type Make<Part> = (
  tag: 'span' | 'bdi',
  attributes: Readonly<Record<string, string>> | null,
  ...children: (Part | string)[]
) => Part;

/**
 * For amounts, digits and names that no translator may change. In capitals, which HTML ignores: the `translate` property,
 * which Preact would set, takes `'no'` for true.
 */
export const UNTRANSLATED = { TRANSLATE: 'no' };

const AMOUNT = { 'data-amount': '', ...UNTRANSLATED };

/** The label. Redrawn as a whole on a change: a translator may have replaced its text nodes (promises 2.13). */
export const labelOf = <Part>({ text, amount, isOurs = true }: ButtonFace, make: Make<Part>): Part[] => {
  if (amount === undefined) return [make('span', null, text)];
  const total = make('bdi', AMOUNT, amount);
  const { before, after, apart } = payLabel(text, isOurs);
  return apart
    ? [make('span', { class: 'apart' }, make('span', null, before), ' ', total)]
    : [make('span', null, before), total, make('span', null, after)];
};

/** Two faces with the same key have the same label. */
export const labelKey = ({ text, amount, isOurs = true }: ButtonFace): string =>
  `${text}|${amount}|${isOurs}`;

/** The button's attributes: without a value, it has none of that name. */
export const attributesOf = ({ kind, isEarly }: ButtonFace) => ({
  'data-kind': kind,
  'data-early': isEarly ? '' : undefined,
  'aria-disabled': kind === 'pay' || kind === 'retry' ? undefined : ('true' as const),
  'aria-busy': kind === 'loading' || kind === 'busy' ? ('true' as const) : undefined,
});
