/** The language the form is spoken in, found and fetched. */
import type { Catalog } from '../../i18n/en.ts';
import { direction, type Negotiated, negotiate } from '../../i18n/locale.ts';
import { loadCatalog } from '../../i18n/translate.ts';

/** A language and its words. */
export type Spoken = {
  /** Null for English, which comes with the form. */
  catalog: Catalog | null;
  spoken: Negotiated;
};

/** What a document says of its language. */
export type Speaking = { lang: string; dir: string };

/** The words in which a form with this `locale` speaks to this buyer; null where they cannot be fetched. */
export const learn = async (
  requested: string | undefined,
  preferred: readonly string[],
): Promise<Spoken | null> => {
  const spoken = negotiate(requested, preferred);
  if (spoken.language === 'en') return { catalog: null, spoken };
  const catalog = await loadCatalog(spoken.language).catch(() => null);
  return catalog && { catalog, spoken };
};

/** Has the document say so. */
export const speakOn = (root: Speaking, { locale, language }: Negotiated): void => {
  root.lang = locale;
  root.dir = direction(language);
};
