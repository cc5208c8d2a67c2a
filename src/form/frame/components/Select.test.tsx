// @vitest-environment happy-dom
import { render } from 'preact';
import { expect, it } from 'vitest';
import { exampleForm } from '../merchant/merchant.fixture.ts';
import { exampleContext } from './context.fixture.ts';
import { FormProvider } from './context.ts';
import { type Option, Select } from './Select.tsx';

const form = exampleForm();
const context = exampleContext({ form });
const root = document.body.appendChild(document.createElement('div'));

/** Renders the list with these options and returns it. */
const listOf = (options: readonly Option[]): HTMLSelectElement => {
  render(
    <FormProvider value={context}>
      <Select name="state" options={options} />
    </FormProvider>,
    root,
  );
  const list = root.querySelector('select');
  if (!list) throw new Error('There is no list.');
  return list;
};

const EMPTY = { value: '', label: '' };
const OREGON = { value: 'OR', label: 'Oregon' };
const UTAH = { value: 'UT', label: 'Utah' };
const shown = ({ options }: HTMLSelectElement) => [...options].map(({ value, text }) => [value, text]);

it('a list has exactly its options after each change, and the chosen one stays chosen', () => {
  expect(shown(listOf([EMPTY, OREGON]))).toEqual([
    ['', ''],
    ['OR', 'Oregon'],
  ]);
  form.fields.state.type('OR');
  expect(listOf([EMPTY, UTAH, OREGON]).value).toBe('OR');
  expect(shown(listOf([UTAH, OREGON]))).toEqual([
    ['UT', 'Utah'],
    ['OR', 'Oregon'],
  ]);
  expect(listOf([UTAH, OREGON]).value).toBe('OR');
  expect(shown(listOf([{ value: 'OR', label: 'Orégon' }]))).toEqual([['OR', 'Orégon']]);
});

it('options that have not changed keep their elements, so that an open list does not close', () => {
  const before = [...listOf([EMPTY, OREGON, UTAH]).options];
  const after = [...listOf([{ ...EMPTY }, { ...OREGON }, { ...UTAH }]).options];
  expect(after).toHaveLength(3);
  expect(after.every((option, at) => option === before[at])).toBe(true);
});
