import { direction, type Negotiated } from '../../i18n/locale.ts';

/** The language attributes of the document's root. */
export type LanguageAttributes = { lang: string; dir: string };

/** Sets `lang` and `dir`. */
export const setDocumentLanguage = (root: LanguageAttributes, { locale, language }: Negotiated): void => {
  root.lang = locale;
  root.dir = direction(language);
};
