/** The formats of all countries. The first is bundled, the others are fetched when the buyer chooses them. */
import { fileOf, atHand as formats, loadFile } from 'virtual:address-data';
import { isCountry } from './countries.ts';
import { type AddressFormat, GENERAL_FORMAT } from './format.ts';

const known = new Map<string, AddressFormat>(Object.entries(formats));

/** The format of a country if it is loaded, or null. */
export const knownFormat = (country: string): AddressFormat | null =>
  known.get(country) ?? (isCountry(country) ? null : GENERAL_FORMAT);

/** The format of a country, fetched once. If that fails, returns the general one, and the next call tries again. */
export const loadFormat = async (country: string): Promise<AddressFormat> => {
  const atHand = knownFormat(country);
  if (atHand) return atHand;
  try {
    const loaded = await loadFile((Object.hasOwn(fileOf, country) && fileOf[country]) || 'others');
    for (const [code, format] of Object.entries(loaded)) known.set(code, format);
  } catch {
    return GENERAL_FORMAT;
  }
  return known.get(country) ?? GENERAL_FORMAT;
};
