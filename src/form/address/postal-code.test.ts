import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFormat } from '../../build/tables/address.ts';
import { COUNTRIES } from './country-codes.ts';
import { GENERAL_FORMAT } from './format.ts';
import { checkPostalCode, hasDigitsOnly, readPostalCode } from './postal-code.ts';

it.each([
  ['US', '95014', '95014'],
  ['US', ' 95014 ', '95014'],
  ['US', '950141234', '95014-1234'],
  ['US', '95014 1234', '95014-1234'],
  ['US', '95014–1234', '95014-1234'],
  ['US', '９５０１４', '95014'],
  ['US', '95\u200b014\u200f', '95014'],
  ['GB', 'SW1A\u00ad1AA\u3164', 'SW1A 1AA'],
  ['GB', 'SW1A1AA', 'SW1A 1AA'],
  ['GB', 'sw1a 1aa', 'SW1A 1AA'],
  ['GB', 'SW1 A1AA', 'SW1A 1AA'],
  ['GB', 'm11ae', 'M1 1AE'],
  ['GB', 'gir0aa', 'GIR 0AA'],
  ['CA', 'h3z2y7', 'H3Z 2Y7'],
  ['CA', 'H3Z-2Y7', 'H3Z 2Y7'],
  ['NL', '1234ab', '1234 AB'],
  ['IE', 'a65f4e2', 'A65 F4E2'],
  ['JP', '1540023', '154-0023'],
  ['BR', '40301110', '40301-110'],
  ['PL', '00950', '00-950'],
  ['SE', '11455', '11455'],
  ['SE', '114 55', '114 55'],
  ['DE', '2 6133', '26133'],
  ['DE', '26133', '26133'],
  ['LU', 'L-4750', '4750'],
  ['LU', 'l4750', '4750'],
  ['LU', 'LX4750', '4750'],
  ['LU', 'LUXE4750', null],
  ['LT', 'LT-04340', '04340'],
  ['LT', 'LT 04340', '04340'],
  ['DE', 'D-26133', '26133'],
  ['DE', 'D 26133', '26133'],
  ['DE', 'd26133', '26133'],
  ['DE', '２６１３３', '26133'],
  ['CH', 'CH-8001', '8001'],
  ['JP', '〒154-0023', '154-0023'],
  ['JP', '１５４ー００２３', '154-0023'],
  ['JP', '154−0023', '154-0023'],
  ['GB', 'sw1y4jh', 'SW1Y 4JH'],
  ['IN', '११००३४', '110034'],
  ['TH', '๑๐๑๕๐', '10150'],
  ['EG', '٤٤٦٠٠١٤', null],
  ['EG', '١٢٤١١', '12411'],
  ['LV', '1010', 'LV-1010'],
  ['LV', 'lv1010', 'LV-1010'],
  ['AD', '100', 'AD100'],
  ['BB', '23026', 'BB23026'],
  ['KY', '11100', 'KY1-1100'],
  ['KY', '1-1100', 'KY1-1100'],
  ['VC', '0100', 'VC0100'],
  ['GG', '1 1aa', 'GY1 1AA'],
  ['JE', '2-2bt', 'JE2 2BT'],
  ['FK', '1zz', 'FIQQ 1ZZ'],
  ['SV', '1101', 'CP 1101'],
  ['OM', '133', '133'],
  ['PE', '23', null],
  ['GB', '0aa', null],
  ['LV', '101', null],
  ['LV', '-', null],
  ['FK', 'Q 1zz', null],
  ['US', '9501', null],
  ['US', '9501A', null],
  ['DE', '1234', null],
  ['GB', 'ABC', null],
  ['CA', 'D3Z 2Y7', null],
])('reads in %s the postal code %j as %j', (country, input, value) => {
  const { code, fits } = readPostalCode(input, compileFormat(country));
  expect(fits ? code : null).toBe(value);
});

it.each([
  ['DE', 'D-2613', 'D-2613'],
  ['US', ' 9501a', '9501A'],
  ['IE', 'D 02', 'D 02'],
])('in %s %j does not fit the pattern, which may be old, and is sent as %j', (country, input, value) => {
  const format = compileFormat(country);
  expect(readPostalCode(input, format)).toEqual({ code: value, fits: false });
  expect(checkPostalCode(input, format)).toEqual({ state: 'valid', value });
});

