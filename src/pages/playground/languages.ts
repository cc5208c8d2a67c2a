/** The form's languages, as a list: importing `i18n/translate.ts` would make the build emit all of their texts. */
export const OFFERED_LANGUAGES: readonly string[] = [
  'en',
  'ar',
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'es',
  'et',
  'fi',
  'fr',
  'he',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'nb',
  'nl',
  'pl',
  'pt',
  'ro',
  'sk',
  'sl',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh',
  'zh-Hant',
];

/** The languages with their names in themselves and in English, such as `Deutsch (German)`, in order of the latter. */
export const namedLanguages = (): readonly { tag: string; name: string }[] => {
  const english = new Intl.DisplayNames(['en'], { type: 'language' });
  return OFFERED_LANGUAGES.map((tag) => {
    const own = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
    const name = english.of(tag) ?? tag;
    return { tag, name: own === name ? name : `${name} (${own})`, sortedBy: name };
  })
    .sort((one, other) => one.sortedBy.localeCompare(other.sortedBy, 'en'))
    .map(({ tag, name }) => ({ tag, name }));
};
