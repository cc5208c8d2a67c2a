import { expect, it } from 'vitest';
import { BILLING_OPTIONS } from '../../channel/fields.ts';
import { createForm } from './card-form.ts';
import { foldFinished } from './fold.ts';
import type { UnaskedAtStart } from './unasked.ts';

const ADDRESS = {
  country: 'US',
  line1: '12 Orchard Lane',
  city: 'Portland',
  state: 'OR',
  postal_code: '97205',
};

const filled = (changes: object = {}, unasked: UnaskedAtStart = {}) => {
  const form = createForm({ preferred: [], unasked, thisMonth: () => ({ year: 2026, month: 11 }) });
  form.fillIn({ name: 'Ada Lovelace', email: 'ada@example.com', address: ADDRESS, ...changes });
  return form;
};

it.each<[string, object, UnaskedAtStart, readonly string[]]>([
  ['what is finished', {}, {}, ['name', 'email', 'address']],
  ['nothing empty', { name: '' }, {}, ['email', 'address']],
  ['nothing that cannot be sent', { email: 'ada' }, {}, ['name', 'address']],
  ['nothing that looks unusual', { address: { ...ADDRESS, postal_code: '9720' } }, {}, ['name', 'email']],
  ['nothing that is text already', {}, { known: ['address'] }, ['name', 'email']],
  ['nothing that is never shown', {}, { never: ['email'] }, ['name', 'address']],
])('folds %s', (_, changes, unasked, folded) => {
  const form = filled(changes, unasked);
  foldFinished(form, BILLING_OPTIONS);
  expect(form.unasked.folded.value).toEqual(folded);
});

it('folds only these, and none twice', () => {
  const form = filled();
  foldFinished(form, ['name']);
  foldFinished(form, ['name', 'email']);
  expect(form.unasked.folded.value).toEqual(['name', 'email']);
  expect(form.unasked.fields.value).toEqual(['name', 'email']);
});

it('a folded part opens on request, and disappears when the page hides it', () => {
  const form = filled();
  foldFinished(form, BILLING_OPTIONS);
  form.unasked.ask(['address']);
  expect(form.unasked.folded.value).toEqual(['name', 'email']);
  form.unasked.replace({ never: ['email'], known: [] });
  expect(form.unasked.folded.value).toEqual(['name']);
});

it('a folded field that the service refuses keeps its problem', () => {
  const form = filled();
  foldFinished(form, BILLING_OPTIONS);
  form.fields.postal_code.refuse();
  expect(form.isSound('address')).toBe(false);
});
