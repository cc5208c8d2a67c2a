/**
 * Billing details that the page already knows are shown as text instead of fields. The first response presumes from
 * their default values which these are, so that the form has its final height at once; `pay.tsx` checks the values.
 */
import { BILLING_OPTIONS, type BillingOption } from '../../channel/billing-options.ts';
import type { FieldName } from '../../channel/field-names.ts';
import type { Defaults } from '../../channel/init-preview.ts';
import { fieldsOf } from './fields.ts';

/** Without these the service accepts no details, whatever the country. */
const NEEDED: Readonly<Record<BillingOption, readonly FieldName[]>> = {
  email: ['email'],
  name: ['name'],
  address: ['country', 'line1'],
};

/** The options that seem to be known, apart from those that are never asked for. */
export const presumedKnown = (
  defaults: Defaults,
  never: readonly BillingOption[],
): readonly BillingOption[] =>
  BILLING_OPTIONS.filter(
    (option) => !never.includes(option) && NEEDED[option].every((name) => defaults[name]),
  );

/** The country's name in the language of the locale; a code that cannot be one stays as it is. */
export const countryName = (code: string, locale: string): string =>
  (/^[a-z]{2}$/i.test(code) && new Intl.DisplayNames(locale, { type: 'region' }).of(code)) || code;

/** As long as the text that will be shown, so that it takes the same room. Not fit to be read. */
export const draftOf = (defaults: Defaults, known: readonly BillingOption[], locale: string): string =>
  fieldsOf(known)
    .map((name) => {
      const text = defaults[name] ?? '';
      return name === 'country' ? `\n${countryName(text, locale)}` : text; // the address begins a line
    })
    .filter(Boolean)
    .join(', ')
    .trim();
