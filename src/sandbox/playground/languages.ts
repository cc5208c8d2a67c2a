import { LANGUAGES } from '../../form/i18n/languages.ts';

/**
 * Returns the languages with their native and English names, such as `Deutsch (German)`, sorted by the English name.
 */
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
