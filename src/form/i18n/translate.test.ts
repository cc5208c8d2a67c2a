import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { isLanguage, LANGUAGES } from './languages.ts';
import { translate } from './translate.ts';

it('promises 2.6: the languages of the form', () => {
  expect([...LANGUAGES].sort()).toEqual(
    'ar bg cs da de el en es et fi fr he hr hu id it ja ko lt lv nb nl pl pt ro sk sl sv th tr uk vi zh zh-Hant'.split(
      ' ',
    ),
  );
});

it.each(['', 'EN', 'xx', 'constructor', '__proto__', 'toString'])('%j is no language of the form', (tag) => {
  expect(isLanguage(tag)).toBe(false);
});

describe('translate', () => {
  it.each([
    ['pay', { amount: '$12.34' }, 'Pay $12.34'],
    ['summary.quantity', { quantity: 2, price: '$1.00' }, '2 × $1.00'],
    [
      'notice.total_changed',
      { previous: '$1', current: '$2' },
      'The total changed from $1 to $2. Review it and press the button again.',
    ],
    ['total', {}, 'Total'],
  ] as const)('fills the places of "%s"', (key, values, sentence) => {
    expect(translate(en, key, values)).toBe(sentence);
  });

  it('inserts a value unchanged, whatever it contains', () => {
    expect(translate(en, 'pay', { amount: '$& {amount} $1' })).toBe('Pay $& {amount} $1');
  });

  it('leaves a placeholder without a value visible, and ignores inherited values', () => {
    expect(translate(en, 'pay')).toBe('Pay {amount}');
    expect(translate({ ...en, total: '{constructor}' }, 'total', {})).toBe('{constructor}');
  });
});

/** Texts that other tests search for; changing one breaks them. */
it.each([
  ['field.number', 'Card number'],
  ['field.expiry', 'Expiry date'],
  ['field.cvc', 'Security code'],
  ['field.name', 'Name on card'],
  ['field.email', 'Email'],
  ['field.country', 'Country or region'],
  ['field.line1', 'Address'],
  ['field.line2', 'Address line 2'],
  ['field.city.city', 'City'],
  ['field.state.state', 'State'],
  ['field.postal_code.postal', 'Postal code'],
  ['field.postal_code.zip', 'ZIP code'],
] as const)('calls %s "%s" in English', (key, name) => {
  expect(en[key]).toBe(name);
});
