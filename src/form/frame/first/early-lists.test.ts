// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { COUNTRIES } from '../../address/country-codes.ts';
import { FIRST_COUNTRY } from '../../address/hint.ts';
import { knownFormat } from '../../address/load.ts';
import { FIRST_STATES, fillEarlyLists } from './early-lists.ts';

it('the first states match the address data', () => {
  const states = knownFormat(FIRST_COUNTRY)?.states ?? [];
  expect([...FIRST_STATES].sort()).toEqual(states.map(({ value }) => value).sort());
});

it('promises 2.11: a country or state can be chosen before hydration; the choice and the listed options stay', () => {
  document.body.innerHTML =
    '<select id="field-country"><option value="DE" selected></option></select><select id="field-state"><option></option></select>';
  const [country, state] = document.querySelectorAll('select');
  fillEarlyLists();
  expect(country?.value).toBe('DE');
  expect([...(country?.options ?? [])].map(({ value }) => value).sort()).toEqual([...COUNTRIES].sort());
  expect(state).toHaveLength(FIRST_STATES.length + 1);
});
