/** promises 2.12: a card number in a text field is detected before it is sent. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { brandRule, KNOWN_BRANDS, PREFIXES } from './brands.ts';
import { passesLuhn } from './luhn.ts';
import { hasCardNumber } from './number-in.ts';
import { formatPan, usualLength } from './pan.ts';
import { TEST_CARDS } from './test-cards.ts';

it.each([
  '4242424242424242',
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '4242.4242.4242.4242',
  '4242–4242–4242–4242',
  '4242  4242  4242  4242',
  'Ada Lovelace 4242 4242 4242 4242',
  '4242424242424242 12/29 123',
  '4242424242424242@example.com',
  '12 Orchard Lane, 4242424242424242',
  '3782 822463 10005',
  '378282246310005',
  '3056 930902 5904',
  '6759 6498 2643 8453',

  '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢',
])('there is one in %j', (text) => {
  expect(hasCardNumber(text)).toBe(true);
});

it.each([
  ['4242 4242 4242 4241', 'its check digit is wrong'],
  ['4242 4242 4242 424', 'it is too short'],
  ['42424242424242424242424242', 'it is too long'],
  ['9999 9999 9999 9995', 'no brand begins so'],
  ['+6759 6498 2643 8453', 'after a plus it is a phone number'],
  ['+49 170 1234567, +1 (202) 555-0143', 'phone numbers'],
  ['573001234563', 'a phone number in Colombia with a check digit by chance'],
  ['12 Orchard Lane 97205-1234', 'an address'],
  ['4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2', 'house numbers'],
  ['Ada Lovelace', 'a name'],
  ['', 'nothing'],
])('there is none in %j: %s', (text) => {
  expect(hasCardNumber(text)).toBe(false);
});

/** Numbers of every known brand, with a check digit. */
const cardNumber = fc
  .record({
    brand: fc.constantFrom(...KNOWN_BRANDS),
    digits: fc.stringMatching(/^\d{19}$/),
    at: fc.nat(),
  })
  .map(({ brand, digits, at }) => {
    const prefixes = PREFIXES.get(brand) ?? [];
    const length = brandRule(brand).lengths.filter((one) => one >= usualLength(brand))[0] ?? 16;
    const body = ((prefixes[at % prefixes.length]?.low ?? '') + digits).slice(0, length - 1);
    return [...'0123456789'].map((check) => body + check).find(passesLuhn) ?? '';
  });

describe('any text', () => {
  it('has one if a number of a known brand is in it, written as people write one', () => {
    fc.assert(
      fc.property(
        cardNumber,
        fc.constantFrom(' ', '-', '.', '\u00a0', ' - '),
        fc.string({ maxLength: 10 }),
        (number, separator, around) => {
          const words = around.replace(/[\d+\p{Pd}.\s]/gu, '');
          for (const written of [number, formatPan(number).replaceAll(' ', separator)])
            expect(hasCardNumber(`${words} ${written} ${words}`)).toBe(true);
        },
      ),
      { numRuns: runs(10_000) },
    );
  });

  it('of a phone number and an address has none', () => {
    const phone = fc.stringMatching(/^\+\d{1,3}( ?\d{2,4}){2,4}$/);
    const address = fc.stringMatching(/^[A-Z][a-z]{3,9} \d{1,5}[a-f]?(, \d{4,6} [A-Z][a-z]{3,9})?$/);
    fc.assert(
      fc.property(phone, address, (number, line) => {
        expect(hasCardNumber(number)).toBe(false);
        expect(hasCardNumber(`${line}, ${number}`)).toBe(false);
      }),
      { numRuns: runs(10_000) },
    );
  });

  it('is searched quickly, however long', () => {
    const began = performance.now();
    for (const part of ['4', '4 ', '4242 ', '4242424242424242', '-', '+4 ', '4242-', '٤'])
      hasCardNumber(part.repeat(100_000));
    expect(performance.now() - began).toBeLessThan(4000);
  });
});

it('each test card is noticed', () => {
  const numbers = TEST_CARDS.flatMap(({ cards }) => cards.map(({ number }) => number));
  expect(numbers.filter((number) => !hasCardNumber(number))).toEqual([]);
});
