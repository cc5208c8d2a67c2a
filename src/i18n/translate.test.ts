import { describe, expect, it } from 'vitest';
import { type Catalog, en } from './en.ts';
import { LANGUAGES, loadCatalog, translate } from './translate.ts';

const places = (sentence: string) => [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe.each(LANGUAGES)('the catalog of %s', (language) => {
  it('has every sentence of the English one, none empty', async () => {
    const catalog = await loadCatalog(language);
    expect(Object.keys(catalog).sort()).toEqual(Object.keys(en).sort());
    expect(Object.entries(catalog).filter(([, sentence]) => sentence.trim() === '')).toEqual([]);
  });

  it('has the same places for values as the English one', async () => {
    const english: Catalog = en;
    const expected = Object.entries(english).map(([key, sentence]) => [key, places(sentence)]);
    const catalog = await loadCatalog(language);
    expect(Object.fromEntries(Object.entries(catalog).map(([key, text]) => [key, places(text)]))).toEqual(
      Object.fromEntries(expected),
    );
  });

  it('stays calm: no exclamation marks, no doubled or outer spaces, no straight quotes', async () => {
    const catalog = await loadCatalog(language);
    expect(Object.entries(catalog).filter(([, text]) => /[!！"]| {2}|^\s|\s$/.test(text))).toEqual([]);
  });

  it('never speaks of lost or stolen cards or of fraud', async () => {
    const catalog = await loadCatalog(language);
    const refusals = Object.entries(catalog).filter(([key]) => /^(decline|notice)\./.test(key));
    expect(refusals.filter(([, text]) => /lost|stolen|fraud|verloren|gestohlen|betrug/i.test(text))).toEqual(
      [],
    );
  });
});

describe('translate', () => {
  it.each([
    ['pay', { amount: '$12.34' }, 'Pay $12.34'],
    ['summary.quantity', { quantity: 2, price: '$1.00' }, '2 × $1.00'],
    [
      'notice.total_changed',
      { previous: '$1', current: '$2' },
      'The total changed from $1 to $2. Review it and press Pay again.',
    ],
    ['total', {}, 'Total'],
  ] as const)('fills the places of "%s"', (key, values, sentence) => {
    expect(translate(en, key, values)).toBe(sentence);
  });

  it('takes a value as it is, whatever stands in it', () => {
    expect(translate(en, 'pay', { amount: '$& {amount} $1' })).toBe('Pay $& {amount} $1');
  });

  it('leaves a place without a value visible, and knows no values by inheritance', () => {
    expect(translate(en, 'pay')).toBe('Pay {amount}');
    expect(translate({ ...en, total: '{constructor}' }, 'total', {})).toBe('{constructor}');
  });
});

/** Names that other tools and tests rely on; changing one breaks them. */
it.each([
  ['field.number', 'Card number'],
  ['field.expiry', 'Expiry date'],
  ['field.cvc', 'Security code'],
  ['field.name', 'Name on card'],
  ['field.email', 'Email'],
  ['field.country', 'Country or region'],
  ['field.line1', 'Address'],
  ['field.line2', 'Address line 2'],
  ['field.city.city', 'City'],
  ['field.state.state', 'State'],
  ['field.postal_code.postal', 'Postal code'],
  ['field.postal_code.zip', 'ZIP code'],
] as const)('calls %s "%s" in English', (key, name) => {
  expect(en[key]).toBe(name);
});
