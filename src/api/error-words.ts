/**
 * The words of an error as the form uses them and passes them on (threat-model C19). An answer may repeat what the
 * buyer typed, as is or encoded, and the merchant's page gets these words and may log them. So each word is from a
 * closed list, and the message is the form's own. This file has no schemas, because the frame runs it.
 */
import { knownDecline } from './decline-codes.ts';
import { type ErrorCode, isErrorCode, isErrorType } from './errors.ts';
import type { ServiceErrorRecord } from './schemas.ts';

/** Replaces a code that is not in the API description, such as one of a later service. */
export const UNKNOWN_CODE = 'unknown_code';

/** Fields of a confirm's body, and fields of the intent that a confirm requires (contract 3.2, S8.4). */
const FIELD =
  /^(?:client_secret|amount_total|currency|card(?:\.(?:number|exp_month|exp_year|cvc))?|billing_details(?:\.(?:name|email|address(?:\.(?:line[12]|city|state|postal_code|country))?))?|buyer|order_reference|shipping_details|items)(?![^.[])/;

/** Returns the field that a path names, or its parent: `card.shoe_size` becomes `card`. */
const knownField = (path: string): string | null => FIELD.exec(path)?.[0] ?? null;

/** Names the details that an intent lacks, for a developer. Each is a known field, or "details". */
export const knownDetails = (paths: readonly string[]): string[] =>
  paths.map((path) => knownField(path) ?? 'details');

/** Returns the error with words from the description or the form only. */
export const knownError = ({ type, code: said, param, decline_code }: ServiceErrorRecord) => {
  const code: ErrorCode | typeof UNKNOWN_CODE = isErrorCode(said) ? said : UNKNOWN_CODE;
  return {
    type: isErrorType(type) ? type : 'api_error',
    code,
    message: `The service answered with ${code}.`,
    param: knownField(param ?? ''),
    decline_code: typeof decline_code === 'string' ? knownDecline(decline_code) : null,
  };
};
