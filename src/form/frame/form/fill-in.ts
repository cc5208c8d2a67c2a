/** Values set by the merchant's page: default values, and a guessed country. */
import { batch } from '@preact/signals';
import type { BillingValues, FieldName } from '../../channel/fields.ts';
import { keysOf } from '../../channel/own-property.ts';
import type { Field, History } from './field.ts';
import { ADDRESS_LINES, type Readings } from './readings.ts';

/** Default values from the merchant's page (promises 1.5, `defaultValues`). */
export type BillingDefaults = BillingValues;

/** Sets a field on behalf of the page, not the buyer. */
export const setByPage = (field: Field, value: string, { touched }: History): void => {
  if (field.text.peek() === value) return;
  const wasTouched = touched.has(field.name);
  field.type(value);
  if (!wasTouched) touched.delete(field.name);
};

/** Fills in default values, but never overwrites what the buyer typed. */
export const fillIn = (
  { address, ...others }: BillingDefaults,
  fields: Readonly<Record<FieldName, Field>>,
  { countries, text }: Readings,
  history: History,
): void => {
  const { touched } = history;
  const fill = (field: FieldName, value: string | undefined) => {
    if (value !== undefined && !touched.has(field)) setByPage(fields[field], value, history);
  };
  batch(() => {
    for (const name of keysOf(others)) fill(name, others[name]);
    if (!address) return;
    const country = address.country?.toUpperCase() ?? '';
    const isCountry = countries.peek()?.includes(country) ?? /^[A-Z]{2}$/.test(country);
    // Address parts typed by the buyer belong to the country they were typed for.
    const isFixed =
      touched.has('country') || (!history.isGuessed && ADDRESS_LINES.some((line) => touched.has(line)));
    if (isCountry && !isFixed) {
      setByPage(fields.country, country, history);
      history.isGuessed = false;
    }
    // Lines of an address in another country would be wrong here.
    if (/^[A-Z]{2}$/.test(country) && country !== text.country.peek()) return;
    for (const line of ADDRESS_LINES) fill(line, address[line] ?? '');
  });
};
