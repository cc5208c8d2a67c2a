import { expect, it } from 'vitest';
import { guessCountry } from './countries.ts';
import { COUNTRIES } from './country-codes.ts';
import { hintCountry } from './hint.ts';

const LANGUAGES =
  'ar bg cs da de el en es et fi fr he hr hu id it ja ko lt lv nb nl pl pt ro sk sl sv th tr uk vi zh zh-Hant'.split(
    ' ',
  );

it.each(LANGUAGES)('agrees with guessCountry for the language %s', (language) => {
  expect(hintCountry([language])).toBe(guessCountry([language]));
});

it('agrees with guessCountry for every language and country', () => {
  const tags = LANGUAGES.flatMap((language) => COUNTRIES.map((country) => `${language}-${country}`));
  expect(tags.filter((tag) => hintCountry([tag, 'en-US']) !== guessCountry([tag, 'en-US']))).toEqual([]);
});

it.each([
  [['zh-Hant-TW'], 'TW'],
  [['de', 'en-GB'], 'GB'],
  [['DE-at'], 'AT'],
  [['en-001', 'es-419'], 'US'],
  [['ca-ES-valencia'], 'ES'],
  [['', 'x', '-', 'en-USA', 'constructor', '__proto__'], 'US'],
  [[], 'US'],
])('guesses from %j: %s', (locales, country) => {
  expect(hintCountry(locales)).toBe(country);
});
