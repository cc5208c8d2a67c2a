import { caretAfter, digitsOf, type Edit, type Edited, editDigits, group, toAsciiDigits } from './caret.ts';

const SEPARATOR = ' / ';

/**
 * What an edit makes of an expiry date. At the end the buyer's own separators mean something ("1/" is
 * January, a pasted "2029-12" is December), and a month that is complete is followed by its separator.
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

/** Whether a buyer who typed these digits is done, if they are valid: "12 / 20" may yet become "12 / 2029". */
export function isFullExpiry(digits: string): boolean {
  return digits.length === maxLength(digits);
}

/** The digits in the order month, year, the month in two digits wherever the input says where it ends. */
export function canonical(input: string): string {
  const parts = toAsciiDigits(input).match(/\d+/g) ?? [];
  const [first = '', second = ''] = parts;
  if (parts.length === 2 && /^20\d\d$/.test(first)) return second.padStart(2, '0') + first;
  const monthEnds = first.length === 1 && (parts.length > 1 || /[-/.／–]/.test(input));
  const startsMonth = parts.length === 1 && /^[2-9]/.test(first);
  return (monthEnds || startsMonth ? '0' : '') + digitsOf(input);
}

function grouped(digits: string): string {
  return group(digits, [2], SEPARATOR);
}

/** Room for a year of four digits as soon as it begins like one. */
function maxLength(digits: string): number {
  return digits.slice(2, 4) === '20' ? 6 : 4;
}
