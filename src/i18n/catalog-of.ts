import { type Catalog, en } from './en.ts';
import { type Language, loadCatalog } from './translate.ts';

/** The catalog of any language, including English. */
export const catalogOf = async (language: Language): Promise<Catalog> =>
  language === 'en' ? en : loadCatalog(language);
