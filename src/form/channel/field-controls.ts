/** How browsers help to fill in each field: a column of the table of fields that the first response doesn't need. */
import type { FieldName } from './fields.ts';

export type Control = {
  /** The HTML token by which browsers and password managers recognise the field. */
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
