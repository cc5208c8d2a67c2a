/**
 * The words of an error as the form uses them and passes them on (threat-model C19). An answer may repeat what the buyer
 * typed, as it stands or encoded, and the merchant's page gets these words and may log them. So each is from a closed
 * list, and the message is the form's own. In a file without schemas, since the frame runs it.
 */
import { knownDecline } from './decline-codes.ts';
import { type ErrorCode, isErrorCode, isErrorType } from './errors.ts';
import type { ServiceErrorRecord } from './schemas.ts';

/** Stands for a code that is not in the description, such as one of a later service. */
export const UNKNOWN_CODE = 'unknown_code';

/** The fields of a confirm's body, and those of the intent without which it is refused (contract 3.2, S8.4). */
const FIELD =
  /^(?:client_secret|amount_total|currency|card(?:\.(?:number|exp_month|exp_year|cvc))?|billing_details(?:\.(?:name|email|address(?:\.(?:line[12]|city|state|postal_code|country))?))?|buyer|order_reference|shipping_details|items)(?![^.[])/;

/** The field that a path names, or the one around it: `card.shoe_size` is told as `card`. */
const knownField = (path: string): string | null => FIELD.exec(path)?.[0] ?? null;

/** The names of details that an intent lacks, for a developer: each a known field, or "details". */
export const knownDetails = (paths: readonly string[]): string[] =>
  paths.map((path) => knownField(path) ?? 'details');

/** An error whose every word is the description's or the form's. */
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
