import { describe, expect, it } from 'vitest';
import { COUNTRIES } from '../../form/address/country-codes.ts';
import { CHANGEABLE_OPTIONS } from '../../form/channel/options.ts';
import { changeBetween } from './changes.ts';
import { EVERYTHING } from './choices.fixture.ts';
import { type Choices, DEFAULTS, optionsOf } from './choices.ts';

const from = (before: Partial<Choices>, after: Partial<Choices>) =>
  changeBetween({ ...DEFAULTS, ...before }, { ...DEFAULTS, ...after });

describe('the form on the screen follows a change', () => {
  it('not at all, if the change is about the page or the code', () => {
    expect(from({}, { width: 320, page: 'dark', target: 'vue' })).toEqual({ kind: 'none' });
    expect(from({}, { labels: 'above' })).toEqual({ kind: 'none' });
  });

  it.each<[string, Partial<Choices>, object]>([
    ['locale', { locale: 'de' }, { locale: 'de' }],
    ['appearance', { labels: 'floating' }, { appearance: { labels: 'floating' } }],
    ['translations', { translations: { pay: 'Go {amount}' } }, { translations: { pay: 'Go {amount}' } }],
    ['buttonType', { buttonType: 'donate' }, { buttonType: 'donate' }],
    ['readOnly', { readOnly: true }, { readOnly: true }],
    ['allowedCountries', { allowedCountries: ['DE'] }, { allowedCountries: ['DE'] }],
    ['acceptedBrands', { acceptedBrands: ['visa'] }, { acceptedBrands: ['visa'] }],
  ])('by update(), which keeps typed values: %s', (_, after, changes) => {
    expect(from({}, after)).toEqual({ kind: 'update', changes });
  });

  it('by update(), which keeps typed values: fields', () => {
    const buyer = { email: 'a@b.example' };
    expect(from({ buyer }, { buyer, never: ['email'] })).toEqual({
      kind: 'update',
      changes: { fields: { billingDetails: { email: 'never' } } },
    });
  });

  it.each<[string, Partial<Choices>, object]>([
    ['locale', { locale: 'de' }, { locale: 'auto' }],
    ['appearance', { preset: 'paper' }, { appearance: {} }],
    ['translations', { translations: { pay: 'Go {amount}' } }, { translations: {} }],
    ['buttonType', { buttonType: 'donate' }, { buttonType: 'pay' }],
    ['readOnly', { readOnly: true }, { readOnly: false }],
    ['allowedCountries', { allowedCountries: ['DE'] }, { allowedCountries: COUNTRIES }],
  ])('by update() with the default, if an option is taken back: %s', (_, before, changes) => {
    expect(from(before, {})).toEqual({ kind: 'update', changes });
  });

  it.each<[string, Partial<Choices>, Partial<Choices>]>([
    ['payButton', {}, { payButton: 'host' }],
    ['defaultValues', {}, { buyer: { email: 'a@b.example' } }],
    ['acceptedBrands, back to those without a name', { acceptedBrands: ['visa'] }, {}],
    ['one of several', {}, { locale: 'de', payButton: 'host' }],
  ])('by a new form, if update() would show a different one: %s', (_, before, after) => {
    expect(from(before, after)).toEqual({ kind: 'remount' });
  });

  it('every option of the playground is in the table', () => {
    expect(Object.keys(CHANGEABLE_OPTIONS).sort()).toEqual(Object.keys(optionsOf(EVERYTHING)).sort());
  });
});
