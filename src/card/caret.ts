/**
 * Edits digits that are shown in groups.
 *
 * Any edit of the grouped text (typing, deleting, pasting, anywhere and over any selection) has the same effect as on
 * the bare digits, and the caret ends up at the same digit. The separators never matter.
 */

/** What an `input` event shows: the text before and after it, and the position of the caret. */
export type Edit = {
  previous: string;
  raw: string;
  caret: number;
  /** Whether the Delete key was used (`inputType` `deleteContentForward`). */
  forward?: boolean;
};

/** What the field shows next, and its bare digits. */
export type Edited = { digits: string; value: string; caret: number };

/** Puts separators between digits and changes nothing else. */
export type Grouping = (digits: string) => string;

const ZEROS = ['\u0660', '\u06f0', '\u0966', '\u09e6', '\u0e50', '\uff10'];
const OTHER_DIGITS = new RegExp(`[${ZEROS.map((zero) => `${zero}-${nth(zero, 9)}`).join('')}]`, 'g');

/** The same text with Arabic, Persian, Devanagari, Bengali, Thai and full-width digits as 0 to 9. */
export function toAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = ZEROS.find(
      (candidate) => code >= candidate.charCodeAt(0) && code < candidate.charCodeAt(0) + 10,
    );
    return zero ? String(code - zero.charCodeAt(0)) : digit;
  });
}

/** The digits of a text, as 0 to 9. */
export function digitsOf(text: string): string {
  return toAsciiDigits(text).replace(/\D/g, '');
}

/** The digits with a separator after each of the given counts, none at the end. */
export function group(digits: string, gaps: readonly number[], separator: string): string {
  const starts = [0, ...gaps.filter((gap) => gap < digits.length)];
  return starts.map((start, index) => digits.slice(start, starts[index + 1])).join(separator);
}

/** The result of an edit. Inserted digits beyond `maxLength` are dropped. */
export function editDigits(edit: Edit, grouping: Grouping, maxLength: (digits: string) => number): Edited {
  const { previous, raw, forward } = edit;
  // Normally the text after the caret is unchanged, and the text before it up to where the edit began. If not (autofill,
  // or a drop that leaves the caret in place), the edit ends where the common end of both texts begins.
  const isTold = previous.endsWith(raw.slice(edit.caret));
  const caret = isTold ? edit.caret : raw.length - commonSuffix(previous, raw);
  const tail = raw.slice(caret);
  const end = previous.length - tail.length;
  const begin = commonPrefix(previous.slice(0, end), raw.slice(0, caret));
  const removed = previous.slice(begin, end);
  const inserted = digitsOf(raw.slice(begin, caret));
  let before = digitsOf(raw.slice(0, begin));
  let after = digitsOf(tail);

  // A separator cannot be deleted, so the digit next to it is.
  if (begin === caret && removed !== '' && digitsOf(removed) === '') {
    if (forward) after = after.slice(1);
    else before = before.slice(0, -1);
  }

  const room = Math.max(0, maxLength(before + inserted + after) - before.length - after.length);
  const kept = inserted.slice(0, room);
  const digits = before + kept + after;
  const value = grouping(digits);
  return {
    digits,
    value,
    caret: caretAfter(value, before.length + kept.length, kept !== ''),
  };
}

/** The position after `count` digits, and after a following separator if digits were inserted. */
export function caretAfter(value: string, count: number, pastSeparator: boolean): number {
  let position = 0;
  for (let seen = 0; seen < count && position < value.length; position++)
    if (isDigit(value[position])) seen++;
  if (pastSeparator && count > 0) while (position < value.length && !isDigit(value[position])) position++;
  return position;
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function commonSuffix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function nth(zero: string, digit: number): string {
  return String.fromCharCode(zero.charCodeAt(0) + digit);
}
