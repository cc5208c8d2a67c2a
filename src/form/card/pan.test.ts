import { expect, it } from 'vitest';
import { detectBrand } from './brands.ts';
import { checkPan } from './check-pan.ts';
import { formatPan, isFullPan, maxPanLength } from './pan.ts';
import { TEST_CARDS } from './test-cards.ts';

it.each(TEST_CARDS.flatMap(({ cards }) => cards.map(({ number }) => number)))(
  'contract 6.7: the sandbox number %s is incomplete until its last digit, and then valid',
  (digits) => {
    // A UnionPay number may be shorter and has no check digit, so it can be valid earlier.
    const shortest = detectBrand(digits)[0] === 'unionpay' ? 14 : digits.length;
    for (let length = 1; length < shortest; length++) {
      expect(checkPan(digits.slice(0, length)), `${length} digits`).toEqual({ state: 'incomplete' });
    }
    expect(checkPan(digits)).toEqual({ state: 'valid', value: digits });
  },
);

it('an empty text is empty', () => {
  expect(checkPan('')).toEqual({ state: 'empty' });
});

it.each([
  ['4242424242424241', 'luhn', 'one wrong digit in a Visa number of usual length'],
  ['4242424242424242426', 'luhn', 'a wrong Visa number of the greatest length'],
  ['378282246310006', 'luhn', 'one wrong digit of American Express'],
  ['55555555555544440', 'length', 'one digit more than Mastercard has'],
  ['3782822463100050', 'length', 'one digit more than American Express has'],
  ['42424242424242424242', 'length', 'more digits than any card has'],
  ['1234567890123456', 'unknown_brand', 'neither a known brand nor a check digit'],
  ['x4242', 'unknown_brand', 'a few digits after something else'],
  ['424242424242424x', 'unknown_brand', 'something else than digits'],
] as const)('is never valid: %s (%s: %s)', (digits, problem, _) => {
  expect(checkPan(digits)).toEqual({ state: 'invalid', problem });
});

it.each([
  ['9', 'a first digit no brand has, when the rest is to come'],
  ['91', 'two digits of no brand that pass the check'],
  ['12345678901', 'eleven digits of no brand'],
  ['123456789012345', 'digits of no brand that may yet become a number'],
  ['42424242424242424', 'seventeen digits, as Visa has eighteen'],
  ['500000000000', 'a short Maestro number whose check digit may be to come'],
])('can still become valid: %s (%s)', (digits) => {
  expect(checkPan(digits)).toEqual({ state: 'incomplete' });
});

it.each([
  ['9999999999999995', 'sixteen digits of no brand'],
  ['100000000008', 'twelve digits of no brand'],
  ['1000000000000000009', 'nineteen digits of no brand'],
  ['6200000000000004', 'a UnionPay number without a check digit'],
  ['500000000009', 'a Maestro number of twelve digits'],
])('leaves the decision to the service: %s (%s)', (digits) => {
  expect(checkPan(digits)).toEqual({ state: 'valid', value: digits });
});

it.each([
  ['', ''],
  ['42424', '4242 4'],
  ['4242424242424242426', '4242 4242 4242 4242426'],
  ['37828', '3782 8'],
  ['37828224631', '3782 822463 1'],
  ['30569309025904', '3056 930902 5904'],
])('shows %j as %j', (digits, value) => {
  expect(formatPan(digits)).toBe(value);
});

it.each([
  ['', 19],
  ['4', 19],
  ['3', 19],
  ['37', 15],
  ['51', 16],
  ['9', 16],
  ['99', 19],
])('lets %j grow to %i digits', (digits, length) => {
  expect(maxPanLength(digits)).toBe(length);
});

it.each([
  ['4242424242424242', true],
  ['424242424242424', false],
  ['42424242424242424', false],
  ['4242424242424242426', true],
  ['378282246310005', true],
  ['5555555555554444', true],
  ['6011111111111117', true],
  ['3566002020360505', true],
  ['9999999999999999999', false],
  ['6200000000000005', false], // UnionPay has numbers of up to 19 digits, and no check digit to rely on
  ['6200000000000000003', true],
  ['6304000000000000', false],
  ['9999999999999995', false],
] as const)('takes a buyer who typed %s for done: %s', (digits, isDone) => {
  expect(isFullPan(digits)).toBe(isDone);
});
