import { isLanguage, type Language } from './translate.ts';

/** What the form speaks, and how it writes numbers: `de` words with `de-AT` amounts. */
export type Negotiated = { language: Language; locale: string };

/** Languages whose writers are served by another one's words. Outdated names (`iw`, `cmn`) `Intl` knows itself. */
const SERVED_BY: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb', yue: 'zh' };

/**
 * The language to speak: the requested one if the form has it, else the first of the buyer's preferred ones
 * that it has, else English. Whatever stands in the tags, this never throws.
 */
export function negotiate(requested: 'auto' | string | undefined, preferred: readonly string[]): Negotiated {
  const wanted = requested === undefined || requested === 'auto' ? preferred : [requested, ...preferred];
  for (const tag of wanted) {
    // What most tags look like needs no `Intl`, which takes a while to wake on a slow phone.
    const [, plain = ''] = /^([a-z]{2})(?:-(?!UK)[A-Z]{2})?$/.exec(tag) ?? [];
    if (isLanguage(plain) && plain !== 'zh') return { language: plain, locale: tag };
    const locale = parse(tag);
    if (!locale) continue;
    const language = SERVED_BY[locale.language] ?? locale.language;
    if (isLanguage(language)) return { language, locale: writtenAs(locale, language) };
  }
  return { language: 'en', locale: 'en' };
}

/** The direction a language of the form is written in. */
export function direction(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
}

/**
 * The locale for numbers and names that stand among the words. Its region is the buyer's; language and script are
 * those of the words, so that no name of a country is in other characters than the sentence around it.
 */
function writtenAs(wanted: Intl.Locale, language: Language): string {
  // Extensions are left out: a numbering system or calendar asked for elsewhere has no place in a price.
  const locale = new Intl.Locale(wanted.baseName, { language });
  const isTraditional = language === 'zh' && locale.maximize().script === 'Hant';
  return isTraditional ? new Intl.Locale(locale.baseName, { script: 'Hans' }).baseName : locale.baseName;
}

function parse(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag.trim().replaceAll('_', '-'));
  } catch {
    return null;
  }
}
