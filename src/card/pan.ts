import type { Check } from '../check.ts';
import { type Brand, brandRule, detectBrand } from './brands.ts';
import { type Edit, type Edited, editDigits, group } from './caret.ts';
import { passesLuhn } from './luhn.ts';

/** The shortest and the longest number ISO/IEC 7812-1 and the brands allow. */
const SHORTEST = 12;
const LONGEST = 19;
const FOURS: readonly number[] = [4, 8, 12];

/**
 * Whether these digits can be a card number, as far as one can tell without asking.
 *
 * A number of no brand we know is valid when its length and check digit are: the buyer may hold a card of a
 * local brand, and whether it can pay is the service's decision.
 *
 * Strictly, a wrong Visa number of 16 digits could grow into a right one of 19. It is `invalid` all the same
 * once it has its brand's usual length: one mistyped digit is what happens, and hearing of it on leaving the
 * field is worth more. Whoever does have a longer number simply types on.
 */
export function checkPan(digits: string): Check<string, 'luhn' | 'length' | 'unknown_brand'> {
  if (digits === '') return { state: 'empty' };
  if (!/^\d+$/.test(digits)) return { state: 'invalid', problem: 'unknown_brand' };
  if (digits.length > maxPanLength(digits)) return { state: 'invalid', problem: 'length' };

  const brands = detectBrand(digits);
  if (brands.length === 0) {
    if (digits.length >= SHORTEST && passesLuhn(digits)) return { state: 'valid', value: digits };
    return digits.length < 16 ? { state: 'incomplete' } : { state: 'invalid', problem: 'unknown_brand' };
  }

  const rules = brands.map(brandRule).filter((rule) => rule.lengths.includes(digits.length));
  if (rules.length === 0) return { state: 'incomplete' };
  if (rules.some((rule) => !rule.luhn) || passesLuhn(digits)) return { state: 'valid', value: digits };
  return rules.some((rule) => digits.length >= usualLength(rule.brand))
    ? { state: 'invalid', problem: 'luhn' }
    : { state: 'incomplete' };
}

/** The digits as the brand prints them; in fours where the brand is not known. */
export function formatPan(digits: string): string {
  return group(digits, gapsOf(digits), ' ');
}

/** How many digits may be typed into a number that begins so. */
export function maxPanLength(digits: string): number {
  const brands = detectBrand(digits);
  return brands.length === 0 ? LONGEST : Math.max(...brands.flatMap((brand) => brandRule(brand).lengths));
}

/**
 * Brands whose tables allow longer numbers than they issue: 16 digits (Diners Club 14) are the whole number, although
 * the table has 19. UnionPay, Maestro, Mir and Verve do issue numbers of several lengths.
 */
const ISSUED_IN_ONE_LENGTH: readonly Brand[] = ['visa', 'discover', 'diners', 'jcb'];

/**
 * Whether a buyer who typed so many digits is done, if they are valid: the number is as long as the brand's longest,
 * or as all that are issued. Never as long as more than one brand is possible.
 */
export function isFullPan(digits: string): boolean {
  const [brand, ...others] = detectBrand(digits);
  if (!brand || others.length > 0) return false;
  const isUsual = ISSUED_IN_ONE_LENGTH.includes(brand) && digits.length === usualLength(brand);
  return isUsual || digits.length === maxPanLength(digits);
}

/** What an edit makes of a grouped card number. */
export function editPan(edit: Edit): Edited {
  return editDigits(edit, formatPan, maxPanLength);
}

function gapsOf(digits: string): readonly number[] {
  const brand = detectBrand(digits)[0];
  return brand ? brandRule(brand).gaps : FOURS;
}

/** 16 where numbers are printed in fours (some brands of those also have shorter ones), else the shortest. */
function usualLength(brand: Brand): number {
  const { gaps, lengths } = brandRule(brand);
  return gaps.join() === FOURS.join() ? 16 : Math.min(...lengths);
}
