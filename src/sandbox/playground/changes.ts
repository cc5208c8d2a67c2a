/** Applies new choices to the form on the screen, with `update()` if that shows the same as a new form would. */
import { COUNTRIES } from '../../form/address/country-codes.ts';
import { CHANGEABLE_OPTIONS } from '../../form/channel/options.ts';
import { keysOf } from '../../form/channel/own-property.ts';
import type { CardFormUpdate } from '../../form/loader/types.ts';
import { type Choices, optionsOf } from './choices.ts';

/** Options whose change a mounted form cannot show as a new form would, so the form is mounted again. */
const REMOUNTED: readonly string[] = [
  'defaultValues', // fills in fields; a new form shows complete details as text
  'payButton', // can go back to the page's own button only while no card is typed
];

/** The values that `update()` needs to reset options. */
const STANDARD: CardFormUpdate = { ...CHANGEABLE_OPTIONS, allowedCountries: COUNTRIES };

export type Change = { kind: 'none' } | { kind: 'remount' } | { kind: 'update'; changes: CardFormUpdate };

/** Returns how to make a form that was mounted with one set of choices show the other. */
export const changeBetween = (shown: Choices, wanted: Choices): Change => {
  const [before, after] = [optionsOf(shown), optionsOf(wanted)];
  const changed = keysOf(CHANGEABLE_OPTIONS).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (changed.length === 0) return { kind: 'none' };
  // A list of every brand is not the default: by default, brands without a name are accepted, too.
  const isTakenBack = changed.includes('acceptedBrands') && after.acceptedBrands === undefined;
  if (isTakenBack || changed.some((name) => REMOUNTED.includes(name))) return { kind: 'remount' };
  return {
    kind: 'update',
    changes: Object.fromEntries(changed.map((name) => [name, after[name] ?? STANDARD[name]])),
  };
};
