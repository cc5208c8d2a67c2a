/**
 * The design tokens: everything that a merchant can choose about the form's look. A closed list, each with its own
 * syntax, range and default. Names are those of Stripe's variables where the meaning is the same.
 *
 * No token can hide the amount or the button: no opacity, no display, no size without a minimum. We write the style
 * from parsed values, never from the given text.
 */

export type Scheme = 'light' | 'dark';

/**
 * The layout of the form: the choices of each setting, the first being the default. Each setting is a data attribute of
 * the root; its effect is in frame/styles.
 */
export const LAYOUT = {
  labels: ['above', 'floating', 'hidden'],
  fields: ['separate', 'grouped'],
  /** Number, expiry date and security code, if the frame is wide enough. */
  card: ['lines', 'row'],
  /** The position of the cardholder's name among the card's fields. */
  nameField: ['last', 'first'],
  placeholders: ['shown', 'hidden'],
  /** The card brand marks beside the number. */
  brands: ['shown', 'hidden'],
} as const;

export type Layout = { readonly [Name in keyof typeof LAYOUT]: (typeof LAYOUT)[Name][number] };

/** Colours, with the defaults of frame/styles/first.css and late.css. All but `colorBackground` may be translucent. */
export const COLOURS = {
  /** Links, focus rings, and the button unless `buttonColorBackground` is given. */
  colorPrimary: { light: '#2557d6', dark: '#8fb0ff' },
  /** The form's background. Painted only if it is given, or if the page's own colour is unsuitable. */
  colorBackground: { light: '#ffffff', dark: '#16181c' },
  colorText: { light: '#16202e', dark: '#f1f2f4' },
  /** Hints and descriptions. */
  colorTextSecondary: { light: '#556172', dark: '#b4b8c0' },
  colorTextPlaceholder: { light: '#667082', dark: '#a4a9b3' },
  /** Error messages and fields with errors. */
  colorDanger: { light: '#b42318', dark: '#ff9d92' },
  /** The check mark of a successful payment. */
  colorSuccess: { light: '#157a4a', dark: '#6fd3a1' },
  /** Outlines of fields. */
  colorBorder: { light: '#8a93a3', dark: '#ffffff73' },
  colorFieldBackground: { light: '#ffffff', dark: '#ffffff0f' },
  /** Default: `colorPrimary`. */
  buttonColorBackground: { light: '#2557d6', dark: '#8fb0ff' },
  /** Default: white or black, whichever is easier to read. */
  buttonColorText: { light: '#ffffff', dark: '#0b1730' },
} as const;

/** Lengths in CSS pixels. A `rem` is 16 px. */
export const LENGTHS = {
  fontSizeBase: { property: '--size', least: 14, most: 20, preset: 16 },
  /** The unit of all gaps and paddings. */
  spacingUnit: { property: '--space', least: 3, most: 6, preset: 4 },
  borderRadius: { property: '--radius', least: 0, most: 24, preset: 10 },
  /** Default: `borderRadius`. */
  buttonBorderRadius: { property: '--button-radius', least: 0, most: 32, preset: 10 },
  /** Space around the form. Less than 4 px would cut off the focus rings of the outermost fields. */
  formPadding: { property: '--padding', least: 4, most: 40, preset: 4 },
} as const;

/** Font weights. */
export const WEIGHTS = {
  fontWeightNormal: { property: '--weight', least: 300, most: 500, preset: 400 },
  /** Labels. */
  fontWeightMedium: { property: '--weight-medium', least: 400, most: 700, preset: 500 },
  /** Total, headings, button. */
  fontWeightBold: { property: '--weight-bold', least: 500, most: 800, preset: 600 },
} as const;

/** The CSS custom property of `fontFamily`. */
export const FONT_PROPERTY = '--font';

/** Generic families and system keywords, which CSS requires without quotes. */
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

/** Font families that the service hosts (`compile.ts`): the form fetches no others. */
export const HOSTED_FONTS = [
  'DM Sans',
  'IBM Plex Sans',
  'Inter',
  'Montserrat',
  'Noto Sans',
  'Nunito Sans',
  'Open Sans',
  'Roboto',
  'Source Sans 3',
  'Work Sans',
] as const;

export type HostedFont = (typeof HOSTED_FONTS)[number];

/** System fonts that replace a hosted one until it has loaded: Arial on computers and iOS, Roboto on Android. */
export const FALLBACK_FONTS = ['Arial', 'Roboto'] as const;

/** The name under which a system font is drawn in the proportions of a hosted one. */
export const fallbackName = (family: HostedFont, system: (typeof FALLBACK_FONTS)[number]): string =>
  `${family} ${system}`;

/**
 * Font families that come with an operating system. Other fonts can't be loaded into the frame, and one installed on
 * the buyer's machine could draw digits that differ from the amount's.
 */
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
  'Noto Serif',
  'Optima',
  'Palatino',
  'Palatino Linotype',
  'PingFang SC',
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

/** The names of all tokens. */
export const TOKEN_NAMES: readonly string[] = [
  ...Object.keys(COLOURS),
  ...Object.keys(LENGTHS),
  ...Object.keys(WEIGHTS),
  'fontFamily',
];
