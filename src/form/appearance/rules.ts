/**
 * Parses `rules`: the parts of the form that a page can style in each state, with a closed list of properties. Values
 * are parsed one by one, like those of variables; `rule-styles.ts` writes CSS from the result.
 */
import { DEEPEST, FARTHEST, MOST_SHADOWS, RULE_RANGES } from '../channel/rule-ranges.ts';
import { parseColour, type Translucent } from './colour.ts';
import { entriesOf, got, parseLength, type Report, readText, shown, suggestion } from './given-value.ts';
import type { Substitute } from './substitute.ts';

/** One shadow. Lengths in px. */
export type Shadow = {
  x: number;
  y: number;
  blur: number;
  spread: number;
  colour: Translucent;
  isInset: boolean;
};

/** The distance that the shadow reaches. */
export const reachOf = ({ x, y, blur, spread }: Shadow): number =>
  Math.max(Math.abs(x), Math.abs(y)) + blur + spread;

const signed = (text: string): number | null => {
  const length = parseLength(text.replace(/^-/, ''));
  return length !== null && text.startsWith('-') ? -length : length;
};

/** Reads lengths, one colour and `inset`, in any order. */
const readShadow = (given: readonly string[]): Shadow | null => {
  const words = given.filter((word) => word !== 'inset');
  const isInset = words.length < given.length;
  const lengths: number[] = [];
  const colours: Translucent[] = [];
  for (const word of words) {
    const length = signed(word);
    const colour = parseColour(word);
    if (length !== null) lengths.push(length);
    else if (colour) colours.push(colour);
    else return null;
  }
  const [x, y, blur = 0, spread = 0, ...more] = lengths;
  const [colour, another] = colours;
  if (x === undefined || y === undefined || blur < 0 || !colour || another || more.length > 0) return null;
  if (given.length - words.length > 1) return null;
  const shadow = { x, y, blur, spread, colour, isInset };
  return reachOf(shadow) <= (isInset ? DEEPEST : FARTHEST) ? shadow : null;
};

const bare = (text: string): string => text.replaceAll(' ', '');

const parseShadows = (text: string): readonly Shadow[] | null => {
  if (text === 'none') return [];
  const words = text.match(/[^ ,()]+(\([^()]*\))?|,/g) ?? [];
  if (bare(words.join('')) !== bare(text)) return null;
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === ',') parts.push([]);
    else parts.at(-1)?.push(word);
  }
  const shadows = parts.flatMap((part) => readShadow(part) ?? []);
  return shadows.length === parts.length && parts.length <= MOST_SHADOWS ? shadows : null;
};

/** One to four lengths, at least one of them 1 or more: a field without any line would be invisible. */
const parseSides = (text: string): readonly number[] | null => {
  const sides = parseWidths(text);
  return sides && Math.max(...sides) >= 1 ? sides : null;
};

const parseWidths = (text: string): readonly number[] | null => {
  const parts = text.split(' ').map(parseLength);
  const sides = parts.flatMap((side) => side ?? []);
  const isWhole = sides.length === parts.length && sides.length <= 4;
  return isWhole && Math.max(...sides) <= RULE_RANGES.borderWidth[1] ? sides : null;
};

/** One radius for all corners, or one each. */
const parseCorners = (text: string): readonly number[] | null => {
  const parts = text.split(' ').map(parseLength);
  const corners = parts.flatMap((corner) => corner ?? []);
  const isWhole = corners.length === parts.length && corners.length <= 4;
  return isWhole && Math.max(...corners) <= RULE_RANGES.borderRadius[1] ? corners : null;
};

type Kind<Value> = { read: (text: string) => Value | null; expected: string };

const COLOUR: Kind<Translucent> = {
  read: parseColour,
  expected: 'a colour such as #2557d6, rgb(37 87 214), hsl(223 70% 49%) or a basic name',
};

/** The factors from each accepted unit to the one that is written. */
const UNITS = { '': { '': 1 }, px: { px: 1, rem: 16 }, em: { em: 1 }, ms: { ms: 1, s: 1000 } } as const;

const number = (
  unit: keyof typeof UNITS,
  [least, most]: readonly [least: number, most: number],
): Kind<number> => ({
  read(text) {
    const [, digits = '', given = ''] = /^(\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})([a-z]*)$/i.exec(text) ?? [];
    const factor = new Map<string, number>(Object.entries(UNITS[unit])).get(given.toLowerCase());
    const value = Number(digits) * (factor ?? (given ? Number.NaN : 0));
    return digits && (factor || Number(digits) === 0) && value >= least && value <= most ? value : null;
  },
  expected: `from ${least}${unit} to ${most}${unit}`,
});

const WORDS = ['none', 'uppercase', 'lowercase', 'capitalize'] as const;

/** Every property, with its parser. */
export const PROPERTIES = {
  color: COLOUR,
  placeholderColor: COLOUR,
  backgroundColor: COLOUR,
  borderColor: COLOUR,
  outlineColor: COLOUR,
  outlineWidth: number('px', RULE_RANGES.outlineWidth),
  outlineOffset: number('px', RULE_RANGES.outlineOffset),
  boxShadow: {
    read: parseShadows,
    expected: `none, or up to ${MOST_SHADOWS} shadows with a colour such as 0 1px 2px #0000001a, that reach at most ${FARTHEST}px, inset ones ${DEEPEST}px`,
  } satisfies Kind<readonly Shadow[]>,
  borderWidth: {
    read: parseSides,
    expected: 'from 0 to 4px, for all sides or for each, with at least 1px on one of them',
  } satisfies Kind<readonly number[]>,
  borderRadius: {
    read: parseCorners,
    expected: 'from 0 to 32px, for all corners or for each',
  } satisfies Kind<readonly number[]>,
  padding: number('px', RULE_RANGES.padding),
  height: number('px', RULE_RANGES.height),
  gap: number('px', RULE_RANGES.gap),
  fontSize: number('px', RULE_RANGES.fontSize),
  fontWeight: number('', RULE_RANGES.fontWeight),
  letterSpacing: number('em', RULE_RANGES.letterSpacing),
  textTransform: {
    read: (text: string) => WORDS.find((word) => word === text) ?? null,
    expected: WORDS.join(' or '),
  },
  transitionDuration: number('ms', [0, 300]),
} as const;

