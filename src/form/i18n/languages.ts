/**
 * The languages of the form. A new one needs its file, an entry here and a line in `catalogs.ts`; the build writes its
 * catalog and its document.
 */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'pl',
  'sv',
  'da',
  'fi',
  'nb',
  'cs',
  'el',
  'ro',
  'hu',
  'et',
  'lv',
  'lt',
  'sk',
  'sl',
  'hr',
  'bg',
  'uk',
  'tr',
  'ja',
  'zh',
  'zh-Hant',
  'ko',
  'th',
  'vi',
  'id',
  'ar',
  'he',
] as const;

/** A language of the form. */
export type Language = (typeof LANGUAGES)[number];

/** A language whose texts are data. The English ones come with the form. */
export type Translated = Exclude<Language, 'en'>;

const known = new Set<string>(LANGUAGES);

/** Returns true if the form has texts in this language. */
export const isLanguage = (tag: string): tag is Language => known.has(tag);

/** The attribute of a document's root with the hash of this language's catalog (`frame/first/language.ts`). */
export const hashAttribute = (language: Language): string => `data-${language}`;
