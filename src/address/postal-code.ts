import type { Check } from '../check.ts';
import type { AddressFormat } from './format.ts';

/** The longest postal code the service takes. */
export const MAX_POSTAL_CODE = 20;

/**
 * Whether this can be a postal code of the country; valid ones come as they are written there, as far as the
 * country's data tells ("sw1a1aa" is "SW1A 1AA"). Where nothing is known of the codes any text will do.
 */
export function checkPostalCode(input: string, format: AddressFormat): Check<string, 'pattern'> {
  const typed = clean(input);
  if (typed === '') return { state: 'empty' };
  if (typed.length > MAX_POSTAL_CODE) return { state: 'invalid', problem: 'pattern' };
  if (!format.postal) return { state: 'valid', value: typed };
  const { pattern, separator, prefix = '' } = format.postal;
  const whole = new RegExp(`^(?:${pattern})$`);
  const letters = prefix.replace(/[\s-]/g, '');
  const bare = typed.startsWith(letters) ? typed.slice(letters.length).replace(/^[\s-]+/, '') : typed;
  const compact = bare.replace(/[\s-]/g, '');
  const split = separator === undefined ? [] : splits(compact, separator).filter((code) => whole.test(code));
  const [only, ...others] = split;
  if (only !== undefined && others.length === 0) return { state: 'valid', value: only };
  const value = [bare, compact, typed].find((code) => whole.test(code));
  return value === undefined ? { state: 'invalid', problem: 'pattern' } : { state: 'valid', value };
}

/** The code with a separator in each place where one could stand. */
function splits(compact: string, separator: string): readonly string[] {
  return Array.from(compact, (_, index) => compact.slice(0, index) + separator + compact.slice(index)).slice(
    1,
  );
}

/** In capitals, with plain digits, dashes and single spaces. */
function clean(input: string): string {
  return input
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\p{Pd}/gu, '-')
    .replace(/[\s\p{Cc}\u200b\ufeff]+/gu, ' ')
    .trim()
    .toUpperCase();
}
