/**
 * Schemes from which apps load their own pages. They are not web addresses: the app's author chooses its pages, and no
 * certificate names them. So they may embed the form only if the service's owner allows it (docs/apps.md).
 */
import { FRAME_ANCESTORS, type Rule } from './headers.ts';

/**
 * Capacitor on iOS, Ionic's older WebView, Tauri on macOS and Linux, and Electron's usual choice. Android uses https.
 */
export const APP_SCHEMES = ['capacitor', 'ionic', 'tauri', 'app'] as const;
export type AppScheme = (typeof APP_SCHEMES)[number];

export const areAppSchemes = (value: unknown): value is readonly AppScheme[] =>
  Array.isArray(value) && value.every((one) => APP_SCHEMES.includes(one));

/** Parses `capacitor,tauri` into a list without duplicates; empty for `off`. Null if a scheme is unknown. */
export const parseAppSchemes = (text: string): readonly AppScheme[] | null => {
  const schemes = text === 'off' ? [] : [...new Set(text.split(','))].sort();
  return areAppSchemes(schemes) ? schemes : null;
};

/** Rule of the option `--app-schemes`, for every command that has it. */
export const APP_SCHEMES_RULE = {
  expected: `a list of ${APP_SCHEMES.join(', ')}, with commas between them`,
  accepts: areAppSchemes,
  fromText: (text: string): unknown => parseAppSchemes(text) ?? text,
};

/** Adds these schemes to the document's `frame-ancestors`. Returns the same rules if there are none. */
export const withAppSchemes = (rules: readonly Rule[], schemes: readonly AppScheme[]): readonly Rule[] => {
  if (schemes.length === 0) return rules;
  const allowed = `${FRAME_ANCESTORS} ${schemes.map((scheme) => `${scheme}:`).join(' ')}`;
  return rules.map(({ address, headers }) => ({
    address,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace(FRAME_ANCESTORS, allowed)]),
    ),
  }));
};
