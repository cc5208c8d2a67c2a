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
