/** Statistics of a few measurements: the median, their spread, and a seeded random order. */

/** In the unit of the measurements. */
export type Summary = { median: number; least: number; most: number; count: number };

const ascending = (values: readonly number[]): readonly number[] => {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  if (sorted.length === 0) throw new Error('There is no number to summarise.');
  return sorted;
};

/** The value below which `share` (0 to 1) of all values lie, interpolated linearly (R's type 7). */
export const quantile = (values: readonly number[], share: number): number => {
  if (!(share >= 0 && share <= 1)) throw new Error(`A share is from 0 to 1; got ${share}.`);
  const sorted = ascending(values);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Ignores values that are not finite (runs without a measurement). */
export const summarise = (values: readonly number[]): Summary => {
  const sorted = ascending(values);
  return {
    median: median(sorted),
    least: sorted[0] ?? Number.NaN,
    most: sorted[sorted.length - 1] ?? Number.NaN,
    count: sorted.length,
  };
};

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A random order (Fisher-Yates), so that no contestant is always first or always after the same one. */
export const shuffled = <T>(items: readonly T[], random: () => number): T[] => {
  const drawn: T[] = [];
  const left = [...items];
  while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
};
