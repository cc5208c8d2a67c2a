/** Formats billing details as text: name, email, and the address in its country's order. */
import { type AddressField, type AddressFormat, stateOptions } from '../../address/format.ts';
import { BILLING_OPTIONS, type BillingOption, type FieldName } from '../../channel/fields.ts';
import { countryName } from '../first/known-details.ts';
import { printable } from '../view/printable.ts';
import type { Words } from '../view/words.ts';
import type { FormModel } from './card-form.ts';

/**
 * Lines of parts: name and email, then the address, "Billing address: 12 Orchard Lane, Portland, OR 97205, United
 * States". Reads signals.
 */
export const linesOf = (
  options: readonly BillingOption[],
  { fields, format, unasked }: FormModel,
  { negotiated, say }: Pick<Words, 'negotiated' | 'say'>,
): readonly (readonly string[])[] => {
  const text = (name: FieldName) => printable(fields[name].sent.value);
  const known = BILLING_OPTIONS.filter((option) => options.includes(option));
  const address = known.includes('address')
    ? [
        say(unasked.sameAsShipping.value ? 'billing.shipping' : 'billing.address', {
          address: addressText(text, format.value, negotiated.value.locale),
        }),
      ]
    : [];
  const others = known.flatMap((option) => (option === 'address' ? [] : text(option)));
  return [others, address].filter(({ length }) => length > 0);
};

/** The address in one line, in envelope order; without commas if that order goes from the region down to the street. */
const addressText = (text: (name: FieldName) => string, format: AddressFormat, locale: string): string => {
  const { written = format.fields } = format;
  const isFromLarge = written[0] !== 'line1';
  const lines = written.flatMap((name) => {
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

/** Returns true if two adjacent parts are written without a comma: "OR 97205", "10115 Berlin". */
const isOneUnit = (one: AddressField, other: AddressField): boolean =>
  (one === 'postal_code' && other !== 'line1') || (other === 'postal_code' && !one.startsWith('line'));

/** Keeps a code; any other state gets its name in the buyer's language. */
const stateText = (value: string, format: AddressFormat, locale: string): string =>
  /^[A-Z]{1,3}$/.test(value)
    ? value
    : (stateOptions(format, locale).find((option) => option.value === value)?.label ?? value);
