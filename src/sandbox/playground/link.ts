/**
 * The choices as a URL fragment, so that a link carries them. A link is untrusted input: each value is checked
 * separately, and an invalid one is left out and reported. Keys and secrets are neither written nor read.
 */

import { COUNTRIES } from '../../form/address/country-codes.ts';
import { parseAppearance } from '../../form/appearance/parse.ts';
import { RULE_NAMES } from '../../form/appearance/rules.ts';
import { LAYOUT } from '../../form/appearance/tokens.ts';
import { BRANDS } from '../../form/card/brand-names.ts';
import { BUTTON_TYPES } from '../../form/channel/button-types.ts';
import { BILLING_OPTIONS } from '../../form/channel/fields.ts';
import { LANGUAGES } from '../../form/i18n/languages.ts';
import { parseTranslations } from '../../form/i18n/translations.ts';
import {
  BUYER_FIELDS,
  type BuyerField,
  type Choices,
  DEFAULTS,
  LAYERS,
  type Layer,
  NARROWEST,
  PAGE_SCHEMES,
  PAY_BUTTONS,
  PRESETS,
  type Preset,
  TARGETS,
  THEMES,
  VARIABLE_NAMES,
  type VariableName,
  WIDEST,
} from './choices.ts';
import { ruleProblem } from './rules-text.ts';

/** The choices in a link, and one sentence for each invalid value. */
export type ReadLink = { choices: Choices; problems: readonly string[] };

/** In characters. Longer fragments are not read. */
const LONGEST_LINK = 8000;
/** In characters: the longest text that the form takes. Longer texts are not read. */
const LONGEST_TEXT = 254;
/** Further problems are not reported. */
const MOST_PROBLEMS = 5;

/** A card number, a client secret or a key, none of which belongs in a URL. */
const SECRET = /\d{12}|lg_cs_|[sp]k_(live|test)_/i;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** Returns the text if a link may contain it, otherwise null. */
const textIn = (text: string): string | null =>
  text.length > 0 &&
  text.length <= LONGEST_TEXT &&
  !SECRET.test(text.replace(/[\s-]/g, '')) &&
  !INVISIBLE.test(text)
    ? text
    : null;

const oneOf = <Choice extends string>(choices: readonly Choice[], text: string): Choice | null =>
  choices.find((choice) => choice === text) ?? null;

/** Returns the listed names, or null if one is unknown or repeated. */
const listOf = <Choice extends string>(
  choices: readonly Choice[],
  text: string,
): readonly Choice[] | null => {
  const listed = text.split(',');
  const known = listed.flatMap((name) => oneOf(choices, name) ?? []);
  return known.length === listed.length && new Set(known).size === known.length ? known : null;
};

const isPreset = (name: string): name is Preset => Object.hasOwn(PRESETS, name);

/** Returns the value of a variable if the form would accept it, otherwise null. */
const variableIn = (name: VariableName, text: string): string | null => {
  const { problems } = parseAppearance({ variables: { [name]: text } });
  return textIn(text) !== null && problems.length === 0 ? text : null;
};

/** Returns the text of a rule if the form would accept it, otherwise null. */
const ruleIn = (name: string, text: string): string | null =>
  textIn(text) !== null && ruleProblem(name, text) === null ? text : null;

/** Returns a replacement text if the form would accept it, otherwise null. */
const translationIn = (key: string, text: string): string | null =>
  textIn(text) !== null && parseTranslations({ [key]: text }).refused.length === 0 ? text : null;

const widthIn = (text: string): number | null => {
  const width = /^\d{3,4}$/.test(text) ? Number(text) : 0;
  return width >= NARROWEST && width <= WIDEST ? width : null;
};

/** Sets a choice from its text. Returns null if the text is invalid. */
type Reader = (choices: Choices, text: string) => Choices | null;

/** Creates a reader that parses the text and sets the choice with this name. */
const into =
  <Key extends keyof Choices>(key: Key, parse: (text: string) => Choices[Key] | null): Reader =>
  (choices, text) => {
    const value = parse(text);
    return value === null ? null : { ...choices, [key]: value };
  };

/** Readers of the fixed keys. `readerOf` creates those of variables, rules, texts and the buyer. */
const READERS: Readonly<Record<string, Reader>> = {
  preset: into('preset', (text) => (isPreset(text) ? text : null)),
  theme: into('theme', (text) => oneOf(THEMES, text)),
  labels: into('labels', (text) => oneOf(LAYOUT.labels, text)),
  fields: into('fields', (text) => oneOf(LAYOUT.fields, text)),
  card: into('card', (text) => oneOf(LAYOUT.card, text)),
  name: into('nameField', (text) => oneOf(LAYOUT.nameField, text)),
  placeholders: into('placeholders', (text) => oneOf(LAYOUT.placeholders, text)),
  marks: into('brands', (text) => oneOf(LAYOUT.brands, text)),
  locale: into('locale', (text) => oneOf(['auto', ...LANGUAGES], text)),
  button: into('payButton', (text) => oneOf(PAY_BUTTONS, text)),
  words: into('buttonType', (text) => oneOf(BUTTON_TYPES, text)),
  readonly: into('readOnly', (text) => (text === '1' ? true : null)),
  never: into('never', (text) => listOf(BILLING_OPTIONS, text)),
  countries: into('allowedCountries', (text) => listOf(COUNTRIES, text)),
  brands: into('acceptedBrands', (text) => listOf(BRANDS, text)),
  width: into('width', widthIn),
  page: into('page', (text) => oneOf(PAGE_SCHEMES, text)),
  code: into('target', (text) => oneOf(TARGETS, text)),
};

