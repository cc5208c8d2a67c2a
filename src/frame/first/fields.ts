import type { BillingOption } from '../../channel/billing-options.ts';
import type { FieldName } from '../../channel/field-names.ts';

const FIELDS_BY_OPTION: Readonly<Record<BillingOption, readonly FieldName[]>> = {
  email: ['email'],
  name: ['name'],
  address: ['country', 'line1', 'line2', 'city', 'state', 'postal_code'],
};

/** The fields that these options decide about. */
export const fieldsOf = (options: readonly BillingOption[]): readonly FieldName[] =>
  options.flatMap((option) => FIELDS_BY_OPTION[option]);

/** A record with a value for each field. */
export const mapFields = <Value>(make: (name: FieldName) => Value): Record<FieldName, Value> => ({
  number: make('number'),
  expiry: make('expiry'),
  cvc: make('cvc'),
  name: make('name'),
  email: make('email'),
  country: make('country'),
  line1: make('line1'),
  line2: make('line2'),
  city: make('city'),
  state: make('state'),
  postal_code: make('postal_code'),
});
