/** Chooses the form's language and loads its catalog. */

import { loadCatalog } from '../../i18n/catalogs.ts';
import type { Catalog } from '../../i18n/en.ts';
import { direction, type Negotiated, negotiate } from '../../i18n/locale.ts';

/** A language with its catalog. */
export type LoadedLanguage = {
  /** Null for English, which comes with the form. */
  catalog: Catalog | null;
  negotiated: Negotiated;
};

/** The language attributes of the document's root. */
export type LanguageAttributes = { lang: string; dir: string };

/** The language for this `locale` option and these browser languages; null if its catalog fails to load. */
export const loadLanguage = async (
  requested: string | undefined,
  preferred: readonly string[],
): Promise<LoadedLanguage | null> => {
  const negotiated = negotiate(requested, preferred);
  if (negotiated.language === 'en') return { catalog: null, negotiated };
  const catalog = await loadCatalog(negotiated.language).catch(() => null);
  return catalog && { catalog, negotiated };
};

/** Sets `lang` and `dir`. */
export const setDocumentLanguage = (root: LanguageAttributes, { locale, language }: Negotiated): void => {
  root.lang = locale;
  root.dir = direction(language);
};
