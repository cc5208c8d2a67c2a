/**
 * The rules of payment cards as a buyer types them: which brand a number belongs to, how it is grouped,
 * whether number, expiry date and security code can be right. Pure functions of what was typed: this folder
 * knows no document, no clock and no service, and whether a card can pay is for the service alone to say.
 */
import { table } from 'virtual:brand-table';
import { BRANDS, type Brand } from './brand-names.ts';

export { BRANDS, type Brand } from './brand-names.ts';

/** What holds for the numbers and codes of one brand. */
export type BrandRule = {
  brand: Brand;
  /** As it is printed on cards. */
  name: string;
  /** How many digits its numbers have. */
  lengths: readonly number[];
  /** After how many digits a space is printed. */
  gaps: readonly number[];
  /** What its security code is called and how many digits it has. */
  cvc: { name: string; length: 3 | 4 };
  /** Whether its numbers end in a Luhn check digit. */
  luhn: boolean;
};

/** A range of prefixes, both ends of the same number of digits. */
type Prefixes = { low: string; high: string };

/** A prefix that needs no more further digits than this covers many numbers. */
const LIKELY = 3;

const RULES = new Map<Brand, BrandRule>();
const PREFIXES = new Map<Brand, readonly Prefixes[]>();
for (const brand of BRANDS) {
  const [name, lengths, gaps, cvcName, cvcLength, prefixes] = table[brand];
  RULES.set(brand, {
    brand,
    name,
    lengths,
    gaps,
    cvc: { name: cvcName, length: cvcLength },
    // UnionPay's members also issued debit cards whose last digit is not a check digit; every other brand
    // prints one. `card-validator` decides alike, and a buyer must not be turned away by a guess.
    luhn: brand !== 'unionpay',
  });
  PREFIXES.set(brand, rangesOf(prefixes));
}

/** What `compile.ts` made short: "300-5 36 3528-89" and "622126-925,6270". */
function rangesOf(prefixes: string): readonly Prefixes[] {
  let low = '';
  return prefixes.split(' ').flatMap((group) =>
    group.split(',').map((range, index) => {
      const [start = '', end = ''] = range.split('-');
      low = index > 0 ? withTail(low, start) : start;
      return { low, high: withTail(low, end) };
    }),
  );
}

/** The number with other last digits. */
function withTail(number: string, tail: string): string {
  return number.slice(0, number.length - tail.length) + tail;
}

/**
 * The brands a number that begins so can belong to: several while that is open, none when nothing was typed
 * or no brand is known. The table is that of `credit-card-type`, taken when the form is built (`compile.ts`).
 */
export function detectBrand(digits: string): readonly Brand[] {
  if (digits === '') return [];
  const matches = BRANDS.flatMap((brand) => {
    const found = PREFIXES.get(brand)?.find((prefixes) => beginsIn(digits, prefixes));
    return found ? [{ brand, length: found.low.length }] : [];
  });
  // Once no prefix can still grow, the longest is the closest: Elo's six digits lie within Visa's one.
  if (matches.some(({ length }) => length > digits.length)) return matches.map(({ brand }) => brand);
  const longest = Math.max(...matches.map(({ length }) => length));
  return matches
    .filter(({ length }) => length === longest)
    .map(({ brand }) => brand)
    .slice(0, 1);
}

/** The brand that a number is of for certain; null while several are open, and where none is known. */
export function certainBrand(candidates: readonly Brand[]): Brand | null {
  const [only = null, ...others] = candidates;
  return others.length === 0 ? only : null;
}

/**
 * Those of the candidates that a buyer would expect: of the others only a few numbers begin so (Elo has six digits
 * of its own among Visa's). All of them where they are all as rare.
 */
export function likelyBrands(digits: string, candidates: readonly Brand[]): readonly Brand[] {
  const likely = candidates.filter((brand) =>
    PREFIXES.get(brand)?.some(
      (prefixes) => prefixes.low.length <= digits.length + LIKELY && beginsIn(digits, prefixes),
    ),
  );
  return likely.length > 0 ? likely : candidates;
}

/** The rules of a brand. */
export function brandRule(brand: Brand): BrandRule {
  const rule = RULES.get(brand);
  if (!rule) throw new TypeError(`There is no card brand "${brand}".`);
  return rule;
}

/** Whether the number, as far as it goes, lies in the range. Digits of one length compare like numbers. */
function beginsIn(digits: string, { low, high }: Prefixes): boolean {
  return low.slice(0, digits.length) <= digits && digits.slice(0, low.length) <= high.slice(0, digits.length);
}
