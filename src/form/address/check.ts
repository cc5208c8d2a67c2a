import * as LIMITS from '../../api/limits.ts';
import type { Check } from '../check.ts';

/**
 * Whether this has the form of an email address: one `@` with a name before it and a domain with a dot after it.
 * Stricter checks refuse addresses that work.
 */
export const checkEmail = (input: string): Check<string, 'format'> => {
  const email = clean(input);
  if (email === '') return { state: 'empty' };
  if (email.length > LIMITS.email || /\s/.test(email)) return { state: 'invalid', problem: 'format' };
  const [name, domain, ...more] = email.split('@');
  if (domain === undefined) return { state: 'incomplete' };
  if (more.length > 0 || name === '') return { state: 'invalid', problem: 'format' };
  const labels = domain.split('.');
  if (labels.length === 1 || labels.at(-1) === '') return { state: 'incomplete' };
  if (labels.includes('')) return { state: 'invalid', problem: 'format' };
  return { state: 'valid', value: email };
};

/** The name on the card, in any script. */
export const checkName = (input: string): Check<string, 'too_long'> => checkLine(input);

/** A line of an address: any text that the service accepts by its length. */
export const checkLine = (input: string): Check<string, 'too_long'> => {
  const line = clean(input);
  if (line === '') return { state: 'empty' };
  return line.length > LIMITS.addressLine
    ? { state: 'invalid', problem: 'too_long' }
    : { state: 'valid', value: line };
};

/** The text in one line, without invisible characters, in Unicode's composed form. */
const clean = (input: string): string => {
  return input
    .normalize('NFC')
    .replace(/[\p{Cc}\u200b\ufeff]+/gu, ' ')
    .trim();
};
