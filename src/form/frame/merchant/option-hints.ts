/** Console hints about options that the form does not know or cannot read. */
import { closestName } from '../../channel/closest-name.ts';
import { ANYTHING, FLAG, FUNCTION, KEY, LOCAL, NAMES, OPTIONS, SECRET } from '../../channel/options.ts';
import { keysOf, ownProperty } from '../../channel/own-property.ts';
import { isObject, type OptionKind, type OptionTable } from '../../channel/read-options.ts';
import type { OptionProblem } from './option-problems.ts';

/** All options a page can pass. */
const OPTION_NAMES: readonly string[] = keysOf(OPTIONS);

/** Properties the loader adds to `init`. */
const ADDED_BY_LOADER = ['channel', 'protocol', 'backdrop', 'style'];

/** One hint for each unknown option, and for each value ignored because of its type. `data`: the page's `init`. */
export const optionHints = (data: object): readonly OptionProblem[] => [
  ...Object.keys(data)
    .filter((name) => !OPTION_NAMES.includes(name) && !ADDED_BY_LOADER.includes(name))
    .map((option) => {
      const close = closestName(option, OPTION_NAMES);
      const hint = close ? `Did you mean ${close}?` : `The options are ${OPTION_NAMES.join(', ')}.`;
      return { option, message: `Unknown option. ${hint}` };
    }),
  ...misread('', data, OPTIONS),
];

const misread = (path: string, data: object, table: OptionTable): readonly OptionProblem[] =>
  keysOf(table).flatMap((name) => {
    const value = ownProperty(data, name);
    const kind = table[name] ?? ANYTHING;
    const option = `${path}${name}`;
    if (value === undefined || value === null) return [];
    if (isTable(kind) && isObject(value)) return misread(`${option}.`, value, kind);
    const expected = expectedOf(kind, value);
    return expected === null
      ? []
      : [{ option, message: `Expected ${expected}; got ${kindOf(value)}. It is ignored.` }];
  });

const isTable = (kind: OptionKind): kind is OptionTable => typeof kind === 'object' && !Array.isArray(kind);

/** The type expected of this option; null if the value has it, or if it is checked elsewhere. */
const expectedOf = (kind: OptionKind, value: unknown): string | null => {
  switch (kind) {
    case ANYTHING:
    case NAMES:
    case KEY:
    case SECRET:
    case LOCAL:
      return null;
    case FLAG:
      return typeof value === 'boolean' ? null : 'true or false';
    case FUNCTION:
      return value === true ? null : 'a function'; // the loader posts `true` for a function
    default:
      if (isTable(kind)) return 'an object';
      if (typeof kind !== 'number')
        return kind.some((word) => word === value) ? null : kind.map((word) => `'${word}'`).join(' or ');
      return typeof value === 'string' && value.length <= kind
        ? null
        : `a text of at most ${kind} characters`;
  }
};

/** Never contains the value itself, which may be a buyer's name. */
const kindOf = (value: unknown): string => {
  if (typeof value === 'string') return `a text of ${value.length}`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `${value}`;
};
