import { expect, it } from 'vitest';
import { allowedAmong, guessCountry, isCountry } from './countries.ts';
import { COUNTRIES } from './country-codes.ts';
import { countryNames } from './names.ts';

it('has the 249 assigned codes, each once and in order', () => {
  expect(COUNTRIES).toHaveLength(249);
  expect(new Set(COUNTRIES).size).toBe(249);
  expect([...COUNTRIES].sort()).toEqual(COUNTRIES);
});

it.each([
  ['US', true],
  ['DE', true],
  ['us', false],
  ['UK', false],
  ['XX', false],
  ['EU', false],
  ['', false],
  ['USA', false],
])('%j is a country: %s', (code, expected) => {
  expect(isCountry(code)).toBe(expected);
});

it.each(['en', 'de', 'fr', 'ja'])('names every country in %s', (locale) => {
  const names = countryNames(locale, COUNTRIES);
  expect(names.map(({ code }) => code).sort()).toEqual(COUNTRIES);
  expect(names.filter(({ code, name }) => name === code || name === '')).toEqual([]);
});

it('sorts names by the rules of the language', () => {
  const codes = countryNames('de', COUNTRIES).map(({ code }) => code);
  expect(codes.slice(0, 3)).toEqual(['AF', 'EG', 'AX']);
  expect(codes.indexOf('AT')).toBeLessThan(codes.indexOf('TL'));
  expect(countryNames('en', COUNTRIES).at(0)).toEqual({ code: 'AF', name: 'Afghanistan' });
});

it('names only the given countries', () => {
  expect(countryNames('en', ['US', 'CA'])).toEqual([
    { code: 'CA', name: 'Canada' },
    { code: 'US', name: 'United States' },
  ]);
});

it.each([
  [['de-AT'], 'AT'],
  [['de'], 'DE'],
  [['en'], 'US'],
  [['en-GB', 'en'], 'GB'],
  [['en', 'en-GB'], 'GB'],
  [['en', 'de'], 'US'],
  [['pt'], 'BR'],
  [['zh-Hant'], 'TW'],
  [['sr-Latn-RS'], 'RS'],
  [['es-419'], 'US'],
  [['de_AT', '!!', ''], 'US'],
  [[''], 'US'],
  [[], 'US'],
])('guesses from %j: %s', (locales, country) => {
  expect(guessCountry(locales)).toBe(country);
});

it.each([
  [['en-US'], ['DE', 'AT'], 'DE'],
  [['en-US', 'de-AT'], ['DE', 'AT'], 'AT'],
  [['en-GB', 'de'], ['FR', 'DE'], 'DE'],
  [['ja'], ['DE', 'US'], 'US'],
  [[], ['CH'], 'CH'],
])('guesses from %j among %j: %s', (locales, among, country) => {
  expect(guessCountry(locales, among)).toBe(country);
});

it.each([
  [
    ['de', ' at', 'DE'],
    ['DE', 'AT'],
  ],
  [['XX', 'US'], ['US']],
])('the list %j allows %j', (listed, allowed) => {
  expect(allowedAmong(listed)).toEqual(allowed);
});

it.each([[undefined], [[]], [['XX', '']]])('the list %j allows every country', (listed) => {
  expect(allowedAmong(listed)).toBe(COUNTRIES);
});
