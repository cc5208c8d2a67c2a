/**
 * Billing addresses as each country writes them: which fields there are, in which order, what they are called,
 * which states there are and what a postal code looks like. The facts are Google's address data, compiled for
 * each country when the form is built (`compile.ts`) and loaded when the buyer chooses that country.
 *
 * This folder knows no document and no words: a label is the name of a word, and the words are in the catalogs.
 */
import { inline, loaders, loadOthers } from 'virtual:address-data';
import { isCountry } from './countries.ts';

/** A part of an address, named as the service names it; the country itself is not part of it. */
export type AddressField = 'line1' | 'line2' | 'city' | 'state' | 'postal_code';

/** What the country calls the place an address is in. */
export type CityWord = 'city' | 'district' | 'post_town' | 'suburb';

/** What the country calls the area its places belong to. */
export type StateWord =
  | 'area'
  | 'county'
  | 'department'
  | 'district'
  | 'do_si'
  | 'emirate'
  | 'island'
  | 'oblast'
  | 'parish'
  | 'prefecture'
  | 'province'
  | 'region'
  | 'state';

/** What the country calls its postal code. */
export type PostalWord = 'postal' | 'zip' | 'pin' | 'eircode';

/** A state to choose: `label` is its name in the country's own language. */
export type State = {
  /** What is sent: its code where the country has letters for each, else its name. */
  value: string;
  label: string;
  /** Its name in other languages, and in Latin letters as `latin`. */
  names?: Readonly<Record<string, string>>;
};

/** What a country's postal codes look like. */
export type PostalCodes = {
  /** A regular expression for the whole code, in capitals. */
  pattern: string;
  example: string;
  /** What is written between its parts, where it has parts. */
  separator?: string;
  /** What may be written before it: "L-" in Luxembourg. */
  prefix?: string;
};

/** How addresses are written in one country. */
export type AddressFormat = {
  /** In the order in which they are asked for there. */
  fields: readonly AddressField[];
  labels: { city: CityWord; state: StateWord; postal_code: PostalWord };
  /** `null` where nothing is known of the codes, or there are none. */
  postal: PostalCodes | null;
  /** `null` where the buyer types the state. */
  states: readonly State[] | null;
  /** The language of the states' labels, where they also have names in another one. */
  language?: string;
};

/**
 * For when a country's format is not to be had: every field is offered, only the address itself is asked for.
 * A payment must not fail for want of a list of states.
 */
export const GENERAL_FORMAT: AddressFormat = {
  fields: ['line1', 'line2', 'city', 'state', 'postal_code'],
  labels: { city: 'city', state: 'province', postal_code: 'postal' },
  postal: null,
  states: null,
};

const known = new Map<string, AddressFormat>(Object.entries(inline));

/** The format of a country if it is at hand without waiting. */
export function knownFormat(country: string): AddressFormat | null {
  return known.get(country) ?? (isCountry(country) ? null : GENERAL_FORMAT);
}

/** The format of a country, fetched once; the general one where that fails, and the next call tries again. */
export async function loadFormat(country: string): Promise<AddressFormat> {
  const atHand = knownFormat(country);
  if (atHand) return atHand;
  try {
    const own = Object.hasOwn(loaders, country) ? loaders[country] : undefined;
    if (own) known.set(country, (await own()).format);
    else for (const [code, format] of Object.entries((await loadOthers()).formats)) known.set(code, format);
  } catch {
    return GENERAL_FORMAT;
  }
  return known.get(country) ?? GENERAL_FORMAT;
}

/**
 * Whether the buyer must fill in this field. This is the one place where that is decided: the service wants
 * `line1`, and a postal code from countries that have them; more than that is not asked of a buyer.
 */
export function isRequired(field: AddressField, format: AddressFormat): boolean {
  return field === 'line1' || (field === 'postal_code' && format.postal !== null);
}

/** The states to choose from, named in this language or, failing that, in letters its readers know. */
export function stateOptions(
  format: AddressFormat,
  language: string,
): readonly { value: string; label: string }[] {
  const native = format.language?.split('-')[0] === language;
  return (format.states ?? []).map(({ value, label, names }) => ({
    value,
    label: names?.[language] ?? (native ? label : (names?.latin ?? label)),
  }));
}
