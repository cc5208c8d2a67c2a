/**
 * Finds classes and attributes that a page's scripts set for a state, such as `is-invalid`, `input--error`,
 * `Mui-focused` or `aria-invalid`, by their names in the page's own selectors. A mark belongs to an element that such a
 * selector would match with it.
 */
import { unclobbered } from '../unclobbered.ts';

export type LookState = 'hover' | 'focus' | 'invalid';

/** The words for a state, at the start of a name, after a hyphen or as a capitalised word. */
const WORDS: Readonly<Record<LookState, RegExp>> = {
  hover: /(^|[-_])hover(ed)?($|[-_])|Hover(ed)?($|[A-Z-_])/,
  focus: /(^|[-_])focus(ed)?($|[-_])|Focus(ed)?($|[A-Z-_])/,
  invalid: /(^|[-_])(invalid|error|errored|danger|failed)($|[-_])|(Invalid|Error|Errored|Danger)($|[A-Z-_])/,
};

/** Class names for fields, which are enough even if the selector has no other class. */
const FIELDS = /form|input|field|control/i;

/** A compound selector: the part between two combinators. */
const COMPOUND = /[^\s,>+~{}();]+/g;
const CLASS = /\.((?:[\w-]|\\.)+)/g;
const ATTRIBUTE = /\[([\w-]+)(?:[~|^$*]?=["']?([^"'\]]*)["']?)?\]/g;

/** An attribute to set, or a class to add. */
export type Mark = { readonly name: string; readonly value: string };

type Candidate = { state: LookState; mark: Mark; rest: string };

const stateOf = (name: string): LookState | undefined =>
  (['hover', 'focus', 'invalid'] as const).find((state) => WORDS[state].test(name));

/** The marks for a state in all selectors, each with the rest of its compound selector. */
export const findMarks = (text: string): readonly Candidate[] => {
  const found = new Map<string, Candidate>();
  const note = (compound: string, whole: string, name: string, value: string, isClass: boolean) => {
    const state = stateOf(name);
    if (!state) return;
    const rest = compound.replace(whole, '').replace(/:.*/, '').replace(/^&/, '');
    const mark = isClass ? { name: 'class', value: name } : { name, value };
    found.set(`${state} ${mark.name} ${mark.value} ${rest}`, { state, mark, rest });
  };
  for (const line of text.split('\n')) {
    const end = line.indexOf('{');
    if (!/hover|focus|invalid|error|danger|failed/i.test(line)) continue;
    const selectors = line.replace(/\{[^{}]*\}/g, '{}').slice(0, Math.max(end, 4000));
    for (const [compound] of selectors.matchAll(COMPOUND)) {
      for (const [whole, name = ''] of compound.matchAll(CLASS)) note(compound, whole, name, '', true);
      for (const [whole, name = '', value = ''] of compound.matchAll(ATTRIBUTE))
        if (!name.startsWith('card-form-')) note(compound, whole, name, value, false);
    }
  }
  return [...found.values()];
};

/** Returns false for a selector that the browser doesn't know. */
export const matches = (element: Element, selector: string): boolean => {
  try {
    return unclobbered(element).matches(selector);
  } catch {
    return false;
  }
};

/** Returns true if a class is a variant of one that the element has: `input--error` of `input`. */
const isVariant = (element: Element, name: string): boolean =>
  [...element.classList].some(
    (own) => own.length > 2 && name.startsWith(own) && /^[-_]/.test(name.slice(own.length)),
  );

/** The marks of a state for the copy of an element. `isControl`: it is the field itself. */
export const stateMarksFor = (
  candidates: readonly Candidate[],
  state: LookState,
  element: Element,
  isControl: boolean,
): readonly Mark[] =>
  candidates
    .filter((one) => {
      if (one.state !== state) return false;
      if (one.mark.name !== 'class') return one.rest ? matches(element, one.rest) : true;
      if (one.rest) return matches(element, one.rest);
      return isVariant(element, one.mark.value) || (isControl && FIELDS.test(one.mark.value));
    })
    .map(({ mark }) => mark);

/** Returns true if a class or attribute marks a current state: not `focus-auto`, which sets how it would look. */
export const saysState = (name: string): boolean =>
  /(^|[-_]|is|has)(hover|focus|invalid|error|danger|errored|hovered|focused|failed)$/i.test(name);
