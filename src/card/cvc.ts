import type { Check } from '../check.ts';
import { type Brand, brandRule } from './brands.ts';
import { digitsOf, type Edit, type Edited, editDigits } from './caret.ts';

/** Whether this can be the security code of the brand; three or four digits if the brand is unknown. */
export function checkCvc(input: string, brand: Brand | null): Check<string, 'length'> {
  const digits = digitsOf(input);
  if (digits === '') return { state: 'empty' };
  if (digits.length > maxCvcLength(brand)) return { state: 'invalid', problem: 'length' };
  if (digits.length < (brand ? brandRule(brand).cvc.length : 3)) return { state: 'incomplete' };
  return { state: 'valid', value: digits };
}

/** The largest number of digits of the brand's security code. */
export function maxCvcLength(brand: Brand | null): 3 | 4 {
  return brand ? brandRule(brand).cvc.length : 4;
}

/** The result of an edit: digits only, no more than the brand has. */
export function editCvc(edit: Edit, brand: Brand | null): Edited {
  return editDigits(
    edit,
    (digits) => digits,
    () => maxCvcLength(brand),
  );
}
