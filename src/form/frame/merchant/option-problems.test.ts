import { describe, expect, it } from 'vitest';
import { neverAskedIn } from '../first/known-details.ts';
import { exampleForm, exampleInit as initOf } from './merchant.fixture.ts';
import { findInvalidKey, findInvalidList, findMissingDefault } from './option-problems.ts';

describe('findInvalidKey()', () => {
  const init = { publishableKey: `pk_live_${'a'.repeat(32)}`, clientSecret: 'lg_cs_1' };

  it.each([
    ['publishableKey', { ...init, publishableKey: `pk_live_${'s3cr3t'.repeat(5)}` }, '^pk_live_[\\w-]{32}$'],
    ['clientSecret', { ...init, clientSecret: `lg_pi_${'s3cr3t'.repeat(5)}` }, '^lg_cs_.'],
    [
      'clientSecret',
      { ...init, clientSecret: `lg_cs_${'s3cr3t'.repeat(50)}` },
      'at most 200 characters; got 306',
    ],
  ])('names %s in %j, and never repeats it', (option, data, message) => {
    const problem = findInvalidKey(data);
    expect(problem).toMatchObject({ option, message: expect.stringContaining(message) });
    expect(problem?.message).not.toContain('s3cr3t');
  });

  it.each([[init], [{ ...init, clientSecret: true }], [{}], [null], ['pk_live_'], [Object.create(init)]])(
    'finds nothing wrong with %j',
    (data) => {
      expect(findInvalidKey(data)).toBeNull();
    },
  );
});

describe('a list with an unknown entry, or without any, is refused', () => {
  it.each<[object, string | null]>([
    [{}, null],
    [{ allowedCountries: ['DE', 'at'] }, null],
    [{ acceptedBrands: ['visa', 'amex'] }, null],
    [{ allowedCountries: [] }, 'allowedCountries'],
    [{ allowedCountries: 'DE' }, 'allowedCountries'],
    [{ allowedCountries: ['DE', 'XX'] }, 'allowedCountries'],
    [{ allowedCountries: null }, 'allowedCountries'],
    [{ acceptedBrands: [] }, 'acceptedBrands'],
    [{ acceptedBrands: ['visa', 'visacard'] }, 'acceptedBrands'],
    [{ acceptedBrands: [7] }, 'acceptedBrands'],
  ])('%o: %s', (options, option) => {
    expect(findInvalidList(initOf(options))?.option ?? null).toBe(option);
  });

  it('the message names the expected and the given value', () => {
    expect(findInvalidList(initOf({ acceptedBrands: ['visacard'] }))?.message).toMatch(
      /visa, .*; got "visacard"\.$/,
    );
  });
});

describe("'never' needs a valid default value", () => {
  const never = { billingDetails: { email: 'never', name: 'never', address: 'never' } };
  const good = { email: 'a@b.co', name: 'Ada', address: { line1: '1 A St', country: 'US' } };

  it.each<[object, string | null]>([
    [{ fields: never, defaultValues: { billingDetails: good } }, null],
    [{ fields: { billingDetails: { email: 'auto' } } }, null],
    [{ fields: never }, 'fields.billingDetails.name'],
    [
      { fields: never, defaultValues: { billingDetails: { ...good, email: 'no mail' } } },
      'fields.billingDetails.email',
    ],
    [
      { fields: never, defaultValues: { billingDetails: { ...good, name: '' } } },
      'fields.billingDetails.name',
    ],
    [
      { fields: never, defaultValues: { billingDetails: { ...good, address: { line1: '1 A St' } } } },
      'fields.billingDetails.address',
    ],
    [
      { fields: never, defaultValues: { billingDetails: { ...good, address: { country: 'US' } } } },
      'fields.billingDetails.address',
    ],
  ])('%o: %s', (options, option) => {
    const init = initOf(options);
    const form = exampleForm();
    form.allowCountries(['US', 'DE'], 'US');
    form.fillIn(init.defaultValues?.billingDetails ?? {});
    expect(findMissingDefault(init, form)?.option ?? null).toBe(option);
  });

  it('a value that is neither never nor auto counts as auto', () => {
    expect(
      neverAskedIn(initOf({ fields: { billingDetails: { email: 'sometimes', name: 'never' } } }).fields),
    ).toEqual(['name']);
  });
});
