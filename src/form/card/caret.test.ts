/** promises 2.4: grouped digits, and the caret position after an edit. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { digitsOf, type Edit, editDigits, group, toAsciiDigits } from './caret.ts';
import { editExpiry } from './expiry.ts';
import { editPan, formatPan, maxPanLength } from './pan.ts';

/** An action in a text field. */
type Action = { type: 'insert'; text: string } | { type: 'backspace' } | { type: 'delete' };

const perform = (value: string, start: number, end: number, action: Action): Edit => {
  const replace = (from: number, to: number, text: string): Edit => ({
    previous: value,
    raw: value.slice(0, from) + text + value.slice(to),
    caret: from + text.length,
    forward: action.type === 'delete',
  });
  if (action.type === 'insert') return replace(start, end, action.text);
  if (start !== end) return replace(start, end, '');
  return action.type === 'backspace'
    ? replace(Math.max(0, start - 1), start, '')
    : replace(start, start + 1, '');
};

/** The same action on bare digits, in a field that accepts a limited number of digits. */
const performBare = (
  digits: string,
  start: number,
  end: number,
  action: Action,
  max: (digits: string) => number,
) => {
  const edit = perform(digits, start, end, action);
  if (action.type !== 'insert') return { digits: edit.raw, caret: edit.caret };
  const inserted = digitsOf(action.text);
  const [before, after] = [digits.slice(0, start), digits.slice(end)];
  const room = Math.max(0, max(before + inserted + after) - before.length - after.length);
  return { digits: before + inserted.slice(0, room) + after, caret: start + Math.min(inserted.length, room) };
};

const digitsBefore = (value: string, position: number) => digitsOf(value.slice(0, position)).length;

const inserted = fc.oneof(
  fc.stringMatching(/^\d{1,6}$/),
  fc.stringMatching(/^[\d -]{1,24}$/),
  fc.constantFrom(
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '3782 822463 10005',
    ' ',
    'abc',
    'a1',
    '٤٢',
    '４２',
    '',
  ),
);
const action: fc.Arbitrary<Action> = fc.oneof(
  inserted.map((text): Action => ({ type: 'insert', text })),
  fc.constant<Action>({ type: 'backspace' }),
  fc.constant<Action>({ type: 'delete' }),
);
const places = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const beginnings = fc.constantFrom('', '4', '37', '51', '6011', '62', '36', '9');
const pan = fc
  .tuple(beginnings, fc.stringMatching(/^\d{0,19}$/))
  .map(([start, rest]) => (start + rest).slice(0, maxPanLength(start + rest)));

