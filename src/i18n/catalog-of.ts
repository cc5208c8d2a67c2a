import { type Catalog, en } from './en.ts';
import { type Language, loadCatalog } from './translate.ts';

/** All words of a language, English among them. */
export const catalogOf = async (language: Language): Promise<Catalog> =>
  language === 'en' ? en : loadCatalog(language);
