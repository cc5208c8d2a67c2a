import { expect, it } from 'vitest';
import { direction, negotiate } from './locale.ts';

it.each([
  ['auto', ['de-AT', 'en'], 'de', 'de-AT'],
  [undefined, ['de-AT', 'en'], 'de', 'de-AT'],
  ['de', ['en-US'], 'de', 'de'],
  ['de-CH', ['en-US'], 'de', 'de-CH'],
  ['DE_at', [], 'de', 'de-AT'],
  ['en-GB', ['de'], 'en', 'en-GB'],
  ['xx', ['de-DE', 'en'], 'de', 'de-DE'],
  ['auto', ['tlh', 'xx-YY', 'de'], 'de', 'de'],
  ['auto', ['tlh'], 'en', 'en'],
  ['auto', [], 'en', 'en'],
  ['de-DE-u-nu-arab', [], 'de', 'de-DE'],
] as const)(
  'asked for %s by a buyer who prefers %j, speaks %s and writes numbers as %s',
  (requested, preferred, language, locale) => {
    expect(negotiate(requested, preferred)).toEqual({ language, locale });
  },
);

it.each([
  '',
  ' ',
  '-',
  'd',
  'de--DE',
  'de-',
  '1',
  'en-US-',
  '__proto__',
  'constructor',
  'a'.repeat(5000),
  '\u0000',
  '💳',
])('falls back to English for the tag %j', (tag) => {
  expect(negotiate(tag, [tag])).toEqual({ language: 'en', locale: 'en' });
});

it.each([
  ['en', 'ltr'],
  ['de-AT', 'ltr'],
  ['ar', 'rtl'],
  ['he-IL', 'rtl'],
  ['art', 'ltr'],
] as const)('writes %s from %s', (language, expected) => {
  expect(direction(language)).toBe(expected);
});
