import * as LIMITS from '../../api/limits.ts';
import type { Check } from '../check.ts';
import { cleanCode } from './clean.ts';
import type { AddressFormat } from './format.ts';

/**
 * Checks whether the service would accept this postal code. The service has no patterns, and neither has this check:
 * codes change faster than data, and a buyer with a new one must be able to pay.
 */
export const checkPostalCode = (input: string, format: AddressFormat): Check<string, 'too_long'> => {
  const { code } = readPostalCode(input, format);
  if (code === '') return { state: 'empty' };
  return code.length > LIMITS.postalCode
    ? { state: 'invalid', problem: 'too_long' }
    : { state: 'valid', value: code };
};

/**
 * The postal code as written in the country ("sw1a1aa" is "SW1A 1AA", "D-26133" is "26133", in Latvia "1010" is
 * "LV-1010"), and whether it fits the country's pattern. Without a pattern any text fits.
 */
export const readPostalCode = (input: string, { postal }: AddressFormat): { code: string; fits: boolean } => {
  const typed = clean(input);
  if (!postal) return { code: typed, fits: true };
  if (typed.length > LIMITS.postalCode) return { code: typed, fits: false };
  const whole = new RegExp(`^(?:${postal.pattern})$`);
  // A mark or the country's letters may come before a code: "〒154-0023", "D-26133", "LV 1010".
  const bare = typed.replace(/^[^\p{L}\p{N}]+/u, '');
  const readings = [bare, bare.replace(/^[A-Z]{1,3}[ -]?(?=\d)/, ''), lettersBefore(postal.pattern) + bare];
  const code = readings.map((reading) => written(reading, whole, postal.separator)).find(Boolean);
  return code === undefined ? { code: typed, fits: false } : { code, fits: true };
};

/** Returns true if a digit keyboard is enough. Patterns are in capitals; other letters are escapes such as `\d`. */
export const hasDigitsOnly = ({ postal }: AddressFormat): boolean =>
  postal !== null && !/[A-Z]/.test(postal.pattern);

/**
 * The letters that all codes of this pattern begin with. Empty if the pattern has alternatives, which may lack them.
 */
const lettersBefore = (pattern: string): string => /^[A-Z]+(?![A-Z?*{])(?=[^|]*$)/.exec(pattern)?.[0] ?? '';

/** The code as written in the country, or undefined if it doesn't fit the pattern. */
const written = (reading: string, whole: RegExp, separator: string | undefined): string | undefined => {
  const compact = reading.replace(/[\s-]/g, '');
  const split = separator === undefined ? [] : splits(compact, separator).filter((code) => whole.test(code));
  const [only, ...others] = split;
  if (only !== undefined && others.length === 0) return only;
  return [reading, compact].find((code) => whole.test(code));
};

/** The code with a separator at each possible position. */
const splits = (compact: string, separator: string): readonly string[] => {
  return Array.from(compact, (_, index) => compact.slice(0, index) + separator + compact.slice(index)).slice(
    1,
  );
};

/** In capitals, with ASCII digits and dashes and single spaces. */
const clean = (input: string): string => {
  return cleanCode(input)
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\p{Pd}\u2212\u30fc]/gu, '-') // Japanese keyboards type a minus or a long vowel mark for a dash
    .replace(/\s+/g, ' ')
    .toUpperCase()
    .normalize('NFC'); // some letters decompose as capitals
};

/** The value of a digit of any script: in Unicode its ten digits are consecutive from zero on. */
const digitOf = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 10 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
};
