/**
 * Billing details that the page already knows are shown as text instead of fields. The first response guesses them from
 * their default values, so the form has its final height immediately; `form.tsx` checks the values.
 */
import { BILLING_OPTIONS, type BillingOption, type FieldName, fieldsOf } from '../../channel/fields.ts';
import type { Init } from '../../channel/read-options.ts';

/** The default values of the billing details, by field. */
export type Defaults = Readonly<Partial<Record<FieldName, string | undefined>>>;

/** The service requires these fields in every country. */
export const neededOf = (option: BillingOption): readonly FieldName[] =>
  option === 'address' ? ['country', 'line1'] : [option];

/** The options that the page sets to `never`. */
export const neverAskedIn = (fields: Init['fields']): readonly BillingOption[] =>
  BILLING_OPTIONS.filter((option) => fields?.billingDetails?.[option] === 'never');

/** The options that seem to be known, except those set to `never`. */
export const presumedKnown = (
  defaults: Defaults,
  never: readonly BillingOption[],
): readonly BillingOption[] =>
  BILLING_OPTIONS.filter(
    (option) => !never.includes(option) && neededOf(option).every((name) => defaults[name]),
  );

/** The country's name in the language of the locale; an invalid code is returned unchanged. */
export const countryName = (code: string, locale: string): string =>
  (/^[a-z]{2}$/i.test(code) && new Intl.DisplayNames(locale, { type: 'region' }).of(code)) || code;

/**
 * A placeholder, not meant to be read, with the length of the final text, so that it takes the same space. `address`:
 * the text that introduces an address.
 */
export const draftOf = (
  defaults: Defaults,
  known: readonly BillingOption[],
  address: string,
  locale: string,
): string => {
  const texts = (...names: readonly FieldName[]) => names.map((name) => defaults[name]).filter(Boolean);
  const { country = '' } = defaults;
  const place = [
    ...texts('line1', 'line2', 'city'),
    texts('state', 'postal_code').join(' '),
    countryName(country, locale),
  ];
  const hasAddress = known.includes('address');
  const others = texts(...fieldsOf(known.filter((option) => option !== 'address'))).join(', ');
  const line = hasAddress ? address.replace('{address}', place.filter(Boolean).join(', ')) : '';
  return `${others}\n${line}`.trim(); // the address starts a new line
};
