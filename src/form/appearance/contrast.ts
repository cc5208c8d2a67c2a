/**
 * Contrast between colours (WCAG 2.2, 1.4.3 and 1.4.11), and the nearest colour that has enough of it. Computed from the
 * same integers that are written into the style, so that rounding cannot lower it afterwards.
 */
import { BLACK, type Colour, type Translucent, WHITE } from './colour.ts';

/** The least contrast of text with its background. */
export const TEXT_CONTRAST = 4.5;

/** The least contrast of a shape, such as an outline, with what is next to it. */
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

/** Mixes two colours. `share` is how much of the second, from 0 to 1. */
export const mix = (from: Colour, to: Colour, share: number): Colour => {
  const blend = (a: number, b: number) => Math.round(a + (b - a) * share);
  return {
    red: blend(from.red, to.red),
    green: blend(from.green, to.green),
    blue: blend(from.blue, to.blue),
  };
};

/** The opaque colour that results on this background. */
export const blendOnto = (colour: Translucent, background: Colour): Colour =>
  mix(background, colour, colour.alpha);

/** Black or white, whichever has more contrast with all of these. With a single background it is at least 4.58. */
export const blackOrWhite = (...backgrounds: readonly Colour[]): Colour =>
  lowestContrast(WHITE, backgrounds) >= lowestContrast(BLACK, backgrounds) ? WHITE : BLACK;

/** The colour if it has enough contrast with each background, else the first that has on the way to black or white. */
export const readable = (colour: Colour, backgrounds: readonly Colour[], least: number): Colour => {
  const target = blackOrWhite(...backgrounds);
  for (let step = 0; step < 100; step += 1) {
    const candidate = mix(colour, target, step / 100);
    if (lowestContrast(candidate, backgrounds) >= least) return candidate;
  }
  return target;
};

/** The background tinted with up to `share` of a colour, as far as text on it stays readable. */
export const tint = (background: Colour, colour: Colour, share: number): Colour => {
  const text = blackOrWhite(background);
  for (let amount = share; amount > 0.005; amount /= 2) {
    const candidate = mix(background, colour, amount);
    if (contrast(text, candidate) >= TEXT_CONTRAST) return candidate;
  }
  return background;
};
