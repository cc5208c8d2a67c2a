/**
 * The lists of countries and states before hydration: codes only, so autofill finds its entry as soon as the field is
 * shown. The form adds the names (`components/Select.tsx`).
 */
import { COUNTRIES, codesOf } from '../../address/country-codes.ts';
import { controlOf } from './controls.ts';

/** The states of the country in the prerendered form. */
export const FIRST_STATES = codesOf(
  'AAEKLPRSZ CAOT DCE FLM GAU HI IADLN KSY LA MADEHINOPST NCDEHJMVY OHKR PARW RI SCD TNX UT VAIT WAIVY',
);

/** Fills both lists. Call it once, after the prerendered form has been adapted to the page's country. */
export const fillEarlyLists = (): void => {
  for (const [name, codes] of [
    ['country', COUNTRIES],
    ['state', FIRST_STATES],
  ] as const) {
    const list = controlOf(name);
    if (!(list instanceof HTMLSelectElement)) continue;
    for (const code of codes) {
      if (code === list.value) continue;
      const option = document.createElement('option');
      option.textContent = code;
      list.append(option);
    }
  }
};
