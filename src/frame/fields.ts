/** Every field, named as the service names it where it does. In the order of the form. */
export const FIELD_NAMES = [
  'number',
  'expiry',
  'cvc',
  'name',
  'email',
  'country',
  'line1',
  'line2',
  'city',
  'state',
  'postal_code',
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** An option of the page's that governs whether fields are asked for (product 1, `fields`). */
export type Governing = 'email' | 'name' | 'address';

const GOVERNED: Readonly<Record<Governing, readonly FieldName[]>> = {
  email: ['email'],
  name: ['name'],
  address: ['country', 'line1', 'line2', 'city', 'state', 'postal_code'],
};

/** The fields these options govern. */
export const fieldsOf = (options: readonly Governing[]): readonly FieldName[] =>
  options.flatMap((option) => GOVERNED[option]);

/** Something for each field. */
export const perField = <Value>(make: (name: FieldName) => Value): Record<FieldName, Value> => ({
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
