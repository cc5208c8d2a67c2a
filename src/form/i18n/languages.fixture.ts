import { catalogs, isLanguage, type Language } from './catalogs.ts';

/** Every language of the form. */
export const LANGUAGES: readonly Language[] = ['en', ...Object.keys(catalogs).filter(isLanguage)];
