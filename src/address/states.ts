import type { AddressFormat } from './format.ts';

/**
 * The state that a text names, in whatever of its names: a page's default, an autofilled line or what was typed
 * while there was no list may say "Oregon" or "tokyo". `null` where none or more than one is meant.
 */
export function findState(format: AddressFormat, text: string): string | null {
  const wanted = plain(text);
  const states = format.states ?? [];
  const exact = states.find(({ value }) => value === text);
  if (exact) return exact.value;
  const [only, ...others] = states.filter(({ value, label, names = {} }) =>
    [value, label, ...Object.values(names)].some((name) => plain(name) === wanted),
  );
  return only && others.length === 0 ? only.value : null;
}

/** Without case, accents and what stands around it. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .trim()
    .toUpperCase();
}
