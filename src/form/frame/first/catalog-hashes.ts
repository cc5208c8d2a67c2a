/**
 * The hashes of all catalogs, for a language that is not its document's. They come when they are needed: hashes do not
 * compress, and most buyers read the form in one language.
 */
import { LANGUAGES, type Language } from '../../i18n/languages.ts';

/** In the order of `LANGUAGES` (`build/language-document.ts`). Empty in development, where there are no files of data. */
declare const __CATALOG_INTEGRITY__: string;

/** The hash of this language's catalog. */
export const hashOf = (language: Language): string =>
  __CATALOG_INTEGRITY__.split(' ')[LANGUAGES.indexOf(language)] ?? '';
