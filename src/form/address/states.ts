import type { AddressFormat } from './format.ts';

/**
 * Finds a state by its code or any of its names: a default of the page, autofill or typing may give "Oregon" or
 * "tokyo". `null` if the text matches no state, or several.
 */
export const findState = (format: AddressFormat, text: string): string | null => {
  const wanted = plain(text);
  const states = format.states ?? [];
  const exact = states.find(({ value }) => value === text);
  if (exact) return exact.value;
  const [only, ...others] = states.filter(({ value, label, names = {} }) =>
    [value, label, ...Object.values(names)].some((name) => plain(name) === wanted),
  );
  return only && others.length === 0 ? only.value : null;
};

/** Without case, accents and surrounding spaces. */
const plain = (text: string): string => {
  return text
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .trim()
    .toUpperCase();
};
