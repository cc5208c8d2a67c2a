/** The 249 officially assigned codes of ISO 3166-1 alpha-2. */
export const COUNTRIES: readonly string[] =
  (
    'ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZ' +
    'DEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISIT' +
    'JEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZ' +
    'NANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZ' +
    'TCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW'
  ).match(/../g) ?? [];

const codes = new Set(COUNTRIES);

/** A country to choose. */
export type Country = { code: string; name: string };

/** Whether this is the code of a country. */
export function isCountry(code: string): boolean {
  return codes.has(code);
}

/** The given countries by their names in that language, in its alphabetical order. */
export function countryNames(locale: string, among: readonly string[] = COUNTRIES): readonly Country[] {
  const names = new Intl.DisplayNames([locale, 'en'], { type: 'region' });
  const { compare } = new Intl.Collator([locale, 'en']);
  return among
    .filter(isCountry)
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => compare(a.name, b.name));
}

/** The country a buyer with these preferred locales most likely pays from. */
export function guessCountry(locales: readonly string[]): string {
  const regions = locales.map(parse).flatMap((locale) => locale ?? []);
  // A region somebody chose says more than one that is merely likely for the language.
  const chosen = regions.find((locale) => locale.region && isCountry(locale.region))?.region;
  const likely = regions.map((locale) => locale.maximize().region ?? '').find(isCountry);
  return chosen ?? likely ?? 'US';
}

function parse(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}
