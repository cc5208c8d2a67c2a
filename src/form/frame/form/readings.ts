/** The current field values, and the checks that decide whether they can be sent. Reads signals. */
import type { ReadonlySignal, Signal } from '@preact/signals';
import { checkEmail, checkLine } from '../../address/check.ts';
import { cleanCode } from '../../address/clean.ts';
import { type AddressField, type AddressFormat, importance } from '../../address/format.ts';
import { checkPostalCode, readPostalCode } from '../../address/postal-code.ts';
import { brandNotTaken } from '../../card/accepted.ts';
import type { Brand } from '../../card/brands.ts';
import { digitsOf } from '../../card/caret.ts';
import { checkCvc } from '../../card/check-cvc.ts';
import { checkExpiry, type Month } from '../../card/check-expiry.ts';
import { checkPan } from '../../card/check-pan.ts';
import { hasCardNumber } from '../../card/number-in.ts';
import { FIELD_NAMES, placeOf } from '../../channel/field-names.ts';
import { BILLING_DETAILS, type FieldName } from '../../channel/fields.ts';
import type { Check } from '../../check.ts';

export type Readings = {
  /** As shown in the inputs, including grouping. */
  text: Readonly<Record<FieldName, Signal<string>>>;
  format: ReadonlySignal<AddressFormat>;
  countries: ReadonlySignal<readonly string[] | null>;
  candidates: ReadonlySignal<readonly Brand[]>;
  brand: ReadonlySignal<Brand | null>;
  accepted: ReadonlySignal<readonly Brand[] | null>;
  /** True if the buyer is asked for it. */
  isShown(name: FieldName): boolean;
  thisMonth(): Month;
};

/** The result of any field's check, whatever its type. */
export type Verdict = Check<unknown, string>;

const VALID: Verdict = { state: 'valid', value: null };
const EMPTY: Verdict = { state: 'empty' };
const CARD_NUMBER: Verdict = { state: 'invalid', problem: 'card_number' };

export const isAddressField = (name: FieldName): name is AddressField =>
  name !== 'country' && Object.hasOwn(BILLING_DETAILS.address, name);

export const ADDRESS_LINES = FIELD_NAMES.filter(isAddressField);

/** The number's brand if the merchant doesn't accept it; otherwise null. */
export const notTaken = ({ candidates, accepted }: Readings): string | null =>
  brandNotTaken(candidates.value, accepted.value);

export const checkNumber = (
  readings: Readings,
): Check<string, 'not_accepted' | 'luhn' | 'length' | 'unknown_brand'> =>
  notTaken(readings)
    ? { state: 'invalid', problem: 'not_accepted' }
    : checkPan(digitsOf(readings.text.number.value));

/** Values that only the country's data expects are required from a buyer who is asked, not from the page. */
export const isRequired = (name: FieldName, { format, isShown }: Readings): boolean => {
  if (!isAddressField(name)) return true;
  if (!format.value.fields.includes(name)) return false;
  const need = importance(name, format.value);
  return need === 'required' || (need === 'expected' && isShown(name));
};

const checkAddressField = (name: AddressField, readings: Readings): Verdict => {
  const { text, format } = readings;
  const verdict =
    name === 'postal_code' ? checkPostalCode(text[name].value, format.value) : checkLine(text[name].value);
  return verdict.state === 'empty' && !isRequired(name, readings) ? VALID : verdict;
};

export const checkField = (name: FieldName, readings: Readings): Verdict => {
  const { text, brand, countries } = readings;
  const { value } = text[name];
  if (placeOf(name) !== 'card' && hasCardNumber(cleanCode(value))) return CARD_NUMBER;
  switch (name) {
    case 'number':
      return checkNumber(readings);
    case 'expiry':
      return checkExpiry(value, readings.thisMonth());
    case 'cvc':
      return checkCvc(value, brand.value);
    case 'email':
      return checkEmail(value);
    case 'country':
      return countries.value?.includes(value) === false ? EMPTY : VALID;
    default:
      return isAddressField(name) ? checkAddressField(name, readings) : checkLine(value);
  }
};

/** A billing detail's text as it is sent; null for other values, and for text that cannot be sent. */
export const asSent = (verdict: Verdict): string | null =>
  verdict.state === 'valid' && typeof verdict.value === 'string' ? verdict.value : null;

/** Returns true if the service would accept the value, but the country's data doesn't expect it. */
export const isUnexpected = (name: FieldName, { text, format }: Readings): boolean => {
  if (!isAddressField(name) || !format.value.fields.includes(name)) return false;
  const { value } = text[name];
  if (name === 'postal_code') {
    const { code, fits } = readPostalCode(value, format.value);
    return code !== '' && !fits;
  }
  return checkLine(value).state === 'empty' && importance(name, format.value) === 'expected';
};
