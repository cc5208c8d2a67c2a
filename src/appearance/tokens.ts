/**
 * Everything about the form's look that a merchant can choose: a closed list, each with its own grammar, range
 * and default. Names follow Stripe's variables where they mean the same.
 *
 * There is no token for what could hide the amount or the button: no opacity, no display, no size without a
 * floor. What is written into the style is made by us from parsed values, never the text that was given.
 */

/** Light or dark, as a whole. */
export type Scheme = 'light' | 'dark';

/** Colours; the defaults are those of frame/styles/first.css. Any may be translucent but the ground everything stands on. */
export const COLOURS = {
  /** Links, focus, and the button unless it has a colour of its own. */
  colorPrimary: { light: '#2557d6', dark: '#8fb0ff' },
  /** What the form stands on. Painted only where it or a text colour is given, or the theme is not the page's. */
  colorBackground: { light: '#ffffff', dark: '#16181c' },
  colorText: { light: '#16202e', dark: '#f1f2f4' },
  /** Hints and descriptions. */
  colorTextSecondary: { light: '#556172', dark: '#b4b8c0' },
  colorTextPlaceholder: { light: '#667082', dark: '#a4a9b3' },
  /** What is wrong. */
  colorDanger: { light: '#b42318', dark: '#ff9d92' },
  /** The mark of a payment that was received. */
  colorSuccess: { light: '#157a4a', dark: '#6fd3a1' },
  /** The outline of fields. */
  colorBorder: { light: '#8a93a3', dark: '#ffffff73' },
  /** Inside of fields. */
  colorFieldBackground: { light: '#ffffff', dark: '#ffffff0f' },
  /** Else `colorPrimary`. */
  buttonColorBackground: { light: '#2557d6', dark: '#8fb0ff' },
  /** Else white or black, whichever can be read. */
  buttonColorText: { light: '#ffffff', dark: '#0b1730' },
} as const;

/** Lengths in CSS pixels. A `rem` is 16 of them. */
export const LENGTHS = {
  fontSizeBase: { property: '--size', least: 14, most: 20, preset: 16 },
  /** The measure of all gaps and paddings. */
  spacingUnit: { property: '--space', least: 3, most: 6, preset: 4 },
  borderRadius: { property: '--radius', least: 0, most: 24, preset: 10 },
  /** Else `borderRadius`. */
  buttonBorderRadius: { property: '--button-radius', least: 0, most: 32, preset: 10 },
  /** Around the form. Less would cut the focus ring of the outermost fields off. */
  formPadding: { property: '--padding', least: 4, most: 40, preset: 4 },
} as const;

/** Weights of type. */
export const WEIGHTS = {
  fontWeightNormal: { property: '--weight', least: 300, most: 500, preset: 400 },
  /** Labels. */
  fontWeightMedium: { property: '--weight-medium', least: 400, most: 700, preset: 500 },
  /** Total, headings, button. */
  fontWeightBold: { property: '--weight-bold', least: 500, most: 800, preset: 600 },
} as const;

/** Where `fontFamily` goes. */
export const FONT_PROPERTY = '--font';

/** Keywords that name whatever the system has; written without quotes. */
export const GENERIC_FONTS = [
  'system-ui',
  '-apple-system',
  'BlinkMacSystemFont',
  'ui-sans-serif',
  'ui-serif',
  'ui-monospace',
  'ui-rounded',
  'sans-serif',
  'serif',
  'monospace',
] as const;

/** Families that come with a system. Any other could not be loaded here, or might show digits as pictures. */
export const SYSTEM_FONTS = [
  'Arial',
  'Avenir',
  'Avenir Next',
  'Baskerville',
  'Book Antiqua',
  'Calibri',
  'Cambria',
  'Candara',
  'Cantarell',
  'Charter',
  'Consolas',
  'Constantia',
  'Courier New',
  'DejaVu Sans',
  'Futura',
  'Georgia',
  'Gill Sans',
  'Helvetica',
  'Helvetica Neue',
  'Hiragino Sans',
  'Iowan Old Style',
  'Liberation Sans',
  'Menlo',
  'Microsoft YaHei',
  'Monaco',
  'Noto Sans',
  'Noto Serif',
  'Optima',
  'Palatino',
  'Palatino Linotype',
  'PingFang SC',
  'Roboto',
  'Rockwell',
  'Segoe UI',
  'Seravek',
  'SF Mono',
  'Tahoma',
  'Times',
  'Times New Roman',
  'Trebuchet MS',
  'Ubuntu',
  'Verdana',
  'Yu Gothic',
] as const;

export type ColourToken = keyof typeof COLOURS;
export type TokenName = ColourToken | keyof typeof LENGTHS | keyof typeof WEIGHTS | 'fontFamily';

/** Every name there is. */
export const TOKEN_NAMES: readonly string[] = [
  ...Object.keys(COLOURS),
  ...Object.keys(LENGTHS),
  ...Object.keys(WEIGHTS),
  'fontFamily',
];
