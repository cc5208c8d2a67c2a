/** A country to choose. */
export type Country = { code: string; name: string };

/** Makes the browser load its sorting rules, which takes longer than sorting itself. */
export const loadOrder = (): void => {
  Intl.Collator.supportedLocalesOf('en');
};

/** The given countries with their names in the language of the locale, in its alphabetical order. */
export const countryNames = (locale: string, among: readonly string[]): readonly Country[] => {
  const names = new Intl.DisplayNames([locale, 'en'], { type: 'region' });
  const { compare } = new Intl.Collator([locale, 'en']);
  return among
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => compare(a.name, b.name));
};
