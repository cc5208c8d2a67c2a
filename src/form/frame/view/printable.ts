/**
 * Cleans a merchant's text that is shown next to an amount. Removes control characters; direction overrides, which
 * could make 10.00 read as 00.01 (threat-model 1.6); and combining marks beyond the fourth on a letter, which could
 * paint over the amount. No language uses more than four.
 */
export const printable = (text: string): string =>
  text
    .replace(/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]+/gu, ' ')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim();
