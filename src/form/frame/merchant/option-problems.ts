/** Finds invalid options, with a message that tells the developer what to change. */
import { isCountry } from '../../address/countries.ts';
import { KNOWN_BRANDS } from '../../card/brands.ts';
import { ownProperty } from '../../channel/own-property.ts';
import { CLIENT_SECRET, KEY_LENGTH, LONGEST_SECRET, PUBLISHABLE_KEY } from '../../channel/protocol.ts';
import type { Init } from '../../channel/read-options.ts';
import { neededOf, neverAskedIn } from '../first/known-details.ts';
import type { FormModel } from '../form/card-form.ts';

/** The option's path, and what was expected. */
export type OptionProblem = { option: string; message: string };

/**
 * Finds the problem with key or client secret in a message that is no valid `init`; null if there is none. The loader
 * checks both against the same patterns, so only a secret that is too long, or a script of another release, leads here.
 * The message contains neither of them.
 */
export const findInvalidKey = (data: unknown): OptionProblem | null => {
  const problemWith = (option: string, pattern: string, longest: number): OptionProblem | null => {
    const value = ownProperty(data, option);
    if (typeof value !== 'string' || (value.length <= longest && new RegExp(pattern).test(value)))
      return null;
    return {
      option,
      message: `Expected ${pattern} with at most ${longest} characters; got ${value.length}.`,
    };
  };
  return (
    problemWith('publishableKey', PUBLISHABLE_KEY, KEY_LENGTH) ??
    problemWith('clientSecret', CLIENT_SECRET, LONGEST_SECRET)
  );
};

/**
 * Finds the first list that is empty or has an unknown entry; null if there is none. Such a list is refused as a whole:
 * ignoring it would make the form accept more than the merchant wants.
 */
export const findInvalidList = ({
  allowedCountries,
  acceptedBrands,
}: Pick<Init, 'allowedCountries' | 'acceptedBrands'>): OptionProblem | null =>
  problemWithList(
    'allowedCountries',
    allowedCountries,
    (code) => isCountry(code.trim().toUpperCase()),
    'DE',
  ) ??
  problemWithList(
    'acceptedBrands',
    acceptedBrands,
    (name) => KNOWN_BRANDS.some((brand) => brand === name),
    KNOWN_BRANDS.join(', '),
  );

const problemWithList = (
  option: string,
  list: readonly string[] | undefined,
  isKnown: (name: string) => boolean,
  known: string,
): OptionProblem | null => {
  if (!list) return null;
  const unknown = list.find((name) => !isKnown(name));
  if (list.length > 0 && unknown === undefined) return null;
  const received = unknown === undefined ? 'none' : JSON.stringify(unknown.slice(0, 20));
  return { option, message: `Expected a list of one or more of these: ${known}; got ${received}.` };
};

/**
 * Finds the first `never` without a valid default value, which the service requires; null if there is none. Problems
 * that only show with the country's data, such as a missing state, are found when the buyer presses Pay.
 */
export const findMissingDefault = (init: Init, form: FormModel): OptionProblem | null => {
  const given = init.defaultValues?.billingDetails;
  for (const option of neverAskedIn(init.fields)) {
    const missing = neededOf(option).find(
      (name) => !form.fields[name].isComplete.peek() || (name === 'country' && !given?.address?.country),
    );
    if (missing === undefined) continue;
    const path = option === 'address' ? `address.${missing}` : option;
    const message = `'never' needs a valid defaultValues.billingDetails.${path}: the service requires it.`;
    return { option: `fields.billingDetails.${option}`, message };
  }
  return null;
};
