/**
 * The result of `appearance.from`: the look of the page's fields, labels and buttons. The loader reads it
 * (`loader/look/take-over.ts`) and expresses it as values of `variables` and `rules`, which are parsed like given ones.
 * Given values override them.
 */
import { quoted, type Report } from './given-value.ts';

/** Values by name. */
type Values = Record<string, string>;

export type Taken = {
  variables: Values;
  rules: Record<string, Values>;
};

/** Maximum number of values; the rest is ignored. */
const MOST_VALUES = 200;

/** Messages about elements that the loader could not read, with the remedy. */
const PROBLEMS: Readonly<Record<string, (detail: string) => string>> = {
  object: () => 'must be an object such as { field: "#email", button: ".buy" }. It is ignored.',
  unknown: () => 'is unknown: only field, button and label can be taken over. It is ignored.',
  type: () => 'must be a selector or an element. It is ignored.',
  selector: (given) => `must be a valid selector; got ${quoted(given)}. It is ignored.`,
  missing: (given) =>
    `matches no element of the page; got ${quoted(given)}. The form looks as without it until there is one.`,
  detached: () => 'is an element that is not in the document. The form looks as without it.',
  hidden: () => 'is not displayed, so it has no height. The rest is taken over.',
  bare: () =>
    'draws no background and no border. Name the element around it that does. The form keeps its own.',
  unread: (count) =>
    `cannot read ${quoted(Number(count))} style sheets, being of another origin without CORS. Hover, focus and errors may look otherwise: add crossorigin to their links.`,
};

/** `from` as the loader posts it: pairs of a path and a value. Anything else counts as nothing read. */
export const readTaken = (from: unknown, report: Report): Taken => {
  const taken: Taken = { variables: {}, rules: {} };
  const rules = new Map<string, Values>();
  const variables = new Map<string, string>();
  for (const pair of Array.isArray(from) ? from.slice(0, MOST_VALUES) : []) {
    const [path, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof path !== 'string' || typeof value !== 'string') continue;
    const [kind, name = '', property = ''] = path.split('.');
    if (kind === 'variables') variables.set(name, value);
    else if (kind === 'rules') rules.set(name, { ...rules.get(name), [property]: value });
    else if (kind === 'problem') {
      const [code = '', ...detail] = value.split(' ');
      const message = Object.hasOwn(PROBLEMS, code) && PROBLEMS[code]?.(detail.join(' '));
      if (message) report(`appearance.from${/^\w{1,20}$/.test(name) ? `.${name}` : ''}`, message);
    }
  }
  taken.variables = Object.fromEntries(variables);
  taken.rules = Object.fromEntries(rules);
  return taken;
};

/** The rules that a given variable overrides: a part's property in every state, or one state of a part. */
const OVER: Readonly<Record<string, readonly string[]>> = {
  colorPrimary: ['field:focus', 'button.backgroundColor', 'button.borderColor', 'button.color'],
  colorText: ['field.color', 'label.color'],
  colorTextPlaceholder: ['field.placeholderColor'],
  colorBorder: ['field.borderColor'],
  colorFieldBackground: ['field.backgroundColor'],
  colorDanger: ['field:invalid'],
  buttonColorBackground: ['button.backgroundColor', 'button.borderColor'],
  buttonColorText: ['button.color'],
  borderRadius: ['field.borderRadius', 'button.borderRadius'],
  buttonBorderRadius: ['button.borderRadius'],
  fontSizeBase: ['field.fontSize', 'label.fontSize', 'button.fontSize'],
  fontWeightNormal: ['field.fontWeight'],
  fontWeightMedium: ['label.fontWeight'],
  fontWeightBold: ['button.fontWeight'],
};

/** Variables that follow another one unless they are given. */
const FOLLOWING: Readonly<Record<string, readonly string[]>> = {
  colorPrimary: ['buttonColorBackground', 'buttonColorText'],
  colorFieldBackground: ['colorTextPlaceholder'],
  borderRadius: ['buttonBorderRadius'],
};

/** Removes the values that these given variables override. */
export const withoutGiven = ({ variables, rules }: Taken, given: readonly string[]): Taken => {
  const lost = new Set([...given, ...given.flatMap((name) => FOLLOWING[name] ?? [])]);
  const over = new Set(given.flatMap((name) => OVER[name] ?? []));
  const kept = Object.entries(rules).flatMap(([name, values]) => {
    if (over.has(name)) return [];
    const part = name.replace(/:.*/, '');
    return [
      [name, Object.fromEntries(Object.entries(values).filter(([one]) => !over.has(`${part}.${one}`)))],
    ];
  });
  return {
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => !lost.has(name))),
    rules: Object.fromEntries(kept),
  };
};
