/**
 * Parses a merchant's `appearance` value by value. An invalid value is ignored and reported, and affects no other: a
 * misspelt colour must not keep a buyer from paying.
 */
import { parseColour, type Translucent } from './colour.ts';
import { bareName, PAGE_FONT_PROPERTY, type PageFaces } from './page-faces.ts';
import { type Substitute, substituteFrom } from './substitute.ts';
import {
  COLOURS,
  type ColourToken,
  FALLBACK_FONTS,
  FONT_PROPERTY,
  fallbackName,
  GENERIC_FONTS,
  HOSTED_FONTS,
  LAYOUT,
  type Layout,
  LENGTHS,
  SYSTEM_FONTS,
  TOKEN_NAMES,
  WEIGHTS,
} from './tokens.ts';

/** A value that was ignored or changed. `option` is its full path, `message` a text for the merchant's developer. */
export type AppearanceProblem = { readonly option: string; readonly message: string };

/** The values of `variables` or `darkVariables`, read. */
export type ParsedVariables = {
  colours: ReadonlyMap<ColourToken, Translucent>;
  /** CSS custom properties and their values, which are written by us from parsed values. */
  properties: ReadonlyMap<string, string>;
};

export type ParsedAppearance = {
  theme: 'auto' | 'light' | 'dark';
  layout: Layout;
  /** For both schemes. */
  variables: ParsedVariables;
  /** For the dark scheme, over `variables`. */
  darkVariables: ParsedVariables;
  problems: readonly AppearanceProblem[];
};

/** Longer texts are invalid. In characters. */
const MAX_LENGTH = 300;

/** Further problems are not reported. */
const MAX_PROBLEMS = 50;

const THEMES = ['auto', 'light', 'dark'] as const;
const OPTIONS: readonly string[] = ['theme', ...Object.keys(LAYOUT), 'variables', 'darkVariables'];

/**
 * Never throws, whatever it is given. `style`: custom properties of the page, which values may be. `fontFamily` may also
 * name the page's own `faces`.
 */
export const parseAppearance = (
  input: unknown,
  style?: unknown,
  faces: PageFaces = new Map(),
): ParsedAppearance => {
  const substitute = substituteFrom(style);
  const problems: AppearanceProblem[] = [];
  const report: Report = (option, message) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ option, message });
  };
  const given = new Map(entriesOf('appearance', input, report));
  for (const name of given.keys()) {
    if (!OPTIONS.includes(name)) {
      report(`appearance.${shown(name)}`, `is unknown${suggestion(name, OPTIONS)}. It is ignored.`);
    }
  }
  return {
    theme: choice('theme', THEMES, given.get('theme'), report),
    layout: parseLayout(given, report),
    variables: parseVariables('appearance.variables', given.get('variables'), substitute, faces, report),
    darkVariables: parseVariables(
      'appearance.darkVariables',
      given.get('darkVariables'),
      substitute,
      faces,
      report,
    ),
    problems,
  };
};

type Report = (option: string, message: string) => void;

const entriesOf = (option: string, input: unknown, report: Report): readonly [string, unknown][] => {
  if (input === undefined || input === null) return [];
  if (typeof input === 'object' && !Array.isArray(input)) return Object.entries(input);
  report(option, `must be an object; got ${quoted(input)}. It is ignored.`);
  return [];
};

/** The given choice, or the first one as the default. */
const choice = <Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
  given: unknown,
  report: Report,
): Choice => {
  const found = choices.find((one) => one === given);
  if (found === undefined && given !== undefined) {
    report(
      `appearance.${name}`,
      `must be ${choices.join(' or ')}; got ${quoted(given)}. ${choices[0]} is used instead.`,
    );
  }
  return found ?? choices[0];
};

const parseLayout = (given: ReadonlyMap<string, unknown>, report: Report): Layout => {
  const layout: Layout = {
    labels: choice('labels', LAYOUT.labels, given.get('labels'), report),
    fields: choice('fields', LAYOUT.fields, given.get('fields'), report),
    card: choice('card', LAYOUT.card, given.get('card'), report),
    placeholders: choice('placeholders', LAYOUT.placeholders, given.get('placeholders'), report),
    brands: choice('brands', LAYOUT.brands, given.get('brands'), report),
  };
  if (layout.card === 'row' && layout.labels !== 'hidden') {
    report(
      'appearance.card',
      "can be row with labels: 'hidden' only: those of some languages have no room beside each other. It is ignored.",
    );
    return { ...layout, card: 'lines' };
  }
  if (layout.labels === 'hidden' && layout.placeholders === 'hidden') {
    report(
      'appearance.placeholders',
      'cannot be hidden with the labels: an empty field has to say what belongs into it (WCAG 3.3.2). Its label stands in it until it has a value.',
    );
  }
  return layout;
};

