/**
 * Billing addresses by country: the fields, their order and labels, the states and the format of postal codes. The data
 * is Google's, compiled for each country at build time (`compile.ts`) and loaded when the buyer chooses the country.
 *
 * This folder has no DOM and no texts: a label is a key, and the texts are in `i18n`.
 */

/** A part of an address, named as in the service's API; doesn't include the country. */
export type AddressField = 'line1' | 'line2' | 'city' | 'state' | 'postal_code';

/** The country's word for a city. */
export type CityWord = 'city' | 'district' | 'post_town' | 'suburb';

/** The country's word for a state. */
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

/** The country's word for a postal code. */
export type PostalWord = 'postal' | 'postcode' | 'zip' | 'pin' | 'eircode' | 'cep';

/** A state to choose: `label` is its name in the country's own language. */
export type StateOption = {
  /** The value to send: its code if all states of the country have a code of letters, otherwise its name. */
  value: string;
  label: string;
  /** Its name by language; `latin` is the one in Latin script. */
  names?: Readonly<Record<string, string>>;
};

/** The format of a country's postal codes. */
export type PostalCodes = {
  /** A regular expression for the whole code, in capitals. */
  pattern: string;
  example: string;
  /** The separator between the parts of a code, if it has parts. */
  separator?: string;
};

/** The address format of one country. */
export type AddressFormat = {
  /** In the order in which the form asks for them: the country's, or with the postal code before the state it names. */
  fields: readonly AddressField[];
  /** The order on an envelope, if it differs. */
  written?: readonly AddressField[];
  /** The order in Latin script, from small to large, if it differs. */
  latin?: readonly AddressField[];
  /** The fields that the data requires for delivery. */
  needed: readonly AddressField[];
  labels: { city: CityWord; state: StateWord; postal_code: PostalWord };
  /** `null` if the country has no codes or they are unknown. */
  postal: PostalCodes | null;
  /** `null` if the buyer types the state. */
  states: readonly StateOption[] | null;
  /** The language of the states' labels, if they also have names in others. */
  language?: string;
};

/**
 * The format for a country whose own could not be loaded: all fields, of which only the first address line is required.
 * A payment must not fail because a list of states is missing.
 */
export const GENERAL_FORMAT: AddressFormat = {
  fields: ['line1', 'line2', 'city', 'state', 'postal_code'],
  needed: ['line1'],
  labels: { city: 'city', state: 'province', postal_code: 'postal' },
  postal: null,
  states: null,
};

/**
 * The importance of a field. Decided only here:
 *
 * - `required`: the service refuses to pay without it. That is `line1` and, if the data says that every address has
 *   one, the postal code (contract S3.6).
 * - `expected`: the data requires it, the service does not. If the form asks for it, the buyer can't pay without it; a page
 *   that gives the address and never shows the field can.
 * - `optional`: anything else.
 */
export const importance = (
  field: AddressField,
  format: AddressFormat,
): 'required' | 'expected' | 'optional' => {
  if (field === 'line1') return 'required';
  if (!format.needed.includes(field)) return 'optional';
  return field === 'postal_code' ? 'required' : 'expected';
};

/**
 * The states to choose from, named in the language of the locale, otherwise in Latin script or the country's own
 * language. In the country's order; in alphabetical order if any name differs from the country's.
 */
export const stateOptions = (
  format: AddressFormat,
  locale: string,
): readonly { value: string; label: string }[] => {
  const language = locale.split('-')[0] ?? '';
  const native = format.language?.split('-')[0] === language;
  const states = format.states ?? [];
  const options = states.map(({ value, label, names }) => ({
    value,
    label: names?.[language] ?? (native ? label : (names?.latin ?? label)),
  }));
  const renamed = options.some(({ label }, index) => label !== states[index]?.label);
  if (!renamed) return options;
  const { compare } = new Intl.Collator([locale, 'en']);
  return options.sort((a, b) => compare(a.label, b.label));
};
