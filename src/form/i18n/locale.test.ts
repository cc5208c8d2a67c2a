import { expect, it } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { direction, negotiate } from './locale.ts';

it.each([
  ['auto', ['de-AT', 'en'], 'de', 'de-AT'],
  [undefined, ['de-AT', 'en'], 'de', 'de-AT'],
  ['de', ['en-US'], 'de', 'de'],
  ['de-CH', ['en-US'], 'de', 'de-CH'],
  ['DE_at', [], 'de', 'de-AT'],
  ['en-GB', ['de'], 'en', 'en-GB'],
  ['xx', ['de-DE', 'en'], 'de', 'de-DE'],
  ['auto', ['tlh', 'xx-YY', 'de'], 'de', 'de'],
  ['auto', ['tlh'], 'en', 'en'],
  ['auto', [], 'en', 'en'],
  ['de-DE-u-nu-arab', [], 'de', 'de-DE'],
  // Other names of the same language, or another script.
  ['no', [], 'nb', 'nb'],
  ['nn-NO', [], 'nb', 'nb-NO'],
  ['iw', [], 'he', 'he'],
  ['iw-IL', [], 'he', 'he-IL'],
  ['mo', [], 'ro', 'ro'],
  ['cmn-CN', [], 'zh', 'zh-CN'],
  ['zh', [], 'zh', 'zh'],
  ['zh-CN', [], 'zh', 'zh-CN'],
  ['zh-SG', [], 'zh', 'zh-SG'],
  ['zh-Hans-HK', [], 'zh', 'zh-Hans-HK'],
  ['zh-TW', [], 'zh-Hant', 'zh-Hant-TW'],
  ['zh-HK', [], 'zh-Hant', 'zh-Hant-HK'],
  ['zh-MO', [], 'zh-Hant', 'zh-Hant-MO'],
  ['zh-Hant', [], 'zh-Hant', 'zh-Hant'],
  ['zh-Hant-TW-u-nu-hanidec', [], 'zh-Hant', 'zh-Hant-TW'],
  ['zh-Hant-CN', [], 'zh-Hant', 'zh-Hant-CN'],
  ['zh_TW', [], 'zh-Hant', 'zh-Hant-TW'],
  ['yue', [], 'zh-Hant', 'zh-Hant'],
  ['yue-HK', [], 'zh-Hant', 'zh-Hant-HK'],
  ['yue-CN', [], 'zh', 'zh-CN'],
  ['zh-Hans-TW', [], 'zh', 'zh-Hans-TW'],
  ['auto', ['zh-TW', 'zh', 'en-US'], 'zh-Hant', 'zh-Hant-TW'],
  ['pt-PT', [], 'pt', 'pt-PT'],
  ['pt-BR', [], 'pt', 'pt-BR'],
  ['es-419', [], 'es', 'es-419'],
  ['fr-CA', ['en-CA'], 'fr', 'fr-CA'],
  ['ar-EG', [], 'ar', 'ar-EG'],
  ['auto', ['nn-NO', 'nb-NO', 'en'], 'nb', 'nb-NO'],
  ['auto', ['gsw-CH', 'ca', 'sr-Latn', 'fil', 'it-CH'], 'it', 'it-CH'],
  ['auto', ['en-GB', 'fr'], 'en', 'en-GB'],
] as const)(
  'requested %s, preferred %j: texts in %s, numbers in %s',
  (requested, preferred, language, locale) => {
    expect(negotiate(requested, preferred)).toEqual({ language, locale });
  },
);

it.each([
  '',
  ' ',
  '-',
  'd',
  'de--DE',
  'de-',
  '1',
  'en-US-',
  '__proto__',
  'constructor',
  'a'.repeat(5000),
  '\u0000',
  '💳',
])('falls back to English for the tag %j', (tag) => {
  expect(negotiate(tag, [tag])).toEqual({ language: 'en', locale: 'en' });
});

it.each(LANGUAGES)('knows the writing direction of %s', (language) => {
  const isFromRight = ['ar', 'he'].includes(language);
  expect(direction(language)).toBe(isFromRight ? 'rtl' : 'ltr');
});

it.each(LANGUAGES)('uses %s if requested, with or without a region', (language) => {
  expect(negotiate(language, ['xx'])).toEqual({ language, locale: language });
  expect(negotiate('auto', ['xx', language.toUpperCase()])).toEqual({ language, locale: language });
  expect(negotiate(`${language}_ch`, [])).toEqual({ language, locale: `${language}-CH` });
});

it('reads a plain tag without `Intl`, with the same result', () => {
  const { Locale } = Intl;
  const tags = LANGUAGES.filter((language) => !language.startsWith('zh')).flatMap((language) => [
    language,
    ...['US', 'GB', 'AT', 'CH', 'BR', 'EG', 'ZZ'].map((region) => `${language}-${region}`),
  ]);
  const refuse = () => {
    throw new Error('asked');
  };
  Reflect.set(Intl, 'Locale', refuse);
  const found = tags.map((tag) => negotiate(tag, []));
  Reflect.set(Intl, 'Locale', Locale);
  // Another spelling of the same tag requires `Intl`.
  expect(tags.map((tag) => negotiate(tag.replace('-', '_').toUpperCase(), []))).toEqual(found);
});
