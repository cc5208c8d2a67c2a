/**
 * The state that a postal code names, from a table bundled with the form: typing a code sends no request. An ambiguous
 * code, as some in Japan, names none.
 */
import { loadFile } from 'virtual:address-data';

/** Prefixes of the postal codes of a country's states: a regular expression by the state's value. */
export type StateCodes = Readonly<Record<string, string>>;

const COUNTRIES: readonly string[] = ['US', 'JP'];

/** The country's table; null if it has none, or it could not be loaded. */
export const loadStateCodes = async (country: string): Promise<StateCodes | null> => {
  if (!COUNTRIES.includes(country)) return null;
  try {
    return (await loadFile('codes'))[country] ?? null;
  } catch {
    return null;
  }
};

/** `code` is a complete code of the country, as written there. */
export const stateOfCode = (codes: StateCodes, code: string): string | null => {
  const [only, ...others] = Object.keys(codes).filter((state) =>
    new RegExp(`^(?:${codes[state]})`).test(code),
  );
  return only !== undefined && others.length === 0 ? only : null;
};
