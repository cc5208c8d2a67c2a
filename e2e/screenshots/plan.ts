/** What is pictured, and where the pictures lie. */
import { fileURLToPath } from 'node:url';

/** Each with the language and country of its buyer's browser. */
export const LANGUAGES = { en: 'en-US', de: 'de-DE', ja: 'ja-JP', ar: 'ar-AE' } as const;
export const SCHEMES = ['light', 'dark'] as const;
/** Of the window, in CSS pixels; the form has 32 less. */
export const WIDTHS = [320, 480, 900] as const;

/** The folder of the pictures and their contact sheet. */
export const PICTURES = fileURLToPath(new URL('../../pictures', import.meta.url));

/** The file name of one picture. */
export const nameOf = (state: string, locale: string, scheme: string, width: number): string =>
  `${state}-${locale}-${scheme}-${width}.png`;

/** Where one picture lies. */
export const pictureOf = (state: string, locale: string, scheme: string, width: number): string =>
  `${PICTURES}/${nameOf(state, locale, scheme, width)}`;

/** A page of either scheme, as the buyer's system wishes. */
export const PAGE = `
:root { color-scheme: light dark }
body { margin: 16px; background: light-dark(#fff, #15171b) }
h1 { display: none }
`;
