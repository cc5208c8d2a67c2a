/**
 * Edits digits that are shown in groups.
 *
 * Any edit of the grouped text (typing, deleting, pasting, anywhere and over any selection) has the same effect as on
 * the bare digits, and the caret ends up at the same digit. Separators never matter.
 */

/** The data of an `input` event: the text before and after it, and the position of the caret. */
export type Edit = {
  previous: string;
  raw: string;
  caret: number;
  /** True if the Delete key was used (`inputType` `deleteContentForward`). */
  forward?: boolean;
};

/** The next content of the field, and its bare digits. */
export type Edited = { digits: string; value: string; caret: number };

/** Puts separators between digits and changes nothing else. */
export type Grouping = (digits: string) => string;

const DIGIT = /\p{Nd}/u;

/** Converts the decimal digits of all scripts (Arabic, Devanagari, full-width) to 0 to 9. */
export const toAsciiDigits = (text: string): string => {
  return text.replace(new RegExp(DIGIT, 'gu'), (digit) => {
    // Unicode keeps the ten digits of a script in sequence, so the value is the distance to the first.
    const code = digit.codePointAt(0) ?? 0;
    let count = 0;
    while (DIGIT.test(String.fromCodePoint(code - count - 1))) count++;
    return String(count % 10);
  });
};

/** The digits of a text, as 0 to 9. */
export const digitsOf = (text: string): string => toAsciiDigits(text).replace(/\D/g, '');

/** The digits with a separator after each of the given counts, none at the end. */
export const group = (digits: string, gaps: readonly number[], separator: string): string => {
  const starts = [0, ...gaps.filter((gap) => gap < digits.length)];
  return starts.map((start, index) => digits.slice(start, starts[index + 1])).join(separator);
};

/** The result of an edit. Inserted digits beyond `maxLength` are dropped. */
export const editDigits = (edit: Edit, grouping: Grouping, maxLength: (digits: string) => number): Edited => {
  const { previous, raw, forward } = edit;
  // Normally the text after the caret is unchanged, as is the text before the start of the edit. Otherwise (autofill,
  // or a drop that leaves the caret in place) the edit ends where the common suffix of both texts begins.
  const isTold = previous.endsWith(raw.slice(edit.caret));
  const caret = isTold ? edit.caret : raw.length - commonSuffix(previous, raw);
  const tail = raw.slice(caret);
  const end = previous.length - tail.length;
  const begin = commonPrefix(previous.slice(0, end), raw.slice(0, caret));
  const removed = previous.slice(begin, end);
  const inserted = digitsOf(raw.slice(begin, caret));
  let before = digitsOf(raw.slice(0, begin));
  let after = digitsOf(tail);

  // A separator can't be deleted, so the digit next to it is.
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
};

/** The position after `count` digits, and after a following separator if digits were inserted. */
export const caretAfter = (value: string, count: number, pastSeparator: boolean): number => {
  const before = new RegExp(`^(\\D*\\d){${count}}${pastSeparator && count > 0 ? '\\D*' : ''}`);
  return before.exec(value)?.[0].length ?? value.length;
};

const commonPrefix = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
};

const commonSuffix = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  return length;
};
