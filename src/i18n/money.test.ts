import { expect, it } from 'vitest';
import { formatMoney } from './money.ts';

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
