import { COUNTRIES } from './country-codes.ts';
import { regionOf } from './hint.ts';

const codes = new Set(COUNTRIES);

/** Returns true if this is the code of a country. */
export const isCountry = (code: string): boolean => codes.has(code);

/**
 * The countries in a merchant's `allowedCountries`, in capitals and each once. All countries if the list is missing or
 * names none, because a form without a country could not be paid.
 */
export const allowedAmong = (listed: readonly string[] | undefined): readonly string[] => {
  const known = (listed ?? []).map((code) => code.trim().toUpperCase()).filter(isCountry);
  return known.length === 0 ? COUNTRIES : [...new Set(known)];
};

/** The country among these from which a buyer with these preferred locales most likely pays. */
export const guessCountry = (locales: readonly string[], among: readonly string[] = COUNTRIES): string => {
  // A region in a tag counts more than a language's likely region, and doesn't need `Intl`.
  const chosen = locales.map((tag) => regionOf(tag) ?? '').find((code) => among.includes(code));
  if (chosen) return chosen;
  const likely = locales.map((tag) => parse(tag)?.maximize().region ?? '');
  const guessed = [...likely, 'US'].find((code) => among.includes(code));
  return guessed ?? among[0] ?? 'US';
};

const parse = (tag: string): Intl.Locale | null => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
};
