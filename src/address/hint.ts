/** The country whose fields stand in the form from the first moment. */
export const FIRST_COUNTRY = 'US';

/** The region most people who prefer a language live in, where that is not the one of the same letters. */
const LIKELY: Readonly<Record<string, string>> = {
  ar: 'EG',
  cs: 'CZ',
  da: 'DK',
  el: 'GR',
  en: 'US',
  he: 'IL',
  ja: 'JP',
  ko: 'KR',
  nb: 'NO',
  pt: 'BR',
  sv: 'SE',
  zh: 'CN',
};
const SAME = 'de es fi fr hu it nl pl ro tr';

/**
 * A first word on the country that a buyer with these preferred locales pays from, before the list of countries is
 * there: by the letters alone, since the browser's own knowledge of locales takes a while to wake.
 * `guessCountry` has the last word.
 */
export function hintCountry(locales: readonly string[]): string {
  for (const tag of locales) {
    const region = regionOf(tag);
    if (region) return region;
  }
  for (const tag of locales) {
    const language = tag.toLowerCase();
    if (Object.hasOwn(LIKELY, language)) return LIKELY[language] ?? 'US';
    if (SAME.split(' ').includes(language)) return language.toUpperCase();
  }
  return 'US';
}

/** The region that a tag names, in capitals; undefined where it names none. */
export function regionOf(tag: string): string | undefined {
  return /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?![a-z\d])/i.exec(tag)?.[1]?.toUpperCase();
}
