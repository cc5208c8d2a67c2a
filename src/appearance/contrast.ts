/**
 * What can be read on what (WCAG 2.2, 1.4.3 and 1.4.11), and the nearest colour that can. Everything is computed
 * from the whole numbers that are written, so that no rounding comes after the promise.
 */
import { BLACK, type Colour, type Translucent, WHITE } from './colour.ts';

/** What text needs on its ground, and what a shape needs beside it. */
export const TEXT = 4.5;
export const SHAPE = 3;

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = ({ red, green, blue }: Colour): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** From 1 (the same) to 21 (black on white). */
export const contrast = (one: Colour, other: Colour): number => {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};

/** The lowest contrast with any of these. */
export const lowest = (colour: Colour, grounds: readonly Colour[]): number =>
  Math.min(...grounds.map((ground) => contrast(colour, ground)));

/** `share` from 0 (all of the first) to 1. */
export const mix = (from: Colour, to: Colour, share: number): Colour => {
  const blend = (a: number, b: number) => Math.round(a + (b - a) * share);
  return {
    red: blend(from.red, to.red),
    green: blend(from.green, to.green),
    blue: blend(from.blue, to.blue),
  };
};

/** As it looks on an opaque ground. */
export const over = (colour: Translucent, ground: Colour): Colour => mix(ground, colour, colour.alpha);

/** Black or white: whichever can be read better on all of these. On one ground it has at least 4.58. */
export const pole = (...grounds: readonly Colour[]): Colour =>
  lowest(WHITE, grounds) >= lowest(BLACK, grounds) ? WHITE : BLACK;

/** The colour itself where it has that contrast with each ground, else the first that does on its way to a pole. */
export const readable = (colour: Colour, grounds: readonly Colour[], least: number): Colour => {
  const target = pole(...grounds);
  for (let step = 0; step < 100; step += 1) {
    const candidate = mix(colour, target, step / 100);
    if (lowest(candidate, grounds) >= least) return candidate;
  }
  return target;
};

/** A ground with a touch of a colour: as much of it as leaves text on it readable. */
export const tint = (ground: Colour, colour: Colour, share: number): Colour => {
  const text = pole(ground);
  for (let touch = share; touch > 0.005; touch /= 2) {
    const candidate = mix(ground, colour, touch);
    if (contrast(text, candidate) >= TEXT) return candidate;
  }
  return ground;
};
