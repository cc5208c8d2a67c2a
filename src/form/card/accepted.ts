import { brandName } from './brand-words.ts';
import { type Brand, certainBrand, KNOWN_BRANDS } from './brands.ts';
import { likelyBrands } from './likely-brands.ts';

/**
 * The known brands in a merchant's `acceptedBrands`, each once and in the merchant's order. Null means any brand: the
 * list is missing or names no known brand, and a form that accepts no card could not be paid.
 */
export const acceptedAmong = (listed: readonly string[] | undefined): readonly Brand[] | null => {
  const wanted = (listed ?? []).map((name) => name.trim().toLowerCase());
  const known = [...new Set(wanted)].flatMap((name) => KNOWN_BRANDS.find((brand) => brand === name) ?? []);
  return known.length === 0 ? null : known;
};

/**
 * The brand's printed name if the merchant doesn't accept it, otherwise null. `candidates` are the possible brands of
 * the number. With several or none of them the number is accepted; the service decides.
 */
export const brandNotTaken = (
  candidates: readonly Brand[],
  accepted: readonly Brand[] | null,
): string | null => {
  const certain = certainBrand(candidates);
  return !accepted || !certain || accepted.includes(certain) ? null : brandName(certain);
};

/** Maximum number of brand marks beside the number, and in the empty field. */
const MARKS = 3;
const MARKS_IN_EMPTY = 4;

/** The marks in an empty field if the merchant accepts any brand. */
const USUAL: readonly Brand[] = ['visa', 'mastercard', 'amex', 'discover'];

/**
 * The brands whose marks are shown beside the number: its brand, or the possible ones that the merchant accepts. For an
 * empty field: the first in the merchant's list.
 */
export const marksFor = (
  digits: string,
  candidates: readonly Brand[],
  accepted: readonly Brand[] | null,
): readonly Brand[] => {
  if (digits === '') return (accepted ?? USUAL).slice(0, MARKS_IN_EMPTY);
  const likely = likelyBrands(digits, candidates);
  const taken = likely.filter((brand) => !accepted || accepted.includes(brand));
  return (taken.length > 0 ? taken : likely).slice(0, MARKS);
};
