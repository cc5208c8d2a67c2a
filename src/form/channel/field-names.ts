/** The names of the form's fields, from the table of fields. */
import { BILLING_OPTIONS, type CardFieldName, type FieldName, fieldsOf, type Place } from './fields.ts';

/** The fields of the card. */
export const CARD_FIELDS: readonly CardFieldName[] = ['number', 'expiry', 'cvc'];
const BILLING = fieldsOf(BILLING_OPTIONS);

/** Every field, in the order of the form. */
export const FIELD_NAMES: readonly FieldName[] = [...CARD_FIELDS, ...BILLING];

/** Every place. */
export const PLACES: readonly Place[] = ['card', ...BILLING];

export const placeOf = (field: FieldName): Place => BILLING.find((name) => name === field) ?? 'card';
