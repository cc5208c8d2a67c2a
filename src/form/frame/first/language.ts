/** Chooses the form's language and loads its catalog. */

import { loadCatalog } from '../../i18n/catalogs.ts';
import type { Catalog } from '../../i18n/en.ts';
import { direction, type Negotiated } from '../../i18n/locale.ts';

/** A language with its catalog. */
export type LoadedLanguage = {
  /** Null for English, which comes with what pays. */
  catalog: Catalog | null;
  negotiated: Negotiated;
};

/** The language attributes of the document's root. */
export type LanguageAttributes = { lang: string; dir: string };

/** This language with its catalog; null if that fails to load. */
export const loadLanguage = async (negotiated: Negotiated): Promise<LoadedLanguage | null> => {
  if (negotiated.language === 'en') return { catalog: null, negotiated };
  const catalog = await loadCatalog(negotiated.language).catch(() => null);
  return catalog && { catalog, negotiated };
};

/** Sets `lang` and `dir`. */
export const setDocumentLanguage = (root: LanguageAttributes, { locale, language }: Negotiated): void => {
  root.lang = locale;
  root.dir = direction(language);
};
