/**
 * Formats amounts and numbers for a locale. Creating the first `Intl` formatter in a frame takes a third of a second on
 * a slow phone, so a table has the patterns of the form's languages (`update-numbers.mjs`), and `Intl` is used only for
 * other locales and currencies.
 */
import { byLanguage, patterns } from './number-patterns.json';

/** By language: the pattern of most regions, then alternately another pattern and its regions, two letters each. */
const BY_LANGUAGE: Readonly<Record<string, readonly (number | string)[]>> = byLanguage;

type Pattern = {
  /** The text before and after a positive and a negative number. */
  around: readonly [readonly [string, string], readonly [string, string]];
  group: string;
  decimal: string;
  /** The minimum number of integer digits for grouping. */
  from: number;
  /** The size of every group but the last, which has three digits. */
  size: number;
  zero: number;
};

const KINDS: readonly string[] = ['usd', 'eur', 'number'];
const read = new Map<string, Pattern>();

/** The amount, in minor units, formatted for that locale: "$12.34", "12,34 €". */
export const formatMoney = (
  { amount, currency }: { amount: number; currency: string },
  locale: string,
): string => {
  const pattern = currency === 'number' ? null : patternOf(currency, locale);
  const cents = String(Math.abs(amount)).padStart(3, '0');
  const text = pattern
    ? written(pattern, amount < 0, cents.slice(0, -2), cents.slice(-2))
    : byIntl(amount, currency, locale);
  return /^(ar|he)\b/.test(locale) ? fromTheRight(text) : text;
};

/** A number formatted for that locale, with up to three decimals: "1,5". */
export const formatNumber = (value: number, locale: string): string => {
  const pattern = patternOf('number', locale);
  // A number with more decimals must be rounded, which is left to `Intl`.
  const [, integer = '', fraction = ''] = /^-?(\d+)(?:\.(\d{1,3}))?$/.exec(String(value)) ?? [];
  return pattern && integer
    ? written(pattern, value < 0, integer, fraction)
    : formatterOf(locale, { maximumFractionDigits: 3 }).format(value);
};

const written = (
  { around, group, decimal, from, size, zero }: Pattern,
  isNegative: boolean,
  integer: string,
  fraction: string,
): string => {
  const [before, after] = around[isNegative ? 1 : 0];
  let grouped = integer.slice(-3);
  let rest = integer.slice(0, -3);
  if (integer.length < from) grouped = integer;
  else for (; rest !== ''; rest = rest.slice(0, -size)) grouped = rest.slice(-size) + group + grouped;
  const number = fraction === '' ? grouped : grouped + decimal + fraction;
  return (
    before +
    (zero === 48 ? number : number.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)))) +
    after
  );
};

/** The pattern in the table; null for another kind of number or locale. */
const patternOf = (kind: string, locale: string): Pattern | null => {
  const name = `${kind} ${locale}`;
  const known = read.get(name);
  if (known) return known;
  const [, language = '', region = ''] = /^([a-z]{2}(?:-Han[st])?)(?:-([A-Z]{2}))?$/.exec(locale) ?? [];
  if (!KINDS.includes(kind) || !Object.hasOwn(BY_LANGUAGE, language)) return null;
  const [usual, ...others] = BY_LANGUAGE[language] ?? [];
  const index = others.findIndex(
    (codes) => typeof codes === 'string' && codes.match(/../g)?.includes(region),
  );
  const chosen = index < 0 ? usual : others[index - 1];
  const text = patterns[Number(chosen)]?.split('\n')[KINDS.indexOf(kind)] ?? '';
  const [
    before = '',
    after = '',
    minusBefore = '',
    minusAfter = '',
    group = '',
    decimal = '',
    from,
    size,
    zero = '0',
  ] = text.split('|');
  const pattern: Pattern = {
    around: [
      [before, after],
      [minusBefore, minusAfter],
    ],
    group,
    decimal,
    from: Number(from),
    size: Number(size),
    zero: zero.charCodeAt(0),
  };
  read.set(name, pattern);
  return pattern;
};

/** Formatters by locale and currency. */
const formatters = new Map<string, Intl.NumberFormat>();

const formatterOf = (locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const name = `${locale} ${options.currency}`;
  const formatter = formatters.get(name) ?? new Intl.NumberFormat(locale, options);
  formatters.set(name, formatter);
  return formatter;
};

const byIntl = (amount: number, currency: string, locale: string): string => {
  const formatter = formatterOf(locale, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = formatter.resolvedOptions();
  return formatter.format(amount / 10 ** maximumFractionDigits);
};

/**
 * For right-to-left text: the number, then the currency to its left, each isolated as left to right. With only `Intl`'s
 * direction marks, "US$" becomes "$US" at the end of a line, and the place of a minus depends on the text around it.
 */
const fromTheRight = (text: string): string => {
  const parts = text.replace(/[\u061c\u200e\u200f]/g, '').split('\u00a0');
  return `\u200f${parts.map((part) => `\u2066${part}\u2069`).join('\u00a0')}`;
};
