/** Which screenshots are taken, and where they are saved. */
import { fileURLToPath } from 'node:url';

/** The form's locale, with the locale of the buyer's browser. */
export const LANGUAGES = { en: 'en-US', de: 'de-DE', ja: 'ja-JP', ar: 'ar-AE', th: 'th-TH' } as const;
export const SCHEMES = ['light', 'dark'] as const;
/** Window widths, in CSS pixels. The page's margins take 32 of them. */
export const WIDTHS = [320, 480, 900] as const;

/** The folder of the screenshots and their contact sheet. */
export const SCREENSHOTS = fileURLToPath(new URL('../../screenshots', import.meta.url));

/** The file name of one screenshot. */
export const screenshotName = (state: string, locale: string, scheme: string, width: number): string =>
  `${state}-${locale}-${scheme}-${width}.png`;

/** The path of one screenshot. */
export const screenshotPath = (state: string, locale: string, scheme: string, width: number): string =>
  `${SCREENSHOTS}/${screenshotName(state, locale, scheme, width)}`;

/** A page that follows the colour scheme of the buyer's system. */
export const PAGE = `
:root { color-scheme: light dark }
body { margin: 16px; background: light-dark(#fff, #15171b) }
h1 { display: none }
`;
