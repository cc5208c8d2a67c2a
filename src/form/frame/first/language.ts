/** Chooses the form's language and loads its catalog. */

import { catalogOf } from '../../i18n/catalogs.ts';
import type { Catalog } from '../../i18n/en.ts';
import { hashAttribute, type Translated } from '../../i18n/languages.ts';
import type { Negotiated } from '../../i18n/locale.ts';
import { fetchData } from './data-file.ts';

/** A language with its catalog. */
export type LoadedLanguage = {
  /** Null for English, whose texts are part of the payment scripts. */
  catalog: Catalog | null;
  negotiated: Negotiated;
};

/** A catalog's hash, from the document in that language or else from the script with all hashes. */
const hashOf = async (language: Translated): Promise<string> =>
  document.documentElement.getAttribute(hashAttribute(language)) ??
  (await import('./other-language.ts')).hashOf(language);

/** Requested catalogs. */
const catalogs = new Map<Translated, Promise<Catalog>>();

/** Development has no data files. */
const fetchCatalog = async (language: Translated): Promise<Catalog> =>
  import.meta.env.DEV ? catalogOf(language) : fetchData(language, await hashOf(language));

/** The language with its catalog, fetched once. Null if that fails; the next call tries again. */
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
