/** Reads values of a page's appearance, and quotes them in messages to the page's developer. */
import { roundLength } from '../channel/rule-ranges.ts';
import type { Substitute } from './substitute.ts';

/** A value that was ignored or changed. `option` is its full path, `message` a text for the merchant's developer. */
export type AppearanceProblem = { readonly option: string; readonly message: string };

/** Maximum length of a value, in characters. Longer ones are invalid. */
const MAX_LENGTH = 300;

/** Maximum number of problems that are reported. */
const MAX_PROBLEMS = 50;

/** Reports a problem with an option. */
export type Report = (option: string, message: string) => void;

export const collectProblems = (): { problems: readonly AppearanceProblem[]; report: Report } => {
  const problems: AppearanceProblem[] = [];
  return {
    problems,
    report: (option, message) => {
      if (problems.length < MAX_PROBLEMS) problems.push({ option, message });
    },
  };
};

export const entriesOf = (option: string, input: unknown, report: Report): readonly [string, unknown][] => {
  if (input === undefined || input === null) return [];
  if (typeof input === 'object' && !Array.isArray(input)) return Object.entries(input);
  report(option, `must be an object; got ${quoted(input)}. It is ignored.`);
  return [];
};

/** Accepts numbers, too, since weights are often given as numbers. */
export const readText = (value: unknown, substitute: Substitute): string | null => {
  if (typeof value === 'number') return `${value}`;
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
  const text = substitute(value.trim());
  return text.length <= MAX_LENGTH ? text : null;
};

/** The given value for a message and, if different, the page's substitute for it. */
export const got = (value: unknown, text: string | null): string => {
  const isOfPage = typeof value === 'string' && text !== null && text !== value.trim();
  return `${quoted(value)}${isOfPage ? `, which is ${quoted(text)} on the page` : ''}`;
};

/** Parses a length in CSS pixels, rounded to a tenth. Only 0 may have no unit. */
export const parseLength = (text: string): number | null => {
  const [, number = '', unit = ''] = /^(\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})(px|rem)?$/i.exec(text) ?? [];
  if (!number || (!unit && Number(number) !== 0)) return null;
  return roundLength(Number(number) * (unit.toLowerCase() === 'rem' ? 16 : 1));
};

/** The given value for a message: short, and harmless wherever it is shown. */
export const quoted = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(shown(value));
    case 'number':
    case 'boolean':
      return `${value}`;
    default:
      return Array.isArray(value) ? 'an array' : value === null ? 'null' : `a value of type ${typeof value}`;
  }
};

/** Printable ASCII, at most 40 characters. */
export const shown = (text: string): string => {
  const start = text.slice(0, 40).replace(/[^ -~]/g, '?');
  return text.length > 40 ? `${start}…` : start;
};

/** `: did you mean colorPrimary?`, if a known name is similar. */
export const suggestion = (name: string, names: readonly string[]): string => {
  if (name.length > 40) return '';
  const [nearest] = names
    .map((known) => ({ known, steps: distance(name.toLowerCase(), known.toLowerCase()) }))
    .filter(({ known, steps }) => steps <= Math.max(2, known.length / 3))
    .sort((one, other) => one.steps - other.steps);
  return nearest ? `: did you mean ${nearest.known}?` : '';
};

/** The Levenshtein distance. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const [left = 0, above = 0, corner = 0] = [next[column - 1], row[column], row[column - 1]];
      next.push(Math.min(left + 1, above + 1, corner + (to[column - 1] === letter ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};
