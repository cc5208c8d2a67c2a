/** The words for a brand. Separate from `brands.ts`, because the first response needs only the rules. */
import { codes, names } from 'virtual:brand-words';
import { type Brand, capitalised, USUAL_CODE } from './brand-names.ts';

/** The name as printed on cards. */
export const brandName = (brand: Brand): string => names[brand] ?? capitalised(brand);

/** The name of the security code. */
export const codeName = (brand: Brand): string => codes[brand] ?? USUAL_CODE;
