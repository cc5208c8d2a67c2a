import { expect, it } from 'vitest';
import { createForm } from './card-form.ts';

const usForm = async (defaults: object = {}) => {
  const form = createForm({ preferred: ['en-US'], thisMonth: () => ({ year: 2026, month: 11 }) });
  form.fillIn({ address: { country: 'US', ...defaults } });
  await form.loadStateCodes();
  const { state, postal_code: code } = form.fields;
  return { form, state, code };
};

it('a whole code fills in the state, and another code another state', async () => {
  const { state, code } = await usForm();
  code.type('9720');
  expect(state.text.value).toBe('');
  code.type('97205');
  expect(state.text.value).toBe('OR');
  code.type('');
  expect(state.text.value).toBe('OR');
  code.type('10001-0001');
  expect(state.text.value).toBe('NY');
});

it('a code that was typed before the table arrived counts', async () => {
  const form = createForm({ preferred: ['en-US'], thisMonth: () => ({ year: 2026, month: 11 }) });
  form.fields.postal_code.type('97205');
  expect(form.fields.state.text.value).toBe('');
  await form.loadStateCodes();
  expect(form.fields.state.text.value).toBe('OR');
});

it('a state that the buyer chose stays, even one that a code had filled in', async () => {
  const { state, code } = await usForm();
  state.type('WA');
  code.type('97205');
  expect(state.text.value).toBe('WA');
  const other = await usForm();
  other.code.type('97205');
  other.state.type('OR');
  other.code.type('10001');
  expect(other.state.text.value).toBe('OR');
});

it('a state set by the page stays', async () => {
  const { state, code } = await usForm({ state: 'WA' });
  code.type('97205');
  expect(state.text.value).toBe('WA');
});

it('a code that names no state changes nothing', async () => {
  const { state, code } = await usForm();
  code.type('00000');
  expect(state.text.value).toBe('');
});

it('the table of one country fills in nothing for another', async () => {
  const { form, state, code } = await usForm();
  form.fields.country.type('JP');
  await expect.poll(() => form.format.value.labels.state).toBe('prefecture');
  code.type('530-0001');
  expect(state.text.value).toBe('');
  await form.loadStateCodes();
  expect(state.text.value).toBe('大阪府');
});
