/** The names of the form's fields. No schemas here, since the frame's first response imports this file. */

const CARD = ['number', 'expiry', 'cvc'] as const;

const OTHERS = ['name', 'email', 'country', 'line1', 'line2', 'city', 'state', 'postal_code'] as const;

/** Every field, in the order of the form. Billing details have the service's names. */
export const FIELD_NAMES = [...CARD, ...OTHERS] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/**
 * Where the focus is, as the page learns it. The card fields are one place: a page that knew which of them has the
 * focus would know when to steal the keyboard focus from it.
 */
export const PLACES = ['card', ...OTHERS] as const;
export type Place = (typeof PLACES)[number];

export const placeOf = (field: FieldName): Place =>
  field === 'number' || field === 'expiry' || field === 'cvc' ? 'card' : field;
