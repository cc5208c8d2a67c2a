/** The names that page and form have for the fields. Without a schema: the part of the frame that types has them, too. */

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
