import { type Brand, brandRule, certainBrand, detectBrand } from './brands.ts';
import { type Edit, type Edited, editDigits, group } from './caret.ts';

/** The longest number that ISO/IEC 7812-1 and the brands allow. */
export const LONGEST = 19;
const FOURS: readonly number[] = [4, 8, 12];

/** Groups the digits as the brand prints them; in fours if the brand is unknown. */
export const formatPan = (digits: string): string => group(digits, gapsOf(digits), ' ');

/** The maximum length of a number with these first digits. */
export const maxPanLength = (digits: string): number => {
  const brands = detectBrand(digits);
  return brands.length === 0 ? LONGEST : Math.max(...brands.flatMap((brand) => brandRule(brand).lengths));
};

/**
 * Brands that issue numbers of one length only, 16 digits (Diners Club 14), although the table allows 19. UnionPay,
 * Maestro, Mir and Verve issue numbers of several lengths.
 */
const ISSUED_IN_ONE_LENGTH: readonly Brand[] = ['visa', 'discover', 'diners', 'jcb'];

/**
 * Returns true if no more digits can follow, so that the focus may move on: the number has its brand's maximum length,
 * or the only length that is issued. False while several brands are possible.
 */
export const isFullPan = (digits: string): boolean => {
  const brand = certainBrand(detectBrand(digits));
  if (!brand) return false;
  const isUsual = ISSUED_IN_ONE_LENGTH.includes(brand) && digits.length === usualLength(brand);
  return isUsual || digits.length === maxPanLength(digits);
};

/** The result of an edit of a grouped card number. */
export const editPan = (edit: Edit): Edited => editDigits(edit, formatPan, maxPanLength);

const gapsOf = (digits: string): readonly number[] => {
  const brand = detectBrand(digits)[0];
  return brand ? brandRule(brand).gaps : FOURS;
};

/** 16 for numbers printed in fours (some of these brands also have shorter ones), otherwise the shortest length. */
export const usualLength = (brand: Brand): number => {
  const { gaps, lengths } = brandRule(brand);
  return gaps.join() === FOURS.join() ? 16 : Math.min(...lengths);
};
