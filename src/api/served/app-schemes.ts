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
