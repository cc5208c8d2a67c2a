/**
 * Classes and attributes that scripts of a page set for a state, such as `is-invalid`, `input--error`, `Mui-focused` or `aria-invalid`.
 * They are found by their names in the page's own selectors, and belong to an element that such a selector would match with them.
 */

export type LookState = 'hover' | 'focus' | 'invalid';

/** The words for a state, at the start of a name, after a hyphen or a capital letter. */
const WORDS: Readonly<Record<LookState, RegExp>> = {
  hover: /(^|[-_])hover(ed)?($|[-_])|Hover(ed)?($|[A-Z-_])/,
  focus: /(^|[-_])focus(ed)?($|[-_])|Focus(ed)?($|[A-Z-_])/,
  invalid: /(^|[-_])(invalid|error|errored|danger|failed)($|[-_])|(Invalid|Error|Errored|Danger)($|[A-Z-_])/,
};

/** Names of classes for fields, which say so although no other class goes with them. */
const FIELDS = /form|input|field|control/i;

/** A compound selector: what stands between two combinators. */
const COMPOUND = /[^\s,>+~{}();]+/g;
const CLASS = /\.((?:[\w-]|\\.)+)/g;
const ATTRIBUTE = /\[([\w-]+)(?:[~|^$*]?=["']?([^"'\]]*)["']?)?\]/g;

/** An attribute to set, or a class to add. */
export type Mark = { readonly name: string; readonly value: string };

type Candidate = { state: LookState; mark: Mark; rest: string };

const stateOf = (name: string): LookState | undefined =>
  (['hover', 'focus', 'invalid'] as const).find((state) => WORDS[state].test(name));

/** All selectors' marks for a state, with what else their compound selector wants. */
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

const matches = (element: Element, selector: string): boolean => {
  try {
    return element.matches(selector);
  } catch {
    return false;
  }
};

/** Whether a class is a variant of one that the element has: `input--error` of `input`. */
const isVariant = (element: Element, name: string): boolean =>
  [...element.classList].some(
    (own) => own.length > 2 && name.startsWith(own) && /^[-_]/.test(name.slice(own.length)),
  );

/** The marks of a state for one element. `isControl`: it is the field itself. */
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

/** Whether a class or an attribute of an element says that it is in a state: not `focus-auto`, which says how it would look. */
export const saysState = (name: string): boolean =>
  /(^|[-_]|is|has)(hover|focus|invalid|error|danger|errored|hovered|focused|failed)$/i.test(name);
