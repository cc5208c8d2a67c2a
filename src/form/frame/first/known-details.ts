/**
 * Billing details that the page already knows are shown as text instead of fields. The first response presumes from
 * their default values which these are, so that the form has its final height at once; `form.tsx` checks the values.
 */
import { BILLING_OPTIONS, type BillingOption, type FieldName, fieldsOf } from '../../channel/fields.ts';
import type { Init } from '../../channel/read-options.ts';

/** The default values of the billing details, by field. */
export type Defaults = Readonly<Partial<Record<FieldName, string | undefined>>>;

/** Without these the service accepts no details, whatever the country. */
export const neededOf = (option: BillingOption): readonly FieldName[] =>
  option === 'address' ? ['country', 'line1'] : [option];

/** The options that the page asks never to show. */
export const neverAskedIn = (fields: Init['fields']): readonly BillingOption[] =>
  BILLING_OPTIONS.filter((option) => fields?.billingDetails?.[option] === 'never');

/** The options that seem to be known, apart from those that are never asked for. */
export const presumedKnown = (
  defaults: Defaults,
  never: readonly BillingOption[],
): readonly BillingOption[] =>
  BILLING_OPTIONS.filter(
    (option) => !never.includes(option) && neededOf(option).every((name) => defaults[name]),
  );

/** The country's name in the language of the locale; a code that cannot be one stays as it is. */
export const countryName = (code: string, locale: string): string =>
  (/^[a-z]{2}$/i.test(code) && new Intl.DisplayNames(locale, { type: 'region' }).of(code)) || code;

/**
 * As long as the text that will be shown, so that it takes the same room. Not fit to be read. `address` is the text that
 * names an address.
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
  return `${others}\n${line}`.trim(); // the address begins a line
};
