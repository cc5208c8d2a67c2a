import { type Brand, beginsIn, PREFIXES } from './brands.ts';

/** A prefix counts as likely if it is at most this many digits longer than the typed text. */
const LIKELY = 3;

/**
 * The candidates without rare brands, only a few of whose numbers begin like this (Elo has prefixes of six digits among
 * Visa's). All candidates if all are rare.
 */
export const likelyBrands = (digits: string, candidates: readonly Brand[]): readonly Brand[] => {
  const likely = candidates.filter((brand) =>
    PREFIXES.get(brand)?.some(
      (prefixes) => prefixes.low.length <= digits.length + LIKELY && beginsIn(digits, prefixes),
    ),
  );
  return likely.length > 0 ? likely : candidates;
};
