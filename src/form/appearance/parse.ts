/**
 * Parses a merchant's `appearance` value by value. An invalid value is ignored and reported, and affects no other
 * value: a misspelt colour must not keep a buyer from paying.
 */
import { parseColour, type Translucent } from './colour.ts';
import {
  type AppearanceProblem,
  collectProblems,
  entriesOf,
  got,
  parseLength,
  quoted,
  type Report,
  readText,
  shown,
  suggestion,
} from './given-value.ts';
import { bareName, PAGE_FONT_PROPERTY, type PageFaces } from './page-faces.ts';
import { type Substitute, substituteFrom } from './substitute.ts';
import { readTaken, type Taken, withoutGiven } from './taken.ts';
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
  type Scheme,
  SYSTEM_FONTS,
  TOKEN_NAMES,
  WEIGHTS,
} from './tokens.ts';

/** The parsed values of `variables` or `darkVariables`. */
export type ParsedVariables = {
  colours: ReadonlyMap<ColourToken, Translucent>;
  /** CSS custom properties and their values, which we write from parsed values. */
  properties: ReadonlyMap<string, string>;
};

export type ParsedAppearance = {
  /** The wanted colour scheme. */
  scheme: Scheme;
  layout: Layout;
  /** For both schemes. */
  variables: ParsedVariables;
  /** For the dark scheme; overrides `variables`. */
  darkVariables: ParsedVariables;
  /** The values of `rules` and `darkRules`, which `rules.ts` parses. */
  rules: unknown;
  darkRules: unknown;
  /** Values read from the page that no given variable overrides. */
  taken: { variables: ParsedVariables; rules: Taken['rules'] };
  problems: readonly AppearanceProblem[];
};

const THEMES = ['auto', 'light', 'dark'] as const;

/** The objects of values; those for the dark scheme override the others. */
const LAYERS = ['variables', 'darkVariables', 'rules', 'darkRules'] as const;
const OPTIONS: readonly string[] = ['theme', 'from', ...Object.keys(LAYOUT), ...LAYERS];

/**
 * Never throws, whatever the input. `style`: the page's custom properties, which values may refer to. `fontFamily` may
 * also name the page's own `faces`. `page`: the page's colour scheme, which the theme `auto` follows.
 */
export const parseAppearance = (
  input: unknown,
  style?: unknown,
  faces: PageFaces = new Map(),
  page: Scheme = 'light',
): ParsedAppearance => {
  const substitute = substituteFrom(style);
  const { problems, report } = collectProblems();
  const given = new Map(entriesOf('appearance', input, report));
  for (const name of given.keys()) {
    if (!OPTIONS.includes(name)) {
      report(`appearance.${shown(name)}`, `is unknown${suggestion(name, OPTIONS)}. It is ignored.`);
    }
  }
  const read = readTaken(given.get('from'), report);
  const theme = choice('theme', THEMES, given.get('theme'), report);
  const scheme = theme === 'auto' ? page : theme;
  const layers = scheme === 'dark' ? (['variables', 'darkVariables'] as const) : (['variables'] as const);
  const taken = withoutGiven(
    read,
    layers.flatMap((layer) => Object.keys(Object(given.get(layer)))),
  );
  return {
    scheme,
    layout: parseLayout(given, report),
    variables: parseVariables('appearance.variables', given.get('variables'), substitute, faces, report),
    darkVariables: parseVariables(
      'appearance.darkVariables',
      given.get('darkVariables'),
      substitute,
      faces,
      report,
    ),
    taken: {
      variables: parseVariables('appearance.from', taken.variables, substitute, faces, report),
      rules: taken.rules,
    },
    rules: given.get('rules'),
    darkRules: given.get('darkRules'),
    problems,
  };
};

/** The given choice, or the first one, which is the default. */
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
    nameField: choice('nameField', LAYOUT.nameField, given.get('nameField'), report),
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
    const text = readText(value, substitute);
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

/**
 * `known`: the known fonts in our own spelling and quotes, a hosted one with its fallbacks, followed by a generic
 * family. `all`: the same with the page's own fonts, by our names.
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
