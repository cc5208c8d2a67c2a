import { expect, it } from 'vitest';
import { checkCvc } from './check-cvc.ts';
import { editCvc } from './cvc.ts';

it.each([
  ['', 'visa', { state: 'empty' }],
  [' ', null, { state: 'empty' }],
  ['12', 'visa', { state: 'incomplete' }],
  ['123', 'visa', { state: 'valid', value: '123' }],
  ['1234', 'visa', { state: 'invalid', problem: 'length' }],
  ['123', 'amex', { state: 'incomplete' }],
  ['1234', 'amex', { state: 'valid', value: '1234' }],
  ['12345', 'amex', { state: 'invalid', problem: 'length' }],
  ['12', null, { state: 'incomplete' }],
  ['123', null, { state: 'valid', value: '123' }],
  ['1234', null, { state: 'valid', value: '1234' }],
  ['12345', null, { state: 'invalid', problem: 'length' }],
  ['١٢٣', 'visa', { state: 'valid', value: '123' }],
  ['000', 'visa', { state: 'valid', value: '000' }],
] as const)('says of %j on a card of %s: %j', (input, brand, verdict) => {
  expect(checkCvc(input, brand)).toEqual(verdict);
});

it('accepts digits only, and no more than the brand has', () => {
  expect(editCvc({ previous: '12', raw: '12a', caret: 3 }, 'visa')).toEqual({
    digits: '12',
    value: '12',
    caret: 2,
  });
  expect(editCvc({ previous: '123', raw: '1234', caret: 4 }, 'visa').value).toBe('123');
  expect(editCvc({ previous: '123', raw: '1234', caret: 4 }, 'amex').value).toBe('1234');
});
