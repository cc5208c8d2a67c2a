/** promises 2.12: invisible characters are not sent, and what is sent is visible. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { cleanCode, cleanWords } from './clean.ts';

describe('threat-model C43: the table, by Unicode category', () => {
  it.each([
    ['a control separates (Cc, Zl, Zp)', 'a\t\r\nb\u2028c', 'a b c', 'a b c'],
    ['a zero-width space', 'a\u200bb', 'ab', 'ab'],
    ['a soft hyphen', 'a\u00adb', 'ab', 'ab'],
    ['a word joiner', 'a\u2060b', 'ab', 'ab'],
    ['a byte order mark', '\ufeffab', 'ab', 'ab'],
    ['controls of direction', '\u200fa\u202eb\u2066c\u2069\u061c', 'abc', 'abc'],
    ['half a surrogate pair', 'a\ud800b\udfff', 'ab', 'ab'],
    ['a filler', '\u3164a\u115f\uffa0', 'a', 'a'],
    ['joiners between Latin letters', 'a\u200cb\u200d', 'ab', 'ab'],
    ['a joiner of Persian', 'علی\u200cرضا', 'علیرضا', 'علی\u200cرضا'],
    ['a joiner after the mark of another letter', 'نَ\u200cه', 'نَه', 'نَ\u200cه'],
    ['a joiner of Sinhala', 'ශ්\u200dරී', 'ශ්රී', 'ශ්\u200dරී'],
    ['a joiner at the end of a word in Malayalam', 'അവന്\u200d', 'അവന്', 'അവന്\u200d'],
    ['an emoji of several', '👩🏽\u200d💻', '👩🏽💻', '👩🏽\u200d💻'],
    ['two joiners', 'ش\u200c\u200cه', 'شه', 'ش\u200cه'],
    ['the shape of a Han character', '葛\u{e0100}城', '葛城', '葛\u{e0100}城'],
    ['the shape of an emoji', '❤\ufe0f', '❤', '❤\ufe0f'],
    ['another width', '１２　ａｄａ', '12 ada', '１２　ａｄａ'],
    ['a ligature', 'ﬁn', 'fin', 'ﬁn'],
    ['letters and their accents', 'Zu\u0308rich', 'Zürich', 'Zürich'],
    ['an accent behind what is not seen', 'e\u200b\u0301', 'é', 'é'],
    ['nothing that is seen', ' \u200b\u3164\ufe0f\u200d\u0301 ', '', ''],
  ])('%s', (_, input, code, words) => {
    expect(cleanCode(input)).toBe(code);
    expect(cleanWords(input)).toBe(words);
  });
});

/** Random characters, with more of those in the table than chance would give. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'aé1@. ن\u0301\u200b\u200c\u200d\u200e\u202e\u2060\u3164\ufe0f\ud800\u0000\u2028👩🏽´ﬁ\uffa0',
      ),
      fc.string({ unit: 'binary', maxLength: 2 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

describe.each([
  ['of digits and Latin letters', cleanCode],
  ['of words', cleanWords],
])('any text %s', (_, clean) => {
  it('is whole, in one line, and is the same when it is cleaned again', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        const text = clean(input);
        expect(text).not.toMatch(/[\p{Cs}\p{Cc}\p{Zl}\p{Zp}]|^\s|\s$/u);
        expect(text).toBe(text.normalize('NFC'));
        expect(clean(text)).toBe(text);
      }),
      { numRuns: runs(20_000) },
    );
  });

  it('is cleaned quickly, however long or odd', () => {
    const began = performance.now();
    for (const part of [
      'a',
      ' ',
      '\u200b',
      '\u200d',
      '\u0301',
      'ن\u200c',
      '\u0301\u200d',
      ' \u200b',
      '\ufe0f',
    ])
      clean(part.repeat(200_000));
    expect(performance.now() - began).toBeLessThan(4000);
  });
});

it('of format characters and fillers only joiners and shapes stay, and only in words', () => {
  fc.assert(
    fc.property(anyText, (input) => {
      expect(cleanCode(input)).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
      expect(cleanWords(input)).not.toMatch(/(?![\p{M}\p{Join_Control}])\p{Default_Ignorable_Code_Point}/u);
    }),
    { numRuns: runs(20_000) },
  );
});
