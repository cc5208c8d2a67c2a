import { isLanguage, type Language } from './languages.ts';

/** The language of the texts and the locale of numbers: `de` texts with `de-AT` amounts. */
export type Negotiated = { language: Language; locale: string };

/** Languages that use the texts of another one. `Intl` itself resolves outdated codes (`iw`, `cmn`). */
const SERVED_BY: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb', yue: 'zh' };

/**
 * The requested language if the form has it, otherwise the first of the buyer's preferred ones that the form has,
 * otherwise English. Never throws, whatever the tags contain.
 */
export const negotiate = (
  requested: 'auto' | string | undefined,
  preferred: readonly string[],
): Negotiated => {
  const wanted = requested === undefined || requested === 'auto' ? preferred : [requested, ...preferred];
  for (const tag of wanted) {
    // Most tags can be read without `Intl`, whose first use is slow on a slow phone.
    const [, plain = ''] = /^([a-z]{2})(?:-(?!UK)[A-Z]{2})?$/.exec(tag) ?? [];
    if (isLanguage(plain) && plain !== 'zh') return { language: plain, locale: tag };
    const locale = parse(tag);
    if (!locale) continue;
    const code = SERVED_BY[locale.language] ?? locale.language;
    // Taiwan, Hong Kong and Macau write traditional characters, and so does Cantonese.
    const script = code === 'zh' && locale.maximize().script === 'Hant' ? 'Hant' : undefined;
    const language = script ? `${code}-${script}` : code;
    if (isLanguage(language)) return { language, locale: writtenAs(locale, code, script) };
  }
  return { language: 'en', locale: 'en' };
};

/** The writing direction of a language. */
export const direction = (language: Language): 'ltr' | 'rtl' =>
  language === 'ar' || language === 'he' ? 'rtl' : 'ltr';

/**
 * The locale for numbers and country names. The region is the buyer's; language and script are those of the texts, so
 * that country names are in the same script as the sentence around them.
 */
const writtenAs = (wanted: Intl.Locale, language: string, script: string | undefined): string => {
  // `baseName` drops extensions: a numbering system or calendar must not change a price.
  return new Intl.Locale(wanted.baseName, script ? { language, script } : { language }).baseName;
};

const parse = (tag: string): Intl.Locale | null => {
  try {
    return new Intl.Locale(tag.trim().replaceAll('_', '-'));
  } catch {
    return null;
  }
};
