import fc from 'fast-check';
import { expect, it } from 'vitest';
import { passesLuhn } from './luhn.ts';

it.each([
  ['4242424242424242', true],
  ['378282246310005', true],
  ['79927398713', true],
  ['0', true],
  ['4242424242424241', false],
  ['79927398710', false],
  ['', false],
])('%s passes: %s', (digits, expected) => {
  expect(passesLuhn(digits)).toBe(expected);
});

it('accepts exactly one check digit after any digits', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{1,18}$/), (digits) => {
      expect(Array.from('0123456789').filter((last) => passesLuhn(digits + last))).toHaveLength(1);
    }),
  );
});

it('detects any single wrong digit', () => {
  fc.assert(
    fc.property(fc.nat(15), fc.integer({ min: 1, max: 9 }), (place, by) => {
      const digits = Array.from('4242424242424242');
      digits[place] = String((Number(digits[place]) + by) % 10);
      expect(passesLuhn(digits.join(''))).toBe(false);
    }),
  );
});