/** The key prefixes of the two objects of variables, of rules, of the buyer, and of texts. */
const PREFIXES: Readonly<Record<Layer, string>> = { variables: 'v.', darkVariables: 'd.' };
const RULE = 'rule.';
const BUYER = 'buyer.';
const TEXT = 'text.';

const readerOf = (key: string): Reader | null => {
  for (const layer of LAYERS) {
    const name = key.startsWith(PREFIXES[layer])
      ? oneOf(VARIABLE_NAMES, key.slice(PREFIXES[layer].length))
      : null;
    if (name !== null) {
      return (choices, text) => {
        const value = variableIn(name, text);
        return value === null ? null : { ...choices, [layer]: { ...choices[layer], [name]: value } };
      };
    }
  }
  const rule = key.startsWith(RULE) ? oneOf(RULE_NAMES, key.slice(RULE.length)) : null;
  if (rule !== null) {
    return (choices, text) => {
      const value = ruleIn(rule, text);
      return value === null ? null : { ...choices, rules: { ...choices.rules, [rule]: value } };
    };
  }
  const field = key.startsWith(BUYER) ? oneOf(BUYER_FIELDS, key.slice(BUYER.length)) : null;
  if (field !== null) {
    return (choices, text) => {
      const value = buyerValue(field, text);
      return value === null ? null : { ...choices, buyer: { ...choices.buyer, [field]: value } };
    };
  }
  if (key.startsWith(TEXT)) {
    const name = key.slice(TEXT.length);
    return (choices, text) => {
      const value = translationIn(name, text);
      return value === null ? null : { ...choices, translations: { ...choices.translations, [name]: value } };
    };
  }
  return Object.hasOwn(READERS, key) ? (READERS[key] ?? null) : null;
};

/** Returns a value of the buyer if a link may contain it, otherwise null. */
export const buyerValue = (field: BuyerField, text: string): string | null =>
  field === 'country' ? oneOf(COUNTRIES, text) : textIn(text);

/** Makes a key safe to show. */
const shown = (key: string): string => key.slice(0, 30).replace(/[^ -~]|[<>]/g, '?');

/** Reads a URL fragment, with or without `#`. Never throws. */
export const readLink = (hash: string): ReadLink => {
  const text = hash.replace(/^#/, '');
  if (text === '') return { choices: DEFAULTS, problems: [] };
  if (text.length > LONGEST_LINK) {
    return { choices: DEFAULTS, problems: ['The link is too long to be read. It was ignored.'] };
  }
  let choices = DEFAULTS;
  const problems: string[] = [];
  for (const [key, value] of new URLSearchParams(text)) {
    const next = readerOf(key)?.(choices, value) ?? null;
    if (next !== null) choices = next;
    else if (problems.length < MOST_PROBLEMS) {
      problems.push(`The link has a value for “${shown(key)}” that cannot be used. It was ignored.`);
    }
  }
  return { choices: withKnownDetails(choices), problems };
};

/** Keeps a detail in `never` only if its value is given; otherwise the form asks for it. */
const withKnownDetails = (choices: Choices): Choices => ({
  ...choices,
  never: choices.never.filter((detail) =>
    detail === 'address' ? choices.buyer.country !== undefined : choices.buyer[detail] !== undefined,
  ),
});

/**
 * Returns the fragment for these choices, without `#`; empty for the defaults. Leaves out values that a link may not
 * contain.
 */
export const writeLink = (choices: Choices): string => {
  const link = new URLSearchParams();
  const write = (key: string, value: string | null, standard: string | null) => {
    if (value !== null && value !== standard) link.append(key, value);
  };
  write('preset', choices.preset, null);
  write('theme', choices.theme, DEFAULTS.theme);
  write('labels', choices.labels, null);
  write('fields', choices.fields, null);
  write('card', choices.card, DEFAULTS.card);
  write('name', choices.nameField, DEFAULTS.nameField);
  write('placeholders', choices.placeholders, DEFAULTS.placeholders);
  write('marks', choices.brands, DEFAULTS.brands);
  for (const layer of LAYERS) {
    for (const name of VARIABLE_NAMES) {
      const value = choices[layer][name];
      if (value !== undefined) write(PREFIXES[layer] + name, variableIn(name, value), null);
    }
  }
  for (const [name, text] of Object.entries(choices.rules)) write(RULE + name, ruleIn(name, text), null);
  write('locale', choices.locale, DEFAULTS.locale);
  write('button', choices.payButton, DEFAULTS.payButton);
  write('words', choices.buttonType, DEFAULTS.buttonType);
  write('readonly', choices.readOnly ? '1' : null, null);
  for (const field of BUYER_FIELDS) {
    const value = choices.buyer[field];
    if (value !== undefined) write(BUYER + field, buyerValue(field, value), null);
  }
  write('never', choices.never.join(','), '');
  write('countries', choices.allowedCountries.join(','), '');
  write('brands', choices.acceptedBrands.join(','), '');
  for (const [key, text] of Object.entries(choices.translations)) {
    write(TEXT + key, translationIn(key, text), null);
  }
  write('width', choices.width === null ? null : `${choices.width}`, null);
  write('page', choices.page, DEFAULTS.page);
  write('code', choices.target, DEFAULTS.target);
  return link.toString();
};
