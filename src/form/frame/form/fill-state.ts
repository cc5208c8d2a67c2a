/** Fills in the state determined by the postal code. Never overwrites a choice of the buyer or the page. */
import { effect, signal, untracked } from '@preact/signals';
import { readPostalCode } from '../../address/postal-code.ts';
import { loadStateCodes, type StateCodes, stateOfCode } from '../../address/state-by-code.ts';
import type { FieldName } from '../../channel/fields.ts';
import type { CountryFormat } from './address-format.ts';
import type { Field, History } from './field.ts';
import { setByPage } from './fill-in.ts';

/** Returns a function that loads the chosen country's table. Nothing is filled in before. */
export const fillStateByCode = (
  fields: Readonly<Record<FieldName, Field>>,
  { format, isCurrent }: CountryFormat,
  history: History,
): (() => Promise<void>) => {
  const table = signal<{ country: string; codes: StateCodes } | null>(null);
  /** The last value filled in. */
  let filled = '';
  const fill = (state: string) => {
    const present = fields.state.text.peek();
    if (present !== '' && (present !== filled || history.touched.has('state'))) return;
    setByPage(fields.state, state, history);
    filled = state;
  };
  effect(() => {
    if (!table.value || !isCurrent.value || table.value.country !== fields.country.text.value) return;
    const { code, fits } = readPostalCode(fields.postal_code.text.value, format.value);
    const state = fits && stateOfCode(table.value.codes, code);
    if (state) untracked(() => fill(state));
  });
  return async () => {
    const country = fields.country.text.peek();
    const codes = await loadStateCodes(country);
    if (codes) table.value = { country, codes };
  };
};
