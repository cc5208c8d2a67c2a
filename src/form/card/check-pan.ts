import type { Check } from '../check.ts';
import { brandRule, detectBrand } from './brands.ts';
import { passesLuhn } from './luhn.ts';
import { maxPanLength, usualLength } from './pan.ts';

/** The shortest number that ISO/IEC 7812-1 and the brands allow. */
const SHORTEST = 12;

/**
 * Checks whether these digits can be a card number.
 *
 * A number of an unknown brand is valid if its length and check digit are: it may belong to a local brand, and the
 * service decides whether it can pay.
 *
 * A Visa number of 16 digits with a wrong check digit could still become a valid one of 19. It is `invalid` anyway once
 * it has its brand's usual length, because a mistyped digit is far more likely. A buyer with a longer number types on.
 */
export const checkPan = (digits: string): Check<string, 'luhn' | 'length' | 'unknown_brand'> => {
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
};
