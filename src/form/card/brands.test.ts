import creditCardType from 'credit-card-type';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../proof/fuzz.ts';
import { brandName, codeName } from './brand-words.ts';
import { type Brand, brandRule, detectBrand, KNOWN_BRANDS } from './brands.ts';

const libraryName = (brand: Brand): string => {
  if (brand === 'amex') return 'american-express';
  return brand === 'diners' ? 'diners-club' : brand;
};

it.each([
  ['4242424242424242', 'visa'],
  ['400', 'visa'],
  ['51', 'mastercard'],
  ['2221', 'mastercard'],
  ['2720', 'mastercard'],
  ['34', 'amex'],
  ['37', 'amex'],
  ['6011', 'discover'],
  ['3566', 'jcb'],
  ['305', 'diners'],
  ['36', 'diners'],
  ['62000000', 'unionpay'],
  ['560000', 'maestro'],
  ['50670000', 'elo'],
  ['40117812', 'elo'],
  ['637095', 'hiper'],
  ['606282', 'hipercard'],
  ['2200', 'mir'],
  ['9792', 'troy'],
  ['589562', 'naranja'],
  ['506099', 'verve'],
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

it('detects the same brands as credit-card-type in short and longer prefixes and in its own table', () => {
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

describe.each(KNOWN_BRANDS)('the rule of %s', (brand) => {
  const rule = brandRule(brand);

  it("has the library's name, lengths, gaps and security code", () => {
    const { niceType, lengths, gaps, code } = creditCardType.getTypeInfo(libraryName(brand));
    expect(rule).toMatchObject({
      lengths,
      gaps,
      cvcLength: code.size,
    });
    expect([brandName(brand), codeName(brand)]).toEqual([niceType, code.name]);
  });

  it('allows numbers of 12 to 19 digits, grouped within them', () => {
    expect(rule.brand).toBe(brand);
    expect(rule.lengths.every((length) => length >= 12 && length <= 19)).toBe(true);
    expect(Math.max(...rule.gaps)).toBeLessThan(Math.min(...rule.lengths) + 1);
  });

  it('has a printed name and a named security code, of four digits only for American Express', () => {
    expect(brandName(brand)).toMatch(/^[A-Z]/);
    expect(codeName(brand)).toMatch(/^C/);
    expect(rule.cvcLength).toBe(brand === 'amex' ? 4 : 3);
  });
});