describe('an edit of a grouped card number', () => {
  it('has the same result as the edit of the bare digits, for any action anywhere', () => {
    fc.assert(
      fc.property(pan, places, action, (digits, [one, other], done) => {
        const value = formatPan(digits);
        const [start, end] = [one, other]
          .map((part) => Math.round(part * value.length))
          .sort((a, b) => a - b);
        if (start === undefined || end === undefined) throw new Error('unreachable');
        const edit = perform(value, start, end, done);
        const after = editPan(edit);
        // A selection of only separators contains no digit, so among bare digits it is a caret.
        const bare = performBare(
          digits,
          digitsBefore(value, start),
          digitsBefore(value, end),
          done,
          maxPanLength,
        );
        expect({ digits: after.digits, caret: digitsBefore(after.value, after.caret) }).toEqual(bare);
        expect(after.value).toBe(formatPan(after.digits));
      }),
      { numRuns: runs(5000) },
    );
  });

  it('has the same result for any grouping and any number of edits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(places, action), { maxLength: 20 }),
        fc
          .uniqueArray(fc.integer({ min: 1, max: 18 }), { maxLength: 5 })
          .map((gaps) => gaps.sort((a, b) => a - b)),
        fc.constantFrom(' ', '-', ' / ', '–'),
        fc.integer({ min: 1, max: 19 }),
        (edits, gaps, separator, limit) => {
          let value = '';
          let digits = '';
          for (const [[one, other], done] of edits) {
            const [start = 0, end = 0] = [one, other]
              .map((part) => Math.round(part * value.length))
              .sort((a, b) => a - b);
            const bare = performBare(
              digits,
              digitsBefore(value, start),
              digitsBefore(value, end),
              done,
              () => limit,
            );
            const after = editDigits(
              perform(value, start, end, done),
              (typed) => group(typed, gaps, separator),
              () => limit,
            );
            expect({ digits: after.digits, caret: digitsBefore(after.value, after.caret) }).toEqual(bare);
            ({ value, digits } = after);
          }
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});

/** Parses "4242| 42" into a text and a caret. */
const marked = (text: string): { value: string; caret: number } => ({
  value: text.replace('|', ''),
  caret: text.indexOf('|'),
});

it.each([
  ['typing at the end', '4242', '42424|', '4242 4|'],
  ['typing in the middle', '4242 4242', '4241|2 4242', '4241 |2424 2'],
  ['backspace at the end', '4242 4', '4242 |', '4242|'],
  ['backspace over a separator', '4242 4242', '4242|4242', '424|4 242'],
  ['pasting with dashes', '', '4242-4242-4242-4242|', '4242 4242 4242 4242|'],
  ['pasting another brand over all', '4242 4242', '3782-822463-10005|', '3782 822463 10005|'],
  ['pasting with words around', '', 'Card: 4242 4242|', '4242 4242|'],
  ['typing a letter', '4242 4', '4242 4x|', '4242 4|'],
  ['typing a letter over a separator', '4242 4242', '4242x|4242', '4242| 4242'],
  ['full-width digits', '', '４２４２４|', '4242 4|'],
  ['one digit too many in the middle', '3782 822463 10005', '37829| 822463 10005', '3782| 822463 10005'],
  ['one digit too many at the end', '3782 822463 10005', '3782 822463 100059|', '3782 822463 10005|'],
  ['emptying', '4242 4242', '|', '|'],
])('%s: %j, then %j, shows %j', (_, previous, raw, shown) => {
  const { value, caret } = marked(raw);
  const after = editPan({ previous, raw: value, caret });
  expect({ value: after.value, caret: after.caret }).toEqual(marked(shown));
});

it('the Delete key before a separator removes the digit after it', () => {
  const after = editPan({ previous: '4242 5242', raw: '42425242', caret: 4, forward: true });
  expect(after).toEqual({ digits: '4242242', value: '4242 242', caret: 4 });
});

it('deleting a part of the separator of an expiry date removes a digit', () => {
  expect(editExpiry({ previous: '12 / 29', raw: '12 /29', caret: 4 })).toEqual({
    digits: '129',
    value: '12 / 9',
    caret: 1,
  });
  expect(editExpiry({ previous: '12 / 29', raw: '12 /29', caret: 4, forward: true }).digits).toBe('129');
});

it.each([
  ['filled in over another number', '51', '4242424242424242', 0, '4242424242424242', 19],
  ['dropped at the beginning, too long', '', '3782-8224-6310-0059', 0, '378282246310005', 17],
  ['dropped in the middle, the caret left at the beginning', '4242 42', '4299-42 42', 0, '42994242', 5],
  ['dropped at the end, the caret left at the beginning', '4242 42', '4242 4299', 0, '42424299', 9],
])(
  'keeps the digits if the caret does not show where the edit was: %s',
  (_, previous, raw, caret, digits, then) => {
    const after = editPan({ previous, raw, caret });
    expect(after).toEqual({ digits, value: formatPan(digits), caret: then });
  },
);

it('never holds more digits than allowed, wherever the caret is', () => {
  fc.assert(
    fc.property(pan, fc.stringMatching(/^[\d -]{0,30}$/), fc.nat(30), (digits, raw, caret) => {
      const after = editPan({ previous: formatPan(digits), raw, caret: Math.min(caret, raw.length) });
      expect(after.digits.length).toBeLessThanOrEqual(19);
      expect(after.value).toBe(formatPan(after.digits));
      expect(after.caret).toBeLessThanOrEqual(after.value.length);
    }),
  );
});

it.each([
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['０１２３４５６７８９', '0123456789'],
  ['०१२३४५६७८९', '0123456789'],
  ['০১২৩৪৫৬৭৮৯', '0123456789'],
  ['๐๑๒๓๔๕๖๗๘๙', '0123456789'],
  ['12 / 29', '12 / 29'],
  ['½²', '½²'],
])('writes %s as %s', (text, ascii) => {
  expect(toAsciiDigits(text)).toBe(ascii);
});
