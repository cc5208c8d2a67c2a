/**
 * Billing addresses as each country writes them: which fields there are, in which order, what they are called,
 * which states there are and what a postal code looks like. The facts are Google's address data, compiled for
 * each country when the form is built (`compile.ts`) and loaded when the buyer chooses that country.
 *
 * This folder knows no document and no words: a label is the name of a word, and the words are in the catalogs.
 */
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
export type PostalWord = 'postal' | 'postcode' | 'zip' | 'pin' | 'eircode' | 'cep';

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
};

/** How addresses are written in one country. */
export type AddressFormat = {
  /** In the order in which they are asked for there. */
  fields: readonly AddressField[];
  /** The order in Latin letters, from small to large, where the country's own is another one. */
  latin?: readonly AddressField[];
  /** Those without which a letter would not arrive, as the data has it. */
  needed: readonly AddressField[];
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
  needed: ['line1'],
  labels: { city: 'city', state: 'province', postal_code: 'postal' },
  postal: null,
  states: null,
};

/**
 * How much a field matters. This is the one place where that is decided:
 *
 * - `required`: the service refuses to pay without. That is `line1` and, where the data says that every address has
 *   one, the postal code (service-api, BillingDetails).
 * - `expected`: the data says that addresses there have one, the service would do without. The buyer is asked for it
 *   once and can pay all the same: data can be wrong or old, and then nobody could pay from that address.
 * - `optional`: anything else.
 */
export function importance(field: AddressField, format: AddressFormat): 'required' | 'expected' | 'optional' {
  if (field === 'line1') return 'required';
  if (!format.needed.includes(field)) return 'optional';
  return field === 'postal_code' ? 'required' : 'expected';
}

/**
 * The states to choose from, named in this locale's language or, failing that, in letters its readers know. In the
 * order the country itself has for them; where they go by other names, in alphabetical order.
 */
export function stateOptions(
  format: AddressFormat,
  locale: string,
): readonly { value: string; label: string }[] {
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
}
