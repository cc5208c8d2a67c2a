import { BRANDS, type Brand, brandRule, detectBrand } from './brands.ts';

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
 * The printed name of the brand for which a number that begins so is not taken, or null. As long as more than one
 * brand is possible, and where none is known, it is taken: that is for the service to say.
 */
export function brandNotTaken(digits: string, accepted: readonly Brand[] | null): string | null {
  const [only, ...others] = detectBrand(digits);
  return !accepted || !only || others.length > 0 || accepted.includes(only) ? null : brandRule(only).name;
}
