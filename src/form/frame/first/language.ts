/** Chooses the form's language and loads its catalog. */

import { catalogOf } from '../../i18n/catalogs.ts';
import type { Catalog } from '../../i18n/en.ts';
import { hashAttribute, type Translated } from '../../i18n/languages.ts';
import { direction, type Negotiated } from '../../i18n/locale.ts';
import { fetchData } from './data-file.ts';

/** A language with its catalog. */
export type LoadedLanguage = {
  /** Null for English, which comes with what pays. */
  catalog: Catalog | null;
  negotiated: Negotiated;
};

/** The language attributes of the document's root. */
export type LanguageAttributes = { lang: string; dir: string };

/** The hash of a catalog, which is in the document of that language. */
const hashOf = async (language: Translated): Promise<string> =>
  document.documentElement.getAttribute(hashAttribute(language)) ??
  (await import('./catalog-hashes.ts')).hashOf(language);

/** The catalogs that were asked for. */
const catalogs = new Map<Translated, Promise<Catalog>>();

/** From source there are no files of data. */
const fetchCatalog = async (language: Translated): Promise<Catalog> =>
  import.meta.env.DEV ? catalogOf(language) : fetchData(language, await hashOf(language));

/** This language with its catalog, fetched once; null if that fails to load, and the next call tries again. */
export const loadLanguage = async (negotiated: Negotiated): Promise<LoadedLanguage | null> => {
  const { language } = negotiated;
  if (language === 'en') return { catalog: null, negotiated };
  const loading = catalogs.get(language) ?? fetchCatalog(language);
  catalogs.set(language, loading);
  try {
    return { catalog: await loading, negotiated };
  } catch {
    catalogs.delete(language);
    return null;
  }
};

/** Sets `lang` and `dir`. */
export const setDocumentLanguage = (root: LanguageAttributes, { locale, language }: Negotiated): void => {
  root.lang = locale;
  root.dir = direction(language);
};
