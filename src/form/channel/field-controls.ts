/** A column of the table of fields, which the first response does without: how browsers help to fill in each. */
import type { FieldName } from './fields.ts';

export type Control = {
  /** The token of HTML by which browsers and password managers know the field. */
  autocomplete: string;
  inputMode?: 'email' | 'numeric';
  autocapitalize: 'none' | 'words' | 'characters';
};

export const CONTROLS: Readonly<Record<FieldName, Control>> = {
  number: { autocomplete: 'cc-number', inputMode: 'numeric', autocapitalize: 'none' },
  expiry: { autocomplete: 'cc-exp', inputMode: 'numeric', autocapitalize: 'none' },
  cvc: { autocomplete: 'cc-csc', inputMode: 'numeric', autocapitalize: 'none' },
  name: { autocomplete: 'cc-name', autocapitalize: 'words' },
  email: { autocomplete: 'email', inputMode: 'email', autocapitalize: 'none' },
  country: { autocomplete: 'country', autocapitalize: 'none' },
  line1: { autocomplete: 'address-line1', autocapitalize: 'words' },
  line2: { autocomplete: 'address-line2', autocapitalize: 'words' },
  city: { autocomplete: 'address-level2', autocapitalize: 'words' },
  state: { autocomplete: 'address-level1', autocapitalize: 'words' },
  postal_code: { autocomplete: 'postal-code', autocapitalize: 'characters' },
};
