/**
 * The hashes of all catalogs, for a language other than the document's. Loaded on demand: hashes don't compress, and
 * most buyers read the form in one language.
 */
import { LANGUAGES, type Language } from '../../i18n/languages.ts';

/** In the order of `LANGUAGES` (`build/language-document.ts`). Empty in development, which has no data files. */
declare const __CATALOG_INTEGRITY__: string;

/** The hash of this language's catalog. */
export const hashOf = (language: Language): string =>
  __CATALOG_INTEGRITY__.split(' ')[LANGUAGES.indexOf(language)] ?? '';
