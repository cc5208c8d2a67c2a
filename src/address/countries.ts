import { regionOf } from './hint.ts';

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

/** Whether this is the code of a country. */
export function isCountry(code: string): boolean {
  return codes.has(code);
}

/**
 * The countries a merchant lists (`allowedCountries`), in capitals and each once; all of them where the list is
 * missing or names no country, because a form without any could not be paid.
 */
export function allowedAmong(listed: readonly string[] | undefined): readonly string[] {
  const known = (listed ?? []).map((code) => code.trim().toUpperCase()).filter(isCountry);
  return known.length === 0 ? COUNTRIES : [...new Set(known)];
}

/** The country, among those, that a buyer with these preferred locales most likely pays from. */
export function guessCountry(locales: readonly string[], among: readonly string[] = COUNTRIES): string {
  // A region somebody chose says more than one that is merely likely for the language, and its letters say it all.
  const chosen = locales.map((tag) => regionOf(tag) ?? '').find((code) => among.includes(code));
  if (chosen) return chosen;
  const likely = locales.map((tag) => parse(tag)?.maximize().region ?? '');
  const guessed = [...likely, 'US'].find((code) => among.includes(code));
  return guessed ?? among[0] ?? 'US';
}

function parse(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag);
  } catch {
    return null;
  }
}
