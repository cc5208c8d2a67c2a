import { caretAfter, digitsOf, type Edit, type Edited, editDigits, group, toAsciiDigits } from './caret.ts';

const SEPARATOR = ' / ';

/**
 * The result of an edit of an expiry date. At the end of the text the buyer's own separators count ("1/" is January, a
 * pasted "2029-12" is December), and a complete month gets its separator.
 */
export function editExpiry(edit: Edit): Edited {
  const { previous, raw, caret } = edit;
  const writesAtEnd = caret === raw.length && !previous.startsWith(raw);
  if (!writesAtEnd) return editDigits(edit, grouped, maxLength);
  const typed = canonical(raw);
  const digits = typed.slice(0, maxLength(typed));
  const value = digits.length === 2 ? digits + SEPARATOR : grouped(digits);
  return { digits, value, caret: caretAfter(value, digits.length, true) };
}

/** Whether no more digits can follow, so that the focus may move on: "12 / 20" can still become "12 / 2029". */
export function isFullExpiry(digits: string): boolean {
  return digits.length === maxLength(digits);
}

/** The digits of month and year in this order; the month has two digits if the input shows where it ends. */
export function canonical(input: string): string {
  const parts = toAsciiDigits(input).match(/\d+/g) ?? [];
  const [first = '', second = ''] = parts;
  if (parts.length > 1 && /^20\d\d$/.test(first)) return second.padStart(2, '0') + first;
  const monthEnds = first.length === 1 && (parts.length > 1 || /[-/.／–]/.test(input));
  const startsMonth = parts.length === 1 && /^[2-9]/.test(first);
  return (monthEnds || startsMonth ? '0' : '') + digitsOf(input);
}

function grouped(digits: string): string {
  return group(digits, [2], SEPARATOR);
}

/** Room for a year of four digits once it begins with "20". */
function maxLength(digits: string): number {
  return digits.slice(2, 4) === '20' ? 6 : 4;
}
