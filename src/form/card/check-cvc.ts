import type { Check } from '../check.ts';
import { type Brand, brandRule } from './brands.ts';
import { digitsOf } from './caret.ts';
import { maxCvcLength } from './cvc.ts';

/** Checks a security code for the brand; three or four digits if the brand is unknown. */
export const checkCvc = (input: string, brand: Brand | null): Check<string, 'length'> => {
  const digits = digitsOf(input);
  if (digits === '') return { state: 'empty' };
  if (digits.length > maxCvcLength(brand)) return { state: 'invalid', problem: 'length' };
  if (digits.length < (brand ? brandRule(brand).cvcLength : 3)) return { state: 'incomplete' };
  return { state: 'valid', value: digits };
};
