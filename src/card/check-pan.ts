import type { Check } from '../check.ts';
import { brandRule, detectBrand } from './brands.ts';
import { passesLuhn } from './luhn.ts';
import { maxPanLength, usualLength } from './pan.ts';

/** The shortest number ISO/IEC 7812-1 and the brands allow. */
const SHORTEST = 12;

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
