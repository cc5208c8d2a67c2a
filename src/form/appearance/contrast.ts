/**
 * Contrast between colours (WCAG 2.2, 1.4.3 and 1.4.11), and the nearest colour with enough of it. Computed from the
 * same integers that are written into the style, so that rounding can't lower it afterwards.
 */
import { BLACK, type Colour, type Translucent, WHITE } from './colour.ts';

/** Minimum contrast of text with its background. */
export const TEXT_CONTRAST = 4.5;

/** Minimum contrast of a shape, such as an outline, with its surroundings. */
export const SHAPE_CONTRAST = 3;

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ({ red, green, blue }: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** From 1 (equal colours) to 21 (black on white). */
export const contrast = (one: Colour, other: Colour): number => {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};

/** The lowest contrast with any of these backgrounds. */
export const lowestContrast = (colour: Colour, backgrounds: readonly Colour[]): number =>
  Math.min(...backgrounds.map((background) => contrast(colour, background)));

/** Mixes two colours. `share` of the second, from 0 to 1. */
export const mix = (from: Colour, to: Colour, share: number): Colour => {
  const blend = (a: number, b: number) => Math.round(a + (b - a) * share);
  return {
    red: blend(from.red, to.red),
    green: blend(from.green, to.green),
    blue: blend(from.blue, to.blue),
  };
};

/** The opaque result of painting a colour on this background. */
export const blendOnto = (colour: Translucent, background: Colour): Colour =>
  mix(background, colour, colour.alpha);

/** Black or white, whichever has more contrast with all of these; at least 4.58 for a single background. */
export const blackOrWhite = (...backgrounds: readonly Colour[]): Colour =>
  lowestContrast(WHITE, backgrounds) >= lowestContrast(BLACK, backgrounds) ? WHITE : BLACK;

/**
 * The colour if it has enough contrast with each background, otherwise the first one towards black or white that does.
 */
export const readable = (colour: Colour, backgrounds: readonly Colour[], least: number): Colour => {
  const target = blackOrWhite(...backgrounds);
  for (let step = 0; step < 100; step += 1) {
    const candidate = mix(colour, target, step / 100);
    if (lowestContrast(candidate, backgrounds) >= least) return candidate;
  }
  return target;
};

/** The background tinted with at most `share` of a colour, such that text on it stays readable. */
export const tint = (background: Colour, colour: Colour, share: number): Colour => {
  const text = blackOrWhite(background);
  for (let amount = share; amount > 0.005; amount /= 2) {
    const candidate = mix(background, colour, amount);
    if (contrast(text, candidate) >= TEXT_CONTRAST) return candidate;
  }
  return background;
};
