/** Parses a merchant's colours into sRGB numbers, and writes colours from numbers only. */

/** Integers from 0 to 255. */
export type Colour = { readonly red: number; readonly green: number; readonly blue: number };

/** `alpha` from 0 (transparent) to 1 (opaque). */
export type Translucent = Colour & { readonly alpha: number };

export const BLACK: Colour = { red: 0, green: 0, blue: 0 };
export const WHITE: Colour = { red: 255, green: 255, blue: 255 };

/** The sixteen colour names of CSS 1, `grey` and `orange`. More CSS names would only cost bytes. */
const NAMED: Readonly<Record<string, string>> = {
  black: '#000',
  silver: '#c0c0c0',
  gray: '#808080',
  grey: '#808080',
  white: '#fff',
  maroon: '#800000',
  red: '#f00',
  purple: '#800080',
  fuchsia: '#f0f',
  green: '#008000',
  lime: '#0f0',
  olive: '#808000',
  yellow: '#ff0',
  navy: '#000080',
  blue: '#00f',
  teal: '#008080',
  aqua: '#0ff',
  orange: '#ffa500',
};

/** `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `hsl()`, `oklch()` in both notations, or a basic name. */
export const parseColour = (text: string): Translucent | null => {
  const source = text.trim().toLowerCase();
  const hex = /^#([0-9a-f]{3,8})$/.exec(Object.hasOwn(NAMED, source) ? `${NAMED[source]}` : source)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const [, space = '', list = ''] = /^(rgb|hsl|oklch)a?\(([^()]*)\)$/.exec(source) ?? [];
  const parts = space && split(list);
  if (!parts) return null;
  const [first, second, third, alpha] = parts;
  const opacity = alpha === undefined ? 1 : measure(alpha, 1);
  if (opacity === null) return null;
  const colour =
    space === 'rgb'
      ? fromRgb(measure(first, 255), measure(second, 255), measure(third, 255))
      : space === 'hsl'
        ? fromHsl(angle(first), measure(second, 1, '%'), measure(third, 1, '%'))
        : fromOklch(measure(first, 1), measure(second, 0.4), angle(third));
  return colour && { ...colour, alpha: opacity };
};

/** `#rrggbb`. */
export const writeColour = ({ red, green, blue }: Colour): string =>
  `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;

const fromHex = (digits: string): Translucent | null => {
  if (digits.length === 5 || digits.length === 7) return null;
  const pairs = digits.length < 5 ? digits.replace(/./g, '$&$&') : digits;
  const channel = (index: number) => Number.parseInt(pairs.slice(index * 2, index * 2 + 2) || 'ff', 16);
  return { red: channel(0), green: channel(1), blue: channel(2), alpha: channel(3) / 255 };
};

type Parts = readonly [string, string, string, string | undefined];

/** Splits `1, 2, 3, .5` or `1 2 3 / .5`. Null if the notations are mixed. */
const split = (list: string): Parts | null => {
  const hasCommas = list.includes(',');
  const [front = '', alpha, more] = hasCommas ? [list] : list.split('/');
  const parts = front
    .trim()
    .split(hasCommas ? ',' : /\s+/)
    .map((part) => part.trim());
  const [first, second, third, fourth = alpha?.trim(), rest] = parts;
  if (more !== undefined || rest !== undefined || (hasCommas && list.includes('/'))) return null;
  if (!hasCommas && parts.length !== 3) return null;
  return first === undefined || second === undefined || third === undefined
    ? null
    : [first, second, third, fourth];
};

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)/;

/** A number from 0 to `whole`, or a percentage of it. Null for anything else: a value out of range is a mistake. */
const measure = (text: string, whole: number, unit = ''): number | null => {
  const number = NUMBER.exec(text)?.[0] ?? '';
  const suffix = text.slice(number.length);
  if (!number || (suffix !== '%' && (suffix !== '' || unit !== ''))) return null;
  const value = suffix ? (Number(number) * whole) / 100 : Number(number);
  return value >= 0 && value <= whole ? value : null;
};

/** Degrees from 0 to 360; null if the text is not an angle. */
const angle = (text: string): number | null => {
  const number = NUMBER.exec(text)?.[0] ?? '';
  const suffix = text.slice(number.length);
  if (!number || (suffix !== '' && suffix !== 'deg')) return null;
  return ((Number(number) % 360) + 360) % 360;
};

const fromRgb = (red: number | null, green: number | null, blue: number | null): Colour | null =>
  red === null || green === null || blue === null
    ? null
    : { red: Math.round(red), green: Math.round(green), blue: Math.round(blue) };

/** Converts a number between 0 and 1 to an sRGB channel; values outside, which no screen can show, are clipped. */
const channel = (value: number): number => Math.round(Math.min(Math.max(value, 0), 1) * 255);

const fromHsl = (hue: number | null, saturation: number | null, lightness: number | null): Colour | null => {
  if (hue === null || saturation === null || lightness === null) return null;
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const at = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    return channel(lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return { red: at(0), green: at(8), blue: at(4) };
};

/** Uses Björn Ottosson's matrices. Colours outside sRGB are clipped. */
const fromOklch = (lightness: number | null, chroma: number | null, hue: number | null): Colour | null => {
  if (lightness === null || chroma === null || hue === null) return null;
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const gamma = (linear: number) =>
    channel(linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
  return {
    red: gamma(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    green: gamma(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    blue: gamma(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
  };
};
