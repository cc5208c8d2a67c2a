/**
 * Amounts and numbers as a locale writes them. The first formatter of `Intl` in a frame costs a slow phone a third of
 * a second, so what it would say in the form's languages was asked when the form was built; it is woken only for
 * what was not.
 */
import { byLanguage, patterns } from 'virtual:number-patterns';

type Pattern = {
  /** What stands before and after the number, positive and negative. */
  around: readonly [readonly [string, string], readonly [string, string]];
  group: string;
  decimal: string;
  /** From how many digits on there are groups. */
  from: number;
  /** How many digits a group has besides the last, which has three. */
  size: number;
  zero: number;
};

const KINDS: readonly string[] = ['usd', 'eur', 'number'];
const read = new Map<string, Pattern>();

/** The amount, in minor units, as it is written in that locale: "$12.34", "12,34 €". */
export function formatMoney(
  { amount, currency }: { amount: number; currency: string },
  locale: string,
): string {
  const pattern = currency === 'number' ? null : patternOf(currency, locale);
  const cents = String(Math.abs(amount)).padStart(3, '0');
  const text = pattern
    ? written(pattern, amount < 0, cents.slice(0, -2), cents.slice(-2))
    : byIntl(amount, currency, locale);
  return /^(ar|he)\b/.test(locale) ? fromTheRight(text) : text;
}

/** A plain number as it is written in that locale, with up to three decimals: "1,5". */
export function formatNumber(value: number, locale: string): string {
  const pattern = patternOf('number', locale);
  // Whatever has more decimals has to be rounded, which is no matter of writing.
  const [, integer = '', fraction = ''] = /^-?(\d+)(?:\.(\d{1,3}))?$/.exec(String(value)) ?? [];
  return pattern && integer
    ? written(pattern, value < 0, integer, fraction)
    : formatterOf(locale, { maximumFractionDigits: 3 }).format(value);
}

function written(
  { around, group, decimal, from, size, zero }: Pattern,
  isNegative: boolean,
  integer: string,
  fraction: string,
): string {
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
}

/** What was asked for this kind of number when the form was built; null for a kind or locale that was not. */
function patternOf(kind: string, locale: string): Pattern | null {
  const name = `${kind} ${locale}`;
  const known = read.get(name);
  if (known) return known;
  const [, language = '', region = ''] = /^([a-z]{2}(?:-Hans)?)(?:-([A-Z]{2}))?$/.exec(locale) ?? [];
  if (!KINDS.includes(kind) || !Object.hasOwn(byLanguage, language)) return null;
  const [usual, ...others] = byLanguage[language] ?? [];
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
}

/** Each is made once. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = `${locale} ${options.currency}`;
  const formatter = formatters.get(name) ?? new Intl.NumberFormat(locale, options);
  formatters.set(name, formatter);
  return formatter;
}

function byIntl(amount: number, currency: string, locale: string): string {
  const formatter = formatterOf(locale, { style: 'currency', currency });
  const { maximumFractionDigits = 2 } = formatter.resolvedOptions();
  return formatter.format(amount / 10 ** maximumFractionDigits);
}

/**
 * Number first, then the currency to its left, each left to right in itself. With the marks of direction that
 * `Intl` sets alone, "US$" comes out as "$US" at the end of a line, and where a minus goes depends on what is near.
 */
function fromTheRight(text: string): string {
  const parts = text.replace(/[\u061c\u200e\u200f]/g, '').split('\u00a0');
  return `\u200f${parts.map((part) => `\u2066${part}\u2069`).join('\u00a0')}`;
}
