/**
 * The table of the form's fields. It has no schema and uses no package, since the frame's first response reads it.
 * Parts needed later are in `field-names.ts`; checks and display of each field are in `frame/form/`.
 */
import * as LIMITS from '../../api/limits.ts';
import { keysOf } from './own-property.ts';

/**
 * The billing details on the wire and in `defaultValues`, in the order of the form, each with its maximum length in
 * characters. The form asks the buyer for all of a key or for none of it (promises 1.5, `fields`).
 */
export const BILLING_DETAILS = {
  name: LIMITS.buyerName,
  email: LIMITS.email,
  address: {
    country: LIMITS.country,
    line1: LIMITS.addressLine,
    line2: LIMITS.addressLine,
    city: LIMITS.addressLine,
    state: LIMITS.addressLine,
    postal_code: LIMITS.postalCode,
  },
} as const;

/** The keys of `fields.billingDetails`. */
export type BillingOption = keyof typeof BILLING_DETAILS;
export const BILLING_OPTIONS = keysOf(BILLING_DETAILS);

/** Texts by field, shaped like `defaultValues`. */
export type BillingValues = ValuesOf<typeof BILLING_DETAILS>;
type ValuesOf<Of> = {
  [Name in keyof Of]?: (Of[Name] extends number ? string : ValuesOf<Of[Name]>) | undefined;
};

/** The fields that these options control. */
export const fieldsOf = (options: readonly BillingOption[]): readonly BillingFieldName[] =>
  options.flatMap((option) => (option === 'address' ? keysOf(BILLING_DETAILS.address) : option));

/** A field of the billing details. Names are unique, inside and outside the address. */
export type BillingFieldName = Exclude<BillingOption, 'address'> | keyof typeof BILLING_DETAILS.address;

export type CardFieldName = 'number' | 'expiry' | 'cvc';

export type FieldName = CardFieldName | BillingFieldName;

/**
 * The place of the focus, as the page learns it. The card fields are one place: a page that knew which of them has the
 * focus would know when to steal the keyboard focus from it.
 */
export type Place = 'card' | BillingFieldName;
