/**
 * Text of a merchant as it may stand next to an amount: without control characters, without those that turn the
 * direction of what follows, which could make 10.00 read as 00.01 (research 1.6), and without marks piled on a
 * letter until they paint over what stands beside it. No language puts more than four on one.
 */
export const printable = (text: string): string =>
  text
    .replace(/[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\u2028\u2029]+/gu, ' ')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim();
