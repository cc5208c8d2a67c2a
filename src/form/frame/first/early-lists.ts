/**
 * The lists to choose from as they are before there is a form: codes alone, so that autofill finds its entry as soon as the
 * field is shown. The form gives them names (`components/Select.tsx`).
 */
import { COUNTRIES, codesOf } from '../../address/country-codes.ts';
import { controlOf } from './controls.ts';

/** The states of the country whose fields are in the prerendered form. */
export const FIRST_STATES = codesOf(
  'AAEKLPRSZ CAOT DCE FLM GAU HI IADLN KSY LA MADEHINOPST NCDEHJMVY OHKR PARW RI SCD TNX UT VAIT WAIVY',
);

/** Gives both lists all their entries. Call it once, when the prerendered form has the country of the page. */
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
