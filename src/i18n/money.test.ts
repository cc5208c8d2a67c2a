import { describe, expect, it } from 'vitest';
import { formatMoney, formatNumber } from './money.ts';
import { LANGUAGES } from './translate.ts';

it.each([
  [1234, 'usd', 'en-US', '$12.34'],
  [1234, 'usd', 'en', '$12.34'],
  [100, 'eur', 'en-US', '€1.00'],
  [5, 'usd', 'en-US', '$0.05'],
  [0, 'usd', 'en-US', '$0.00'],
  [-250, 'usd', 'en-US', '-$2.50'],
  [99_999_999, 'usd', 'en-US', '$999,999.99'],
  [1234, 'eur', 'de-DE', '12,34\u00a0€'],
  [123_456, 'eur', 'de-AT', '€\u00a01.234,56'],
  [1234, 'usd', 'en-CA', 'US$12.34'],
  [1234, 'jpy', 'en-US', '¥1,234'],
] as const)('writes %i minor units of %s in %s as %s', (value, currency, locale, text) => {
  expect(formatMoney({ value, currency }, locale)).toBe(text);
});

it('writes every cent between one and a hundred exactly', () => {
  for (let cents = 0; cents < 10_000; cents++) {
    const expected = `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
    expect(formatMoney({ value: cents, currency: 'usd' }, 'en-US')).toBe(expected);
  }
});

/** Of direction, unseen. */
const MARKS = /[\u061c\u200e\u200f\u2066-\u2069]/g;

describe.each([...LANGUAGES, 'ar-EG', 'pt-PT', 'zh-Hans-TW', 'fr-CH'])('in %s', (locale) => {
  it.each(['usd', 'eur'])(
    'writes %s as `Intl` does, to the cent, from the smallest amount to the largest',
    (currency) => {
      const intl = new Intl.NumberFormat(locale, { style: 'currency', currency });
      for (const value of [0, 1, 99, 100, 101, 1005, 1234, 110_000, 123_456, 99_999_999, -250]) {
        const text = formatMoney({ value, currency }, locale);
        const cents = String(Math.abs(value)).padStart(3, '0');
        const decimal = `${value < 0 ? '-' : ''}${cents.slice(0, -2)}.${cents.slice(-2)}`;
        expect(text.replace(MARKS, '')).toBe(intl.format(Number(decimal)).replace(MARKS, ''));
        const digits = [...text].map((it) => ('٠١٢٣٤٥٦٧٨٩'.includes(it) ? '٠١٢٣٤٥٦٧٨٩'.indexOf(it) : it));
        expect(Number(digits.filter((it) => /\d/.test(`${it}`)).join(''))).toBe(Math.abs(value));
        expect(text).toMatch(currency === 'usd' ? /\$|USD/ : /€|EUR/);
      }
    },
  );
});

it.each([
  [-250, 'usd', 'ar', '\u200f\u2066-2.50\u2069\u00a0\u2066US$\u2069'],
  [1234, 'eur', 'he', '\u200f\u206612.34\u2069\u00a0\u2066€\u2069'],
] as const)(
  'keeps a minus before %i and the letters of %s in order in %s',
  (value, currency, locale, text) => {
    expect(formatMoney({ value, currency }, locale)).toBe(text);
  },
);

it.each([
  [2, 'en', '2'],
  [1.5, 'en', '1.5'],
  [1.5, 'de', '1,5'],
  [0.125, 'fr', '0,125'],
  [1_000_000, 'en', '1,000,000'],
  [200, 'he', '200'],
  [200, 'ar-EG', '٢٠٠'],
] as const)('writes the number %d in %s as %s', (value, locale, text) => {
  expect(formatNumber(value, locale)).toBe(text);
});
