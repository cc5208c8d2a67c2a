/** How the form on the screen follows another choice: by `update()` where that shows the same as a new form would. */
import { COUNTRIES } from '../address/countries.ts';
import type { CardFormUpdate } from '../loader/types.ts';
import { type Choices, type ChosenOptions, optionsOf } from './choices.ts';

/** `remount`: `update()` cannot change the option, or what is on the screen would differ from a new form. */
type How = 'update' | 'remount';

/** How each option follows. The one place to change when `update()` learns another. */
export const HOW: Readonly<Record<keyof ChosenOptions, How>> = {
  locale: 'update',
  appearance: 'update',
  translations: 'update',
  readOnly: 'update',
  allowedCountries: 'update',
  acceptedBrands: 'update',
  // It fills in fields. A new form shows complete details as text.
  defaultValues: 'remount',
  fields: 'update',
  payButton: 'remount', // back to the page only while no card is typed
};

/** What `update()` needs in order to take an option back. */
const STANDARD: CardFormUpdate = {
  locale: 'auto',
  appearance: {},
  translations: {},
  readOnly: false,
  fields: {},
  allowedCountries: COUNTRIES,
};

export type Change = { kind: 'none' } | { kind: 'remount' } | { kind: 'update'; changes: CardFormUpdate };

const isOption = (name: string): name is keyof ChosenOptions => Object.hasOwn(HOW, name);

/** What to do so that a form that was mounted with one set of choices shows the other. */
export const changeBetween = (shown: Choices, wanted: Choices): Change => {
  const [before, after] = [optionsOf(shown), optionsOf(wanted)];
  const changed = Object.keys(HOW)
    .filter(isOption)
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return { kind: 'none' };
  // A list of every brand is not the default: with the default, brands without a name are accepted, too.
  const isTakenBack = changed.includes('acceptedBrands') && after.acceptedBrands === undefined;
  if (isTakenBack || changed.some((name) => HOW[name] === 'remount')) return { kind: 'remount' };
  return {
    kind: 'update',
    changes: Object.fromEntries(changed.map((name) => [name, after[name] ?? Reflect.get(STANDARD, name)])),
  };
};
