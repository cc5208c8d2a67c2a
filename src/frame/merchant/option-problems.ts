/** What of the page's options cannot be done, said so that a developer knows what to change. */
import { isCountry } from '../../address/countries.ts';
import { BRANDS } from '../../card/brands.ts';
import { BILLING_OPTIONS, type BillingOption } from '../../channel/billing-options.ts';
import type { FieldName } from '../../channel/field-names.ts';
import type { Init } from '../../channel/messages.ts';
import type { CardForm } from '../form/card-form.ts';

/** An option by its path, and what was expected of it. */
export type Misfit = { option: string; why: string };

/**
 * The first list that cannot be followed to the letter, or null. A form that took more than it was told to would be
 * worse than none.
 */
export const misfitOf = ({
  allowedCountries,
  acceptedBrands,
}: Pick<Init, 'allowedCountries' | 'acceptedBrands'>): Misfit | null =>
  misfitIn('allowedCountries', allowedCountries, (code) => isCountry(code.trim().toUpperCase()), 'DE') ??
  misfitIn(
    'acceptedBrands',
    acceptedBrands,
    (name) => BRANDS.some((brand) => brand === name),
    BRANDS.join(', '),
  );

const misfitIn = (
  option: string,
  list: readonly string[] | undefined,
  isKnown: (name: string) => boolean,
  known: string,
): Misfit | null => {
  if (!list) return null;
  const unknown = list.find((name) => !isKnown(name));
  if (list.length > 0 && unknown === undefined) return null;
  const came = unknown === undefined ? 'none' : JSON.stringify(unknown.slice(0, 20));
  return { option, why: `Expected a list of one or more of these: ${known}; got ${came}.` };
};

/** What is never asked for, by the name of its option. */
export const neverAskedIn = (fields: Init['fields']): readonly BillingOption[] => {
  const { email, name, address } = fields?.billingDetails ?? {};
  const chosen = { email, name, address };
  return BILLING_OPTIONS.filter((option) => chosen[option] === 'never');
};

/**
 * The first option that leaves out what `defaultValues` does not give, or null: the service requires these details.
 * What only a country's own data can tell (a missing state, say) shows when the buyer presses.
 */
export const ungiven = (init: Init, form: CardForm): Misfit | null => {
  const given = init.defaultValues?.billingDetails;
  for (const option of neverAskedIn(init.fields)) {
    const needed: readonly FieldName[] = option === 'address' ? ['country', 'line1'] : [option];
    const missing = needed.find(
      (name) => !form.fields[name].isComplete.peek() || (name === 'country' && !given?.address?.country),
    );
    if (missing === undefined) continue;
    const path = option === 'address' ? `address.${missing}` : option;
    const why = `'never' needs a good defaultValues.billingDetails.${path}: the service requires it.`;
    return { option: `fields.billingDetails.${option}`, why };
  }
  return null;
};
