/**
 * The rules of payment cards: brand and grouping of a number, and whether a number, expiry date or security code can be
 * right. Pure functions of the typed text: this folder uses no DOM, no clock and no service. Only the service decides
 * whether a card can pay.
 */
import { table } from 'virtual:brand-table';
import type { Brand } from './brand-names.ts';

export type { Brand } from './brand-names.ts';

/** The rules for numbers and security codes of one brand. */
export type BrandRule = {
  brand: Brand;
  /** The possible numbers of digits. */
  lengths: readonly number[];
  /** A space is printed after each of these numbers of digits. */
  gaps: readonly number[];
  /** The number of digits of its security code. */
  cvcLength: 3 | 4;
  /** True if its numbers end in a Luhn check digit. */
  luhn: boolean;
};

/** A range of prefixes; both ends have the same number of digits. */
type Prefixes = { low: string; high: string };

const RULES = new Map<Brand, BrandRule>();
/** The prefix ranges of each brand. */
export const PREFIXES = new Map<Brand, readonly Prefixes[]>();

/** The number with its last digits replaced. */
const withTail = (number: string, tail: string): string =>
  number.slice(0, number.length - tail.length) + tail;

/** Parses the short notation of `compile.ts`: "300-5 36 3528-89" and "622126-925,6270". */
const rangesOf = (prefixes: string): readonly Prefixes[] => {
  let low = '';
  return prefixes.split(' ').flatMap((group) =>
    group.split(',').map((range, index) => {
      const [start = '', end = ''] = range.split('-');
      low = index > 0 ? withTail(low, start) : start;
      return { low, high: withTail(low, end) };
    }),
  );
};

for (const [brand, lengths, gaps, cvcLength, prefixes] of table) {
  RULES.set(brand, {
    brand,
    lengths,
    gaps,
    cvcLength,
    // UnionPay members also issued debit cards without a check digit. `card-validator` makes the same exception.
    luhn: brand !== 'unionpay',
  });
  PREFIXES.set(brand, rangesOf(prefixes));
}

/**
 * The brands in the order of `brand-names.ts`. Taken from the table, to keep a second list out of the first response.
 */
export const KNOWN_BRANDS: readonly Brand[] = [...RULES.keys()];

/**
 * The possible brands of a number with these first digits: several while undecided, none for an empty text or an
 * unknown brand. The table comes from `credit-card-type` at build time (`compile.ts`).
 */
export const detectBrand = (digits: string): readonly Brand[] => {
  if (digits === '') return [];
  const matches = KNOWN_BRANDS.flatMap((brand) => {
    const found = PREFIXES.get(brand)?.find((prefixes) => beginsIn(digits, prefixes));
    return found ? [{ brand, length: found.low.length }] : [];
  });
  // Once no prefix can grow any more, the longest match wins: Elo's six digits are within Visa's one.
  if (matches.some(({ length }) => length > digits.length)) return matches.map(({ brand }) => brand);
  const longest = Math.max(...matches.map(({ length }) => length));
  return matches
    .filter(({ length }) => length === longest)
    .map(({ brand }) => brand)
    .slice(0, 1);
};

/** The only candidate; null if there are several or none. */
export const certainBrand = (candidates: readonly Brand[]): Brand | null => {
  const [only = null, ...others] = candidates;
  return others.length === 0 ? only : null;
};

/** The rules of a brand. */
export const brandRule = (brand: Brand): BrandRule => {
  const rule = RULES.get(brand);
  if (!rule) throw new TypeError(`There is no card brand "${brand}".`);
  return rule;
};

/**
 * Returns true if the digits so far are in the range. Strings compare digit by digit, and a prefix of `high` is less.
 */
export const beginsIn = (digits: string, { low, high }: Prefixes): boolean =>
  low.slice(0, digits.length) <= digits && digits.slice(0, low.length) <= high;
