import { BRANDS, type Brand, brandRule, certainBrand, likelyBrands } from './brands.ts';

/**
 * The brands a merchant lists (`acceptedBrands`), each once and in the merchant's order; null, which is any brand,
 * where the list is missing or names none we know: a form that takes no card could not be paid.
 */
export function acceptedAmong(listed: readonly string[] | undefined): readonly Brand[] | null {
  const wanted = (listed ?? []).map((name) => name.trim().toLowerCase());
  const known = [...new Set(wanted)].flatMap((name) => BRANDS.find((brand) => brand === name) ?? []);
  return known.length === 0 ? null : known;
}

/**
 * The printed name of the brand for which a number is not taken, or null; `candidates` are the brands it can belong
 * to. As long as they are several, and where none is known, it is taken: that is for the service to say.
 */
export function brandNotTaken(
  candidates: readonly Brand[],
  accepted: readonly Brand[] | null,
): string | null {
  const certain = certainBrand(candidates);
  return !accepted || !certain || accepted.includes(certain) ? null : brandRule(certain).name;
}

/** How many marks there is room for beside a number. */
const MARKS = 3;

/**
 * The brands whose marks stand beside the number: the one it is, or those it may yet be and the merchant takes;
 * beside an empty field those the merchant named first. None is a card without a brand.
 */
export function marksFor(
  digits: string,
  candidates: readonly Brand[],
  accepted: readonly Brand[] | null,
): readonly Brand[] {
  if (digits === '') return (accepted ?? []).slice(0, MARKS);
  const likely = likelyBrands(digits, candidates);
  const taken = likely.filter((brand) => !accepted || accepted.includes(brand));
  return (taken.length > 0 ? taken : likely).slice(0, MARKS);
}
