/**
 * Schemes from which apps load their own pages. They are no web addresses: whoever writes an app chooses its pages, and no
 * certificate names them, so they may embed the form only if the owner of the service allows it (docs/apps.md).
 */
import { FRAME_ANCESTORS, type Rule } from './headers.ts';

/** Capacitor on iOS, Ionic's older WebView, Tauri on macOS and Linux, and Electron's usual choice. On Android all are https. */
export const APP_SCHEMES = ['capacitor', 'ionic', 'tauri', 'app'] as const;
export type AppScheme = (typeof APP_SCHEMES)[number];

export const areAppSchemes = (value: unknown): value is readonly AppScheme[] =>
  Array.isArray(value) && value.every((one) => APP_SCHEMES.includes(one));

/** `capacitor,tauri` as a list, each once; none for `off`. Null if there is another among them. */
export const parseAppSchemes = (text: string): readonly AppScheme[] | null => {
  const schemes = text === 'off' ? [] : [...new Set(text.split(','))].sort();
  return areAppSchemes(schemes) ? schemes : null;
};

/** What the option `--app-schemes` takes, in each command that has it. */
export const APP_SCHEMES_RULE = {
  expected: `a list of ${APP_SCHEMES.join(', ')}, with commas between them`,
  accepts: areAppSchemes,
  fromText: (text: string): unknown => parseAppSchemes(text) ?? text,
};

/** The rules with these schemes in the document's `frame-ancestors`; for none the same rules. */
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
