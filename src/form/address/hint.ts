/** The country whose address fields are in the prerendered form. */
export const FIRST_COUNTRY = 'US';

/** The likely region of each language whose code differs from the region's. */
const LIKELY: Readonly<Record<string, string>> = {
  ar: 'EG',
  cs: 'CZ',
  da: 'DK',
  el: 'GR',
  en: 'US',
  et: 'EE',
  he: 'IL',
  ja: 'JP',
  ko: 'KR',
  nb: 'NO',
  pt: 'BR',
  sl: 'SI',
  sv: 'SE',
  uk: 'UA',
  vi: 'VN',
  zh: 'CN',
  'zh-hant': 'TW',
};
/** Languages whose likely region has the same code. */
const SAME = 'bg de es fi fr hr hu id it lt lv nl pl ro sk th tr';

/**
 * A first guess at the buyer's country from the preferred locales, before the list of countries is loaded. Reads only
 * the tags, because the first use of `Intl` is slow. `guessCountry` may correct it.
 */
export const hintCountry = (locales: readonly string[]): string => {
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
};

/** The region in a language tag, in capitals, or undefined. */
export const regionOf = (tag: string): string | undefined =>
  /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?![a-z\d])/i.exec(tag)?.[1]?.toUpperCase();