it('keeps a code as typed if it can be split in two ways', () => {
  const postal = { pattern: '[A-Z]{1,2} ?[A-Z]{1,2}', example: 'A BC', separator: ' ' };
  expect(readPostalCode('abc', { ...GENERAL_FORMAT, postal })).toEqual({ code: 'ABC', fits: true });
});

it('promises 2.12: invisible characters are removed even without a pattern', () => {
  expect(checkPostalCode('a\u200b1\u200f', GENERAL_FORMAT)).toEqual({ state: 'valid', value: 'A1' });
});

it('an empty text is empty', () => {
  expect(checkPostalCode('\u3164\u200b', compileFormat('US'))).toEqual({ state: 'empty' });
  expect(checkPostalCode('  ', compileFormat('US'))).toEqual({ state: 'empty' });
});

it('accepts any text without a pattern, up to the length that the service accepts', () => {
  expect(checkPostalCode('whatever 12', GENERAL_FORMAT)).toEqual({ state: 'valid', value: 'WHATEVER 12' });
  expect(checkPostalCode('1'.repeat(20), GENERAL_FORMAT).state).toBe('valid');
  for (const format of [GENERAL_FORMAT, compileFormat('DE')])
    expect(checkPostalCode('1'.repeat(21), format)).toEqual({ state: 'invalid', problem: 'too_long' });
});

it('accepts a code that it has returned, and reads any text quickly', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...COUNTRIES),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      (country, input) => {
        const format = compileFormat(country);
        const once = readPostalCode(input, format);
        expect(readPostalCode(once.code, format)).toEqual(once);
      },
    ),
    { examples: [['DE', '\u0390']] }, // two characters that become three in capitals
  );
  const began = performance.now();
  for (const part of ['1', 'A', '-', ' ', '〒', '\u200b', '٤'])
    readPostalCode(part.repeat(100_000), compileFormat('GB'));
  expect(performance.now() - began).toBeLessThan(2000);
});

describe('promises 2.3: letters that the pattern of a country demands before a code', () => {
  /** Countries whose codes all begin with the same letters. */
  const demanding = COUNTRIES.flatMap((country) => {
    const format = compileFormat(country);
    const [, letters] = /^([A-Z]+)(?![A-Z?*|{])[^|]*$/.exec(format.postal?.pattern ?? '') ?? [];
    return letters ? [{ country, format, letters }] : [];
  });

  it('there are such countries', () =>
    expect(demanding.map(({ country }) => country)).toEqual(
      expect.arrayContaining(['AD', 'BB', 'LV', 'VG']),
    ));

  it('are added to a code without them, as they are read with another case or separator', () => {
    const wrong = demanding.flatMap(({ country, format, letters }) => {
      const example = format.postal?.example ?? '';
      const rest = example.slice(letters.length).replace(/^[ -]/, '');
      return [rest, rest.toLowerCase(), ` ${rest.replace(/[ -]/g, '')} `]
        .map((typed) => [country, typed, readPostalCode(typed, format)] as const)
        .filter(([, , { code, fits }]) => !fits || code !== example);
    });
    expect(wrong).toEqual([]);
  });

  it('are never made of nothing', () => {
    for (const { format } of demanding)
      for (const typed of ['', ' ', '-', '〒']) expect(readPostalCode(typed, format).fits).toBe(false);
  });
});

it.each(['US', 'DE', 'FR', 'IT', 'JP', 'BR', 'PL', 'SE', 'CR', 'IN', 'CN'])(
  'a postal code of %s can be typed with digits only',
  (country) => {
    expect(hasDigitsOnly(compileFormat(country))).toBe(true);
  },
);

it.each(['GB', 'CA', 'NL', 'IE', 'AR', 'LV', 'MT', 'BB'])('a postal code of %s needs letters', (country) => {
  expect(hasDigitsOnly(compileFormat(country))).toBe(false);
});

it('a country with unknown codes gets the full keyboard', () => {
  expect(hasDigitsOnly(GENERAL_FORMAT)).toBe(false);
});

it('where only digits can be typed, the example without its separators is read as the example', () => {
  const wrong = COUNTRIES.map((country) => ({ country, format: compileFormat(country) }))
    .filter(({ format }) => hasDigitsOnly(format))
    .filter(({ format }) => {
      const digits = (format.postal?.example ?? '').replace(/\D/g, '');
      return !readPostalCode(digits, format).fits;
    });
  expect(wrong.map(({ country, format }) => [country, format.postal])).toEqual([]);
});
