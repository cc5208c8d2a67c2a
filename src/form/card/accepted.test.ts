import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptedAmong, brandNotTaken, marksFor } from './accepted.ts';
import { brandName } from './brand-words.ts';
import { detectBrand, KNOWN_BRANDS } from './brands.ts';

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

describe('a merchant that accepts Visa and Mastercard', () => {
  it.each([
    ['', null],
    ['3', null], // American Express, Diners Club or JCB: all refused, but undecided
    ['4', null],
    ['5', null],
    ['37', 'American Express'],
    ['378282246310005', 'American Express'],
    ['6011111111111117', 'Discover'],
    ['4242424242424242', null],
    ['5555555555554444', null],
    ['9999999999999995', null],
  ])('refuses %j as the brand: %s', (digits, name) => {
    expect(brandNotTaken(detectBrand(digits), ['visa', 'mastercard'])).toBe(name);
  });
});

it('never refuses a number of several possible brands, of an unknown one, or of an accepted one', () => {
  const accepted = fc.subarray([...KNOWN_BRANDS], { minLength: 1 });
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,19}$/), accepted, (digits, list) => {
      const [brand, ...others] = detectBrand(digits);
      const isRefused = brand !== undefined && others.length === 0 && !list.includes(brand);
      expect(brandNotTaken(detectBrand(digits), list)).toBe(isRefused ? brandName(brand) : null);
      expect(brandNotTaken(detectBrand(digits), null)).toBeNull();
    }),
  );
});

describe('the brand marks beside the number', () => {
  const any = null;
  it.each([
    ['', any, ['visa', 'mastercard', 'amex', 'discover']],
    ['', ['jcb', 'visa'], ['jcb', 'visa']],
    ['', ['mastercard', 'visa', 'amex', 'jcb', 'elo'], ['mastercard', 'visa', 'amex', 'jcb']],
    ['4', any, ['visa']],
    ['5', any, ['mastercard', 'maestro']],
    ['2', any, ['mastercard', 'jcb', 'mir']],
    ['3', any, ['amex', 'diners', 'jcb']],
    ['3', ['visa', 'jcb'], ['jcb']],
    ['3', ['visa'], ['amex', 'diners', 'jcb']], // none is accepted: the buyer sees which brands were recognised
    ['50', any, ['verve', 'maestro', 'elo']],
    ['6500', any, ['discover', 'troy', 'maestro']], // out of four possible ones
    ['4242', any, ['visa']],
    ['3782', ['visa'], ['amex']],
    ['9999', any, []],
    ['9999', ['visa'], []],
  ] as const)('of %j, where %j are taken, are %j', (digits, accepted, marks) => {
    expect(marksFor(digits, detectBrand(digits), accepted)).toEqual(marks);
  });

  it('are only the mark of the brand once it is certain, accepted or not', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{1,19}$/),
        fc.subarray([...KNOWN_BRANDS], { minLength: 1 }),
        (digits, list) => {
          const candidates = detectBrand(digits);
          const marks = marksFor(digits, candidates, list);
          expect(marks.length).toBeLessThanOrEqual(3);
          expect(candidates).toEqual(expect.arrayContaining([...marks]));
          if (candidates.length === 1) expect(marks).toEqual(candidates);
          if (candidates.length > 0) expect(marks).not.toEqual([]);
        },
      ),
    );
  });
});
