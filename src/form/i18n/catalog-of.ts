import { type Language, loadCatalog } from './catalogs.ts';
import { type Catalog, en } from './en.ts';

/** The catalog of any language, including English. */
export const catalogOf = async (language: Language): Promise<Catalog> =>
  language === 'en' ? en : loadCatalog(language);
