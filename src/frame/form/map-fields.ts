import type { FieldName } from '../../channel/field-names.ts';

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