const parseVariables = (
  option: string,
  input: unknown,
  substitute: Substitute,
  faces: PageFaces,
  report: Report,
): ParsedVariables => {
  const colours = new Map<ColourToken, Translucent>();
  const properties = new Map<string, string>();
  for (const [name, value] of entriesOf(option, input, report)) {
    if (value === undefined) continue;
    const refuse = (message: string) => report(`${option}.${shown(name)}`, `${message} It is ignored.`);
    const text = textOf(value, substitute);
    const wrong = (expected: string) => refuse(`must be ${expected}; got ${got(value, text)}.`);
    if (isColour(name)) {
      const colour = text === null ? null : parseColour(text);
      if (!colour) wrong('a colour such as #2557d6, rgb(37 87 214), hsl(223 70% 49%) or a basic name');
      else if (name === 'colorBackground' && colour.alpha < 1) {
        wrong('opaque, so that the total stays readable; omit it for a transparent form');
      } else colours.set(name, colour);
    } else if (isLength(name)) {
      const { property, least, most } = LENGTHS[name];
      const pixels = text === null ? null : parseLength(text);
      if (pixels === null || pixels < least || pixels > most) wrong(`from ${least}px to ${most}px`);
      else properties.set(property, `${pixels}px`);
    } else if (isWeight(name)) {
      const { property, least, most } = WEIGHTS[name];
      const weight = text !== null && /^\d{3}$/.test(text) ? Number(text) : 0;
      if (weight < least || weight > most) wrong(`a weight from ${least} to ${most}`);
      else properties.set(property, `${weight}`);
    } else if (name === 'fontFamily') {
      const fonts = parseFonts(text ?? '', faces);
      if (fonts.all.length === 0) wrong('a list of hosted or system fonts, such as "Inter, sans-serif"');
      else {
        if (fonts.known.length > 0) properties.set(FONT_PROPERTY, fonts.known.join(', '));
        if (faces.size > 0)
          properties.set(PAGE_FONT_PROPERTY, [...fonts.all, `var(${FONT_PROPERTY})`].join(', '));
        if (fonts.unknown.length > 0) {
          report(
            `${option}.${name}`,
            `can only name hosted or system fonts and those of the option fonts; ignored: ${fonts.unknown.map(quoted).join(', ')}.`,
          );
        }
      }
    } else refuse(`is unknown${suggestion(name, TOKEN_NAMES)}.`);
  }
  return { colours, properties };
};

const isColour = (name: string): name is ColourToken => Object.hasOwn(COLOURS, name);
const isLength = (name: string): name is keyof typeof LENGTHS => Object.hasOwn(LENGTHS, name);
const isWeight = (name: string): name is keyof typeof WEIGHTS => Object.hasOwn(WEIGHTS, name);

/** Numbers are accepted, since weights are often given as such. */
const textOf = (value: unknown, substitute: Substitute): string | null => {
  if (typeof value === 'number') return `${value}`;
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
  const text = substitute(value.trim());
  return text.length <= MAX_LENGTH ? text : null;
};

/** What was given, and what the page made of it. */
const got = (value: unknown, text: string | null): string => {
  const isOfPage = typeof value === 'string' && text !== null && text !== value.trim();
  return `${quoted(value)}${isOfPage ? `, which is ${quoted(text)} on the page` : ''}`;
};

/** CSS pixels, rounded to a tenth. Only 0 may have no unit. */
const parseLength = (text: string): number | null => {
  const [, number = '', unit = ''] = /^(\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})(px|rem)?$/i.exec(text) ?? [];
  if (!number || (!unit && Number(number) !== 0)) return null;
  return Math.round(Number(number) * (unit.toLowerCase() === 'rem' ? 16 : 1) * 10) / 10;
};

/**
 * The known fonts in our own spelling and quotes, a hosted one with its fallbacks, followed by a generic family; and all of them,
 * with the page's own by our name of each.
 */
const parseFonts = (
  text: string,
  faces: PageFaces,
): { known: readonly string[]; all: readonly string[]; unknown: readonly string[] } => {
  const known = new Set<string>();
  const all = new Set<string>();
  const unknown: string[] = [];
  for (const part of text.split(',').slice(0, 20)) {
    const name = bareName(part);
    const face = faces.get(name);
    const generic = GENERIC_FONTS.find((font) => font.toLowerCase() === name);
    const hosted = HOSTED_FONTS.find((font) => font.toLowerCase() === name);
    const family = SYSTEM_FONTS.find((font) => font.toLowerCase() === name);
    if (face) all.add(`"${face}"`);
    if (generic) known.add(generic);
    else if (hosted) {
      known.add(`"${hosted}"`);
      for (const system of FALLBACK_FONTS) known.add(`"${fallbackName(hosted, system)}"`);
    } else if (family) known.add(`"${family}"`);
    else if (!face) unknown.push(part.trim());
    for (const font of known) all.add(font);
  }
  const ends = known.has('serif') || known.has('monospace') || known.has('sans-serif');
  if (known.size > 0 && !ends) known.add('sans-serif');
  return { known: [...known], all: [...all], unknown };
};

/** The given value for a message: short, and harmless wherever it is shown. */
const quoted = (value: unknown): string => {
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
const shown = (text: string): string => {
  const start = text.slice(0, 40).replace(/[^ -~]/g, '?');
  return text.length > 40 ? `${start}…` : start;
};

/** `: did you mean colorPrimary?`, if a known name is similar. */
const suggestion = (name: string, names: readonly string[]): string => {
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
