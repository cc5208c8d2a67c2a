import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedAmong, brandNotTaken } from './accepted.ts';
import { BRANDS, brandRule, detectBrand } from './brands.ts';

it.each([
  [undefined, null],
  [[], null],
  [['vsa', 'american express'], null],
  [['visa'], ['visa']],
  [
    ['Mastercard ', 'visa', 'VISA', 'none'],
    ['mastercard', 'visa'],
  ],
])('reads the list %j as %j', (listed, accepted) => {
  expect(acceptedAmong(listed)).toEqual(accepted);
});

describe('a store that takes Visa and Mastercard', () => {
  it.each([
    ['', null],
    ['3', null], // American Express, Diners Club or JCB: all refused, but which it is cannot be said yet
    ['4', null],
    ['5', null],
    ['37', 'American Express'],
    ['378282246310005', 'American Express'],
    ['6011111111111117', 'Discover'],
    ['4242424242424242', null],
    ['5555555555554444', null],
    ['9999999999999995', null],
  ])('does not take %j as of: %s', (digits, name) => {
    expect(brandNotTaken(digits, ['visa', 'mastercard'])).toBe(name);
  });
});

it('never turns away a number that may be of several brands, of none we know, or of a listed one', () => {
  const accepted = fc.subarray([...BRANDS], { minLength: 1 });
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,19}$/), accepted, (digits, list) => {
      const [brand, ...others] = detectBrand(digits);
      const isRefused = brand !== undefined && others.length === 0 && !list.includes(brand);
      expect(brandNotTaken(digits, list)).toBe(isRefused ? brandRule(brand).name : null);
      expect(brandNotTaken(digits, null)).toBeNull();
    }),
  );
});