export type PropertyName = keyof typeof PROPERTIES;

/** The parsed values for one part in one state. */
export type PartRule = {
  [Name in PropertyName]?: NonNullable<ReturnType<(typeof PROPERTIES)[Name]['read']>>;
};

const SURFACE = ['color', 'backgroundColor', 'borderColor', 'boxShadow'] as const;
const TEXT = ['color', 'fontWeight', 'letterSpacing', 'textTransform'] as const;

/** Properties that only the focus has, since it must not look like anything else. */
const OUTLINE = ['outlineColor', 'outlineWidth', 'outlineOffset'] as const;

type Part = {
  /** Properties at rest. Only here are sizes allowed, so that states don't move anything. */
  rest: readonly PropertyName[];
  /** Properties in each of its states. */
  inState: readonly PropertyName[];
  states: readonly string[];
};

/** Every part, with its states in the order in which they are written: if two apply, the later one wins. */
export const PARTS = {
  field: {
    rest: [
      ...SURFACE,
      ...(['placeholderColor', 'borderWidth', 'borderRadius', 'padding', 'height'] as const),
      ...(['fontSize', 'fontWeight', 'letterSpacing', 'transitionDuration'] as const),
    ],
    inState: [...SURFACE, 'placeholderColor'],
    states: ['hover', 'complete', 'focus', 'invalid', 'disabled'],
  },
  label: {
    rest: [...TEXT, 'fontSize', 'gap'],
    inState: ['color'],
    states: ['hover', 'complete', 'focus', 'invalid', 'disabled'],
  },
  hint: { rest: TEXT, inState: [], states: [] },
  error: { rest: TEXT, inState: [], states: [] },
  button: {
    rest: [
      ...SURFACE,
      ...(['borderWidth', 'borderRadius', 'height', 'fontSize', 'fontWeight', 'letterSpacing'] as const),
      ...(['textTransform', 'transitionDuration'] as const),
    ],
    inState: SURFACE,
    states: ['hover', 'focus', 'disabled'],
  },
  total: { rest: ['color', 'fontWeight'], inState: [], states: [] },
  details: { rest: ['color', 'fontWeight'], inState: ['color'], states: ['hover', 'focus'] },
  notice: { rest: [...SURFACE, 'padding', 'fontWeight'], inState: SURFACE, states: ['invalid'] },
} as const satisfies Readonly<Record<string, Part>>;

export type PartName = keyof typeof PARTS;

/** The key of each part at rest and in each of its states. */
export const RULE_NAMES: readonly string[] = Object.entries(PARTS).flatMap(([part, { states }]) => [
  part,
  ...states.map((state) => `${part}:${state}`),
]);

/** The properties allowed in a rule of this name. */
export const propertiesOf = (rule: string): readonly PropertyName[] => {
  const [name = '', state] = rule.split(':');
  const part: Part | undefined = Object.entries(PARTS).find(([known]) => known === name)?.[1];
  if (!part) return [];
  if (state === undefined) return part.rest;
  return state === 'focus' && name !== 'label' && name !== 'details'
    ? [...part.inState, ...OUTLINE]
    : part.inState;
};

export const isProperty = (name: string): name is PropertyName => Object.hasOwn(PROPERTIES, name);

/** Never throws, whatever the input. Keeps only the usable values of each rule. */
export const parseRules = (
  option: string,
  input: unknown,
  substitute: Substitute,
  report: Report,
  isTaken = false,
): ReadonlyMap<string, PartRule> => {
  const rules = new Map<string, PartRule>();
  for (const [name, given] of entriesOf(option, input, report)) {
    if (given === undefined) continue;
    const path = `${option}.${shown(name)}`;
    if (!RULE_NAMES.includes(name)) {
      report(path, `is unknown${suggestion(name, RULE_NAMES)}. It is ignored.`);
      continue;
    }
    const rule: PartRule = {};
    for (const [property, value] of entriesOf(path, given, report)) {
      if (value === undefined) continue;
      const refuse = (message: string) => report(`${path}.${shown(property)}`, `${message} It is ignored.`);
      const allowed = propertiesOf(name);
      if (!isProperty(property)) refuse(`is unknown${suggestion(property, allowed)}.`);
      else if (!allowed.includes(property)) refuse(`is not for ${name}, which has ${allowed.join(', ')}.`);
      else {
        const { read, expected } = PROPERTIES[property];
        const text = readText(value, substitute);
        // A field of the page may have a background or a shadow instead of a border.
        const isAnyWidth = isTaken && property === 'borderWidth';
        const parsed = text === null ? null : isAnyWidth ? parseWidths(text) : read(text);
        if (parsed === null) refuse(`must be ${expected}; got ${got(value, text)}.`);
        else Object.assign(rule, { [property]: parsed });
      }
    }
    rules.set(name, rule);
  }
  return rules;
};
