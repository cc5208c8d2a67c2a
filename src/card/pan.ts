import { type Brand, brandRule, certainBrand, detectBrand } from './brands.ts';
import { type Edit, type Edited, editDigits, group } from './caret.ts';

/** The longest number ISO/IEC 7812-1 and the brands allow. */
const LONGEST = 19;
const FOURS: readonly number[] = [4, 8, 12];

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
  const brand = certainBrand(detectBrand(digits));
  if (!brand) return false;
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
export function usualLength(brand: Brand): number {
  const { gaps, lengths } = brandRule(brand);
  return gaps.join() === FOURS.join() ? 16 : Math.min(...lengths);
}
