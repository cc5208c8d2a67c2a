import { type Brand, brandRule } from './brands.ts';
import { type Edit, type Edited, editDigits } from './caret.ts';

/** The maximum number of digits of the brand's security code. */
export const maxCvcLength = (brand: Brand | null): 3 | 4 => (brand ? brandRule(brand).cvcLength : 4);

/** The result of an edit: digits only, no more than the brand's code has. */
export const editCvc = (edit: Edit, brand: Brand | null): Edited => {
  return editDigits(
    edit,
    (digits) => digits,
    () => maxCvcLength(brand),
  );
};
