import { type Catalog, en, type MessageKey } from './en.ts';

/** The catalogs besides English. A new language is a file and a line here, and nothing else. */
const catalogs = {
  de: () => import('./de.ts').then((module): Catalog => module.de),
};

/** A language the form speaks. */
export type Language = 'en' | keyof typeof catalogs;

/** Every language the form speaks. */
export const LANGUAGES: readonly Language[] = ['en', ...Object.keys(catalogs).filter(isLanguage)];

/** Whether the form speaks this language. */
export function isLanguage(tag: string): tag is Language {
  return tag === 'en' || Object.hasOwn(catalogs, tag);
}

/** The words of a language. English is at hand, the others are fetched the first time. */
export async function loadCatalog(language: Language): Promise<Catalog> {
  return language === 'en' ? en : catalogs[language]();
}

/** What can stand in a sentence's `{places}`. */
export type Values = Readonly<Record<string, string | number>>;

/** The sentence of that name with its `{places}` filled; a place without a value stays visible. */
export function translate(catalog: Catalog, key: MessageKey, values: Values = {}): string {
  return catalog[key].replace(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );
}
