import type { Check } from '../check.ts';
import type { AddressFormat } from './format.ts';

/** The longest postal code the service takes. */
export const MAX_POSTAL_CODE = 20;

/**
 * Whether the service would take this as a postal code. It asks for no pattern, and so neither does this: what a
 * country's codes look like changes faster than any data, and a buyer with a new one must be able to pay.
 */
export function checkPostalCode(input: string, format: AddressFormat): Check<string, 'too_long'> {
  const { code } = readPostalCode(input, format);
  if (code === '') return { state: 'empty' };
  return code.length > MAX_POSTAL_CODE
    ? { state: 'invalid', problem: 'too_long' }
    : { state: 'valid', value: code };
}

/**
 * What was meant, as it is written in the country as far as its data tells ("sw1a1aa" is "SW1A 1AA", "D-26133" is
 * "26133"), and whether it looks like a code of that country. Where nothing is known of the codes any text does.
 */
export function readPostalCode(input: string, { postal }: AddressFormat): { code: string; fits: boolean } {
  const typed = clean(input);
  if (!postal) return { code: typed, fits: true };
  if (typed.length > MAX_POSTAL_CODE) return { code: typed, fits: false };
  const whole = new RegExp(`^(?:${postal.pattern})$`);
  // Marks and the country's letters are put before codes: "〒154-0023", "D-26133", "LV 1010".
  const bare = typed.replace(/^[^\p{L}\p{N}]+/u, '');
  const readings = [bare, bare.replace(/^[A-Z]{1,3}[ -]?(?=\d)/, '')];
  const code = readings.map((reading) => written(reading, whole, postal.separator)).find(Boolean);
  return code === undefined ? { code: typed, fits: false } : { code, fits: true };
}

/** The code as it is written, or undefined where it is none. */
function written(reading: string, whole: RegExp, separator: string | undefined): string | undefined {
  const compact = reading.replace(/[\s-]/g, '');
  const split = separator === undefined ? [] : splits(compact, separator).filter((code) => whole.test(code));
  const [only, ...others] = split;
  if (only !== undefined && others.length === 0) return only;
  return [reading, compact].find((code) => whole.test(code));
}

/** The code with a separator in each place where one could stand. */
function splits(compact: string, separator: string): readonly string[] {
  return Array.from(compact, (_, index) => compact.slice(0, index) + separator + compact.slice(index)).slice(
    1,
  );
}

/** In capitals, with plain digits, dashes and single spaces. */
function clean(input: string): string {
  return input
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\p{Pd}\u2212\u30fc]/gu, '-') // a minus and a long vowel are what Japanese keyboards write for a dash
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .toUpperCase()
    .normalize('NFC'); // some letters come apart as capitals
}

/** The value of a digit in any script: each has its ten in a row, from zero on. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (code - zero < 10 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
