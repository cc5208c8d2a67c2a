import { type Brand, beginsIn, PREFIXES } from './brands.ts';

/** A prefix that is at most this many digits longer than what was typed counts as likely. */
const LIKELY = 3;

/**
 * The candidates without rare brands, of whose numbers only a few begin so (Elo has prefixes of six digits among Visa's).
 * All candidates if all are rare.
 */
export const likelyBrands = (digits: string, candidates: readonly Brand[]): readonly Brand[] => {
  const likely = candidates.filter((brand) =>
    PREFIXES.get(brand)?.some(
      (prefixes) => prefixes.low.length <= digits.length + LIKELY && beginsIn(digits, prefixes),
    ),
  );
  return likely.length > 0 ? likely : candidates;
};
