import { caretAfter, digitsOf, type Edit, type Edited, editDigits, group, toAsciiDigits } from './caret.ts';

const SEPARATOR = ' / ';

/**
 * The result of an edit of an expiry date. At the end of the text, the buyer's own separators count ("1/" is January),
 * and a complete month gets its separator.
 */
export const editExpiry = (edit: Edit, read: ReadDate = readTypedDate): Edited => {
  const { previous, raw, caret } = edit;
  const writesAtEnd = caret === raw.length && !previous.startsWith(raw);
  if (!writesAtEnd) return editDigits(edit, grouped, maxLength);
  // The field itself writes the month first; in a pasted text of the same form the year may come first.
  const typed = read(raw.slice(0, -1) === previous ? raw : raw.replace(SEPARATOR, '/'));
  if (typed === null) {
    const isPasted = raw.length > previous.length + 1 || read(previous) === null;
    return isPasted ? { digits: digitsOf(raw), value: raw, caret } : editDigits(edit, grouped, maxLength);
  }
  const digits = typed.slice(0, maxLength(typed));
  const value = digits.length === 2 ? digits + SEPARATOR : grouped(digits);
  return { digits, value, caret: caretAfter(value, digits.length, true) };
};

/** Returns true if no more digits can follow, so the focus may move on: "12 / 20" can still become "12 / 2029". */
export const isFullExpiry = (digits: string): boolean => digits.length === maxLength(digits);

/** Reads month and year as digits in this order; null for a text that is left unchanged. */
export type ReadDate = (text: string) => string | null;

/**
 * Reads a date as typed. Other pasted dates are left unchanged until the script that reads them has loaded
 * (`written-date.ts`), since the first response has no space for it.
 */
const readTypedDate: ReadDate = (text) =>
  /^([0-2]?\d?|3[01]) ?\d{0,4}$/.test(
    toAsciiDigits(text)
      .replace(/[^\d\p{L}]+/gu, ' ')
      .trim(),
  )
    ? dateDigits(text)
    : null;

/** The digits of a date that begins with its month. The month has two digits if the input shows where it ends. */
export const dateDigits = (input: string): string => {
  const text = toAsciiDigits(input);
  const monthEnds = /^\D*(\d(\D+\d|\D*[-/.／–])|[2-9]\d*\D*$)/.test(text);
  return (monthEnds ? '0' : '') + digitsOf(text);
};

const grouped = (digits: string): string => group(digits, [2], SEPARATOR);

/** Allows a year of four digits once it begins with "20". */
const maxLength = (digits: string): number => (digits.slice(2, 4) === '20' ? 6 : 4);
