/** Reads and edits built scripts through their syntax tree. */
import { type ESTree, parseSync } from 'vite';

/** A range of code and its replacement. */
export type SourceEdit = { start: number; end: number; text: string };

/** Parses a built script; throws if it is invalid. */
export const parseModule = (code: string) => {
  const { program, errors } = parseSync('entry.js', code);
  if (errors[0]) throw new Error(`The built script does not parse: ${errors[0].message}`);
  return program;
};

/** The value of a string literal or of a template without expressions; `null` for any other expression. */
export const literalText = (node: ESTree.Expression): string | null => {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  return node.type === 'TemplateLiteral' && node.quasis.length === 1
    ? (node.quasis[0]?.value.cooked ?? null)
    : null;
};

/** Applies these edits, which must not overlap. */
export const applyEdits = (code: string, edits: readonly SourceEdit[]): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, text }) => result.slice(0, start) + text + result.slice(end), code);
