/** The names that page and form have for the fields. Without a schema: the part of the frame that types has them, too. */

const CARD = ['number', 'expiry', 'cvc'] as const;

const OTHERS = ['name', 'email', 'country', 'line1', 'line2', 'city', 'state', 'postal_code'] as const;

/** Every field, named as the service names it where it does. In the order of the form. */
export const FIELD_NAMES = [...CARD, ...OTHERS] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/**
 * Where the buyer is, as the page hears it. The card's fields are one place: a page that knew when each has the focus
 * would know when to take the keyboard for it.
 */
export const PLACES = ['card', ...OTHERS] as const;
export type Place = (typeof PLACES)[number];

/** The place of a field. */
export const placeOf = (field: FieldName): Place =>
  field === 'number' || field === 'expiry' || field === 'cvc' ? 'card' : field;
