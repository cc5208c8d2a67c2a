import { describe, expect, it } from 'vitest';
import { certainBrand, detectBrand } from './brands.ts';
import { checkCvc } from './check-cvc.ts';
import { checkExpiry } from './check-expiry.ts';
import { checkPan } from './check-pan.ts';
import { formatPan } from './pan.ts';
import { entriesFor, findTestCards, TEST_CARDS } from './test-cards.ts';

const ALL = TEST_CARDS.flatMap(({ cards }) => cards.map(({ number }) => number));
const found = (query: string) =>
  findTestCards(query).flatMap(({ cards }) => cards.map(({ number }) => number));

describe('contract 6.7: choosing a test card fills in values that the form accepts', () => {
  it.each(ALL)('%s: number, date and code are complete', (number) => {
    const { number: shown, expiry, cvc } = entriesFor(number, 2026);
    expect(shown, 'grouped as the form groups it').toBe(formatPan(number));
    expect(checkPan(number).state).toBe('valid');
    expect(checkExpiry(expiry, { year: 2026, month: 12 })).toMatchObject({
      value: { month: 12, year: 2031 },
    });
    expect(checkCvc(cvc, certainBrand(detectBrand(number))).state).toBe('valid');
  });

  it('the year of the date has two digits in every century', () => {
    expect(entriesFor('4242424242424242', 2098).expiry).toBe('12 / 03');
  });
});

describe('the search among the test cards', () => {
  it.each<[string, readonly string[]]>([
    ['insufficient', ['4000000000009995']],
    ['Insufficient funds', ['4000000000009995']],
    ['insufficient_funds', ['4000000000009995']],
    ['  lost   card ', ['4000000000009987']],
    ['visa', ['4242424242424242']],
    ['3782', ['378282246310005']],
    ['4000 0084 0000 1629', ['4000008400001629']],
    ['429', ['4000000000010068']],
    ['no such outcome', []],
  ])('%s', (query, numbers) => {
    expect(found(query)).toEqual(numbers);
  });

  it('an empty query finds all, in groups; a title finds its group', () => {
    expect(findTestCards('')).toEqual(TEST_CARDS);
    expect(findTestCards('slow').map(({ title }) => title)).toEqual(['Slow']);
    expect(findTestCards('insufficient').map(({ title }) => title)).toEqual(['Declined']);
  });
});
