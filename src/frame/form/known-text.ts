/** Known billing details as text: name, email and the address in the order of its country. */
import { type AddressField, type AddressFormat, stateOptions } from '../../address/format.ts';
import type { BillingOption } from '../../channel/billing-options.ts';
import type { FieldName } from '../../channel/field-names.ts';
import { countryName } from '../first/known-details.ts';
import { printable } from '../view/printable.ts';
import type { CardForm } from './card-form.ts';

/** Lines of parts: name and email, then the address as "12 Orchard Lane, Portland, OR 97205, United States". Reads signals. */
export const knownLines = (
  { fields, format, unasked }: CardForm,
  locale: string,
): readonly (readonly string[])[] => {
  const text = (name: FieldName) => printable(fields[name].text.value);
  const address = () => addressText(text, format.value, locale);
  const parts = { name: () => text('name'), email: () => text('email'), address };
  const line = (...options: readonly BillingOption[]) =>
    options.filter((option) => unasked.known.value.includes(option)).map((option) => parts[option]());
  return [line('name', 'email'), line('address')].filter(({ length }) => length > 0);
};

/** In one line, in the format's order; from large to small, without commas, if that order begins with the region. */
const addressText = (text: (name: FieldName) => string, format: AddressFormat, locale: string): string => {
  const isFromLarge = format.fields[0] !== 'line1';
  const lines = format.fields.flatMap((name) => {
    const line = name === 'state' ? stateText(text('state'), format, locale) : text(name);
    return line ? [{ name, line }] : [];
  });
  const joined = lines.reduce((before, { name, line }, index) => {
    const previous = lines[index - 1]?.name;
    if (!previous) return line;
    return `${before}${isFromLarge || isOneUnit(previous, name) ? ' ' : ', '}${line}`;
  }, '');
  const country = countryName(text('country'), locale);
  return isFromLarge ? `${country} ${joined}` : `${joined}, ${country}`;
};

/** Whether two neighbours are written without a comma: "OR 97205", "10115 Berlin". */
const isOneUnit = (one: AddressField, other: AddressField): boolean =>
  (one === 'postal_code' && other !== 'line1') || (other === 'postal_code' && !one.startsWith('line'));

/** A code stays a code; any other state has its name in the buyer's language. */
const stateText = (value: string, format: AddressFormat, locale: string): string =>
  /^[A-Z]{1,3}$/.test(value)
    ? value
    : (stateOptions(format, locale).find((option) => option.value === value)?.label ?? value);
