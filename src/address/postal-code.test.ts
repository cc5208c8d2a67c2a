import { expect, it } from 'vitest';
import { compileFormat } from './compile.ts';
import { GENERAL_FORMAT } from './format.ts';
import { checkPostalCode } from './postal-code.ts';

it.each([
  ['US', '95014', '95014'],
  ['US', ' 95014 ', '95014'],
  ['US', '950141234', '95014-1234'],
  ['US', '95014 1234', '95014-1234'],
  ['US', '95014–1234', '95014-1234'],
  ['US', '９５０１４', '95014'],
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
  ['LU', 'LX4750', null],
  ['LT', 'LT-04340', '04340'],
  ['LT', 'LT 04340', '04340'],
  ['EG', '٤٤٦٠٠١٤', null],
  ['EG', '١٢٤١١', '12411'],
  ['US', '9501', null],
  ['US', '9501A', null],
  ['DE', '1234', null],
  ['GB', 'ABC', null],
  ['CA', 'D3Z 2Y7', null],
])('reads in %s the postal code %j as %j', (country, input, value) => {
  const verdict = checkPostalCode(input, compileFormat(country));
  expect(verdict).toEqual(
    value === null ? { state: 'invalid', problem: 'pattern' } : { state: 'valid', value },
  );
});

it('passes a code on as typed where its parts could be told in two ways', () => {
  const postal = { pattern: '[A-Z]{1,2} ?[A-Z]{1,2}', example: 'A BC', separator: ' ' };
  expect(checkPostalCode('abc', { ...GENERAL_FORMAT, postal })).toEqual({ state: 'valid', value: 'ABC' });
});

it('is empty when nothing was typed', () => {
  expect(checkPostalCode('  ', compileFormat('US'))).toEqual({ state: 'empty' });
});

it('takes any text where nothing is known, as long as the service takes it', () => {
  expect(checkPostalCode('whatever 12', GENERAL_FORMAT)).toEqual({ state: 'valid', value: 'WHATEVER 12' });
  expect(checkPostalCode('1'.repeat(20), GENERAL_FORMAT).state).toBe('valid');
  expect(checkPostalCode('1'.repeat(21), GENERAL_FORMAT).state).toBe('invalid');
});
