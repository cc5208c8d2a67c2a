/** Reads computed values: colours in any notation, shadows, gradients. */

/** Channels from 0 to 255, alpha from 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

export const CLEAR: Rgba = [0, 0, 0, 0];

/** One shadow, in px. */
export type BoxShadow = {
  x: number;
  y: number;
  blur: number;
  spread: number;
  colour: Rgba;
  isInset: boolean;
};

const numbersIn = (text: string): readonly number[] =>
  (text.match(/-?[\d.]+(e-?\d+)?%?/g) ?? []).map(
    (one) => Number.parseFloat(one) / (one.endsWith('%') ? 100 : 1),
  );

/** Lets the browser convert a colour outside sRGB to sRGB numbers. */
export type ToSrgb = (colour: string) => string;

/** Parses a computed colour. Transparent if it is not a colour. */
export const readColour = (text: string, toSrgb: ToSrgb): Rgba => {
  const plain = /^rgba?\(/.test(text);
  const written = plain ? text : toSrgb(text);
  const [red, green, blue, alpha = 1] = numbersIn(
    written.replace(/^[a-z]+\((srgb )?/, '').replace(/none/g, '0'),
  );
  if (red === undefined || green === undefined || blue === undefined) return CLEAR;
  const scale = /^rgba?\(/.test(written) ? 1 : 255;
  const channel = (value: number) => Math.min(255, Math.max(0, value * scale));
  return [channel(red), channel(green), channel(blue), Math.min(1, Math.max(0, alpha))];
};

/** `#rrggbbaa`. */
export const writeRgba = ([red, green, blue, alpha]: Rgba): string =>
  `#${[red, green, blue, alpha * 255].map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`;

/** The result of painting `upper` over `lower`. */
export const over = (upper: Rgba, lower: Rgba): Rgba => {
  const alpha = upper[3] + lower[3] * (1 - upper[3]);
  const blend = (index: 0 | 1 | 2) =>
    alpha === 0 ? 0 : (upper[index] * upper[3] + lower[index] * lower[3] * (1 - upper[3])) / alpha;
  return [blend(0), blend(1), blend(2), alpha];
};

export const faded = ([red, green, blue, alpha]: Rgba, opacity: number): Rgba => [
  red,
  green,
  blue,
  alpha * opacity,
];

/** Splits at separators outside parentheses. */
export const splitList = (text: string, separator: ',' | ' '): readonly string[] => {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === separator && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${letter}`);
  }
  return parts.map((part) => part.trim()).filter(Boolean);
};

/** The visible shadows of a computed `box-shadow`. */
export const readShadows = (text: string, toSrgb: ToSrgb): readonly BoxShadow[] =>
  splitList(text, ',').flatMap((part) => {
    const words = splitList(part, ' ');
    const [x = 0, y = 0, blur = 0, spread = 0] = words
      .filter((word) => /^-?[\d.]/.test(word))
      .map(Number.parseFloat);
    const isInset = words.includes('inset');
    const colour = readColour(words.find((word) => /^[a-z]+\(/.test(word)) ?? '', toSrgb);
    const isSeen = colour[3] > 0 && (blur > 0 || spread > 0 || x !== 0 || y !== 0);
    return isSeen ? [{ x, y, blur, spread, colour, isInset }] : [];
  });

/** The colour in the middle of a `background-image`'s gradients; clear if it has none. */
export const readGradients = (text: string, toSrgb: ToSrgb): Rgba => {
  let colour = CLEAR;
  for (const layer of [...splitList(text, ',')].reverse()) {
    const at = layer.indexOf('gradient(');
    const inner = at < 0 ? undefined : layer.slice(at + 'gradient('.length, -1);
    if (inner === undefined) continue;
    const stops = splitList(inner, ',').filter((stop) => /^[a-z]+\(/.test(stop));
    const placed = stops.map((stop, index) => {
      const [colour = '', place = ''] = splitList(stop, ' ');
      return {
        at: place.endsWith('%') ? Number.parseFloat(place) : (index * 100) / Math.max(1, stops.length - 1),
        colour: readColour(colour, toSrgb),
      };
    });
    const before = placed.findLast(({ at }) => at <= 50) ?? placed[0];
    const after = placed.find(({ at }) => at >= 50) ?? placed.at(-1);
    if (!before || !after) continue;
    const share = after.at > before.at ? (50 - before.at) / (after.at - before.at) : 0;
    colour = over(mixed(before.colour, after.colour, share), colour);
  }
  return colour;
};

/** Mixes colours like gradients: with premultiplied alpha. */
const mixed = (from: Rgba, to: Rgba, share: number): Rgba => {
  const alpha = from[3] + (to[3] - from[3]) * share;
  const blend = (index: 0 | 1 | 2) =>
    alpha === 0 ? 0 : (from[index] * from[3] * (1 - share) + to[index] * to[3] * share) / alpha;
  return [blend(0), blend(1), blend(2), alpha];
};
