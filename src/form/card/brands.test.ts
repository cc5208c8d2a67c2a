import creditCardType from 'credit-card-type';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { brandName, codeName } from './brand-words.ts';
import { type Brand, brandRule, detectBrand, KNOWN_BRANDS } from './brands.ts';

const libraryName = (brand: Brand): string => {
  if (brand === 'amex') return 'american-express';
  return brand === 'diners' ? 'diners-club' : brand;
};

it.each([
  ['400', 'visa'],
  ['51', 'mastercard'],
  ['2720', 'mastercard'],
  ['34', 'amex'],
  ['37', 'amex'],
  ['560000', 'maestro'],
  ['40117812', 'elo'],
  ['40117812', 'elo'],
  ['2200', 'mir'],
] as const)('knows %s as %s', (digits, brand) => {
  expect(detectBrand(digits)).toEqual([brand]);
});

it.each([
  ['4', ['visa', 'elo', 'naranja', 'maestro']],
  ['3', ['amex', 'diners', 'jcb']],
  ['2', ['mastercard', 'jcb', 'mir']],
  ['5', ['mastercard', 'maestro', 'elo', 'verve', 'naranja']],
] as const)('leaves open, after %s, which of %j it is', (digits, brands) => {
  expect([...detectBrand(digits)].sort()).toEqual([...brands].sort());
});

it.each(['', '0', '7', '10', '99', '8888'])('names no brand for %j', (digits) => {
  expect(detectBrand(digits)).toEqual([]);
});

it('detects the same brands as credit-card-type for short and longer prefixes and for its own table', () => {
  const longer = fc.sample(fc.stringMatching(/^([2-6]\d{5,10}|[2-6]0\d{4,6}|65\d{4,8}|50\d{4,8})$/), {
    numRuns: runs(5000),
    seed: 8,
  });
  const shorter = [1, 2, 3, 4, 5].flatMap((length) =>
    Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, '0')),
  );
  const prefixes = KNOWN_BRANDS.flatMap((brand) =>
    creditCardType.getTypeInfo(libraryName(brand)).patterns.flat(),
  );
  const named = new Map<string, Brand>(KNOWN_BRANDS.map((brand) => [libraryName(brand), brand]));
  const differing = [
    ...shorter.filter((_, index) => index % 20 === 0),
    ...longer,
    ...prefixes.map(String),
  ].filter(
    (digits) =>
      detectBrand(digits).join() !==
      creditCardType(digits)
        .map(({ type }) => named.get(type))
        .join(),
  );
  expect(differing).toEqual([]);
}, 30_000);

it('every brand of credit-card-type has a rule', () => {
  expect(KNOWN_BRANDS).toHaveLength(Object.keys(creditCardType.types).length);
});

it.each(KNOWN_BRANDS)("the rule of %s has the library's name, lengths, gaps and security code", (brand) => {
  const { niceType, lengths, gaps, code } = creditCardType.getTypeInfo(libraryName(brand));
  expect(brandRule(brand)).toMatchObject({ brand, lengths, gaps, cvcLength: code.size });
  expect([brandName(brand), codeName(brand)]).toEqual([niceType, code.name]);
});
