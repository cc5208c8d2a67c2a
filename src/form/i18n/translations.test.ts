import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogOf } from './catalogs.ts';
import { en } from './en.ts';
import { LANGUAGES } from './languages.ts';
import { parseTranslations } from './translations.ts';

describe('the translations of a merchant', () => {
  it.each([
    ['field.name', 'Cardholder'],
    ['pay', 'Donate {amount}'],
    ['pay', '{amount}'],
    ['notice.total_changed', 'It was {previous} and is {current} now.'],
    ['notice.total_changed', 'It is {current} now; it was {previous}.'],
    ['notice.load_failed', 'Not loaded. Call us: 0800 123 456.'],
    ['expiry.incomplete', 'Like 07 / 31.'],
    ['total', 'Gesamt\u00adbetrag'],
    ['field.city.city', 'می\u200cشهر'],
    ['decline.generic', '💳 Nope: $& <b>{not a place}</b>'],
    ['details', 'x'.repeat(300)],
  ])('accept for %s: %j', (key, text) => {
    expect(parseTranslations({ [key]: text })).toEqual({ translations: { [key]: text }, refused: [] });
  });

  it.each([
    ['an unknown key', 'pay.now', 'Buy', /no text with this key/],
    ['an inherited key', 'toString', 'Buy', /no text with this key/],
    ['a constructor', 'constructor', 'Buy', /no text with this key/],
    ['a number', 'total', 1, /a text, got number/],
    ['null', 'total', null, /a text, got null/],
    ['an object', 'total', { toString: () => 'Total' }, /a text, got object/],
    ['301 characters', 'total', 'x'.repeat(301), /at most 300 characters, got 301/],
    ['nothing', 'total', '', /letters/],
    ['blanks', 'total', ' \u00a0 ', /letters/],
    ['dots', 'total', '…', /letters/],
    ['an invisible letter', 'total', '\u3164', /invisible/],
    ['a zero-width space', 'total', 'To\u200btal', /invisible/],
    ['a line break', 'total', 'To\ntal', /control/],
    ['a line separator', 'total', 'To\u2028tal', /control/],
    ['a null', 'total', 'To\u0000tal', /control/],
    ['a direction override', 'pay', '\u202e{amount} yaP', /control/],
    ['an open isolate', 'pay', '\u2067Pay {amount}', /control/],
    ['a lone surrogate', 'total', 'Total \ud83d', /control/],
    ['stacked marks', 'total', `T${'\u0301'.repeat(5)}otal`, /four marks/],
    ['no placeholder', 'pay', 'Pay now', /placeholders.*\{amount\}/],
    ['another placeholder', 'pay', 'Pay {total}', /placeholders.*\{amount\}/],
    ['an additional placeholder', 'pay', 'Pay {amount} {brand}', /placeholders.*\{amount\}/],
    ['a placeholder twice', 'pay', 'Pay {amount} {amount}', /placeholders.*\{amount\}/],
    ['a placeholder in a text that has none', 'total', 'Total {amount}', /placeholders.*none/],
    ['one placeholder of two', 'notice.total_changed', 'Now {current}', /\{current\}, \{previous\}/],
    ['another price', 'pay', 'Pay 1.00 instead of {amount}', /digits/],
    ['a price in other digits', 'pay', 'Pay ١ {amount}', /digits/],
    ['a currency sign', 'pay', 'Pay € {amount}', /digits/],
    ['a price as the total', 'total', 'Total 0.00', /digits/],
    ['a price in a line', 'summary.tax', 'Tax 5', /digits/],
    ['a price paid', 'success.detail', '{amount} of 100 paid', /digits/],
  ])('refuse a text with %s', (_, key, text, why) => {
    const { translations, refused } = parseTranslations({ [key]: text, details: 'More' });
    expect(translations).toEqual({ details: 'More' });
    expect(refused).toEqual([{ key, why: expect.stringMatching(why) }]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'pay'],
    ['a list', [['pay', 'Pay {amount}']]],
    ['a function', () => ({})],
    [
      'more keys than there are texts',
      Object.fromEntries(Array.from({ length: 1001 }, (_, key) => [`${key}`, 'x'])),
    ],
    [
      'an object that throws when it is read',
      {
        get pay() {
          throw new Error('no');
        },
      },
    ],
  ])('are refused as a whole: %s', (_, input) => {
    const { translations, refused } = parseTranslations(input);
    expect(translations).toEqual({});
    expect(refused).toEqual([{ key: 'translations', why: expect.stringContaining('Expected an object') }]);
  });

  it('are read by own keys only, without changing a prototype', () => {
    const inherited: unknown = Object.create({ total: 'Sum' });
    expect(parseTranslations(inherited).translations).toEqual({});
    const { translations } = parseTranslations(
      JSON.parse('{"__proto__": {"total": "Sum"}, "details": "More"}'),
    );
    expect(translations).toEqual({ details: 'More' });
    expect(Object.getPrototypeOf(translations)).toBe(Object.prototype);
  });

  it('report the first refused keys, shortened', () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, number) => [`${'k'.repeat(100)}${number}`, 'x']),
    );
    const { refused } = parseTranslations(many);
    expect(refused).toHaveLength(20);
    expect(refused.every(({ key }) => key === 'k'.repeat(60))).toBe(true);
  });

  it('never throw, and accept only known keys with their own placeholders', () => {
    const keys = fc.oneof(fc.constantFrom(...Object.keys(en)), fc.string());
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 320 }),
      fc.constantFrom('{amount}', 'Pay {amount}'),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(keys, texts), fc.anything()), (input) => {
        for (const [key, text] of Object.entries(parseTranslations(input).translations)) {
          expect(Object.keys(en)).toContain(key);
          expect(text.length).toBeLessThanOrEqual(300);
          expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
    );
  });
});

it.each(LANGUAGES)(
  'every text of the form in %s is accepted, without its direction marks',
  async (language) => {
    const catalog = Object.entries(await catalogOf(language));
    const bare = Object.fromEntries(catalog.map(([key, text]) => [key, text.replace(/[\u2066\u2069]/g, '')]));
    const { translations, refused } = parseTranslations(bare);
    // A placeholder without letters and the sign between quantity and price are not words.
    expect(refused.map(({ key }) => key)).toEqual(['placeholder.number']);
    expect(Object.keys(translations)).toHaveLength(catalog.length - 1);
  },
);
