import { LANGUAGES } from '../../form/i18n/languages.ts';

/** The languages with their names in themselves and in English, such as `Deutsch (German)`, in order of the latter. */
export const namedLanguages = (): readonly { tag: string; name: string }[] => {
  const english = new Intl.DisplayNames(['en'], { type: 'language' });
  return LANGUAGES.map((tag) => {
    const own = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
    const name = english.of(tag) ?? tag;
    return { tag, name: own === name ? name : `${name} (${own})`, sortedBy: name };
  })
    .sort((one, other) => one.sortedBy.localeCompare(other.sortedBy, 'en'))
    .map(({ tag, name }) => ({ tag, name }));
};
