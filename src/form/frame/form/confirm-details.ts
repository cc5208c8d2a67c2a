import type { ConfirmDetails } from '../../../api/client.ts';
import { checkCvc } from '../../card/check-cvc.ts';
import { checkExpiry } from '../../card/check-expiry.ts';
import { BILLING_DETAILS, type BillingFieldName } from '../../channel/fields.ts';
import { keysOf } from '../../channel/own-property.ts';
import { asSent, checkField, checkNumber, isAddressField, type Readings } from './readings.ts';

/**
 * The value to send for a field: its checked text. If it is empty or the country has no such field: null, or "" for a
 * postal code (contract 3.2).
 */
const sent = (name: BillingFieldName, readings: Readings): string | null => {
  const { text, format } = readings;
  if (name === 'country') return text.country.peek();
  const isAsked = !isAddressField(name) || format.peek().fields.includes(name);
  const checked = isAsked ? asSent(checkField(name, readings)) : null;
  return checked ?? (name === 'postal_code' ? '' : null);
};

/** The billing details in the service's format, which has the shape of the table (contract 3.2). */
const billingDetails = (readings: Readings): ConfirmDetails['billing_details'] => {
  const valuesOf = (table: object) =>
    keysOf(table).map((name: BillingFieldName): readonly unknown[] => [name, sent(name, readings)]);
  const { address, ...others } = BILLING_DETAILS;
  return Object.fromEntries([...valuesOf(others), ['address', Object.fromEntries(valuesOf(address))]]);
};

/** The details for one confirm request; null if one of these fields cannot be sent. */
export const confirmDetails = (readings: Readings): ConfirmDetails | null => {
  const { text, brand } = readings;
  const number = checkNumber(readings);
  const expiry = checkExpiry(text.expiry.peek(), readings.thisMonth());
  const cvc = checkCvc(text.cvc.peek(), brand.peek());
  if (number.state !== 'valid' || expiry.state !== 'valid' || cvc.state !== 'valid') return null;
  return {
    card: {
      number: number.value,
      exp_month: expiry.value.month,
      exp_year: expiry.value.year,
      cvc: cvc.value,
    },
    billing_details: billingDetails(readings),
  };
};
