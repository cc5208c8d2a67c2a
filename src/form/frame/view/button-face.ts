/**
 * What the Pay button shows: the same before there is a form, where it is drawn by hand, as by its component. Both give
 * their own way to make an element.
 */
import { payLabel } from './pay-label.ts';

export type ButtonFace = {
  kind: 'loading' | 'idle' | 'busy' | 'pay' | 'retry';
  /** A sentence; with the place of the amount if there is an amount. */
  text: string;
  /** As it is written for the buyer. */
  amount?: string | undefined;
  /** Whether the sentence is the form's own. */
  isOurs?: boolean | undefined;
  /** Whether a press would not count yet (`press/guard.ts`): then the pointer passes through to the element around the button. */
  isEarly?: boolean | undefined;
};

/** Makes an element with these attributes and children. */
type Make<Part> = (
  tag: 'span' | 'bdi',
  attributes: Readonly<Record<string, string>> | null,
  ...children: (Part | string)[]
) => Part;

/** In capitals, which HTML ignores: the `translate` property, which Preact would set, takes `'no'` for true. */
const AMOUNT = { 'data-amount': '', TRANSLATE: 'no' };

/** A change replaces all of it, since a translator may have put elements in place of the texts (promises 2.13). */
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
