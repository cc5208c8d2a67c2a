import { isLanguage, type Language } from './translate.ts';

/** What the form speaks, and how it writes numbers: `de` words with `de-AT` amounts. */
export type Negotiated = { language: Language; locale: string };

/** Tags that mean a language we may know under another name. */
const SAME: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb' };

/**
 * The language to speak: the requested one if the form has it, else the first of the buyer's preferred ones
 * that it has, else English. Whatever stands in the tags, this never throws.
 */
export function negotiate(requested: 'auto' | string | undefined, preferred: readonly string[]): Negotiated {
  const wanted = requested === undefined || requested === 'auto' ? preferred : [requested, ...preferred];
  for (const tag of wanted) {
    const locale = parse(tag);
    if (!locale) continue;
    const language = SAME[locale.language] ?? locale.language;
    // Extensions are left out: a numbering system or calendar asked for elsewhere has no place in a price.
    if (isLanguage(language)) return { language, locale: locale.baseName };
  }
  return { language: 'en', locale: 'en' };
}

/** The direction a language is written in. */
export function direction(language: string): 'ltr' | 'rtl' {
  return /^(ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr';
}

function parse(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag.trim().replaceAll('_', '-'));
  } catch {
    return null;
  }
}
