import * as LIMITS from '../../api/limits.ts';
import type { Check } from '../check.ts';
import { cleanCode, cleanWords } from './clean.ts';

/**
 * Checks whether this looks like an email address: one `@` with a name before it and a domain with a dot after it.
 * Stricter checks refuse addresses that work.
 */
export const checkEmail = (input: string): Check<string, 'format'> => {
  const email = addressIn(cleanCode(input).replaceAll('\u3002', '.')); // the full stop of Chinese and Japanese input
  if (email === '') return { state: 'empty' };
  if (email.length > LIMITS.email || /[\s<>]/.test(email)) return { state: 'invalid', problem: 'format' };
  const [name, domain, ...more] = email.split('@');
  if (domain === undefined) return { state: 'incomplete' };
  if (more.length > 0 || name === '') return { state: 'invalid', problem: 'format' };
  const labels = domain.split('.');
  if (labels.length === 1 || labels.at(-1) === '') return { state: 'incomplete' };
  if (labels.includes('')) return { state: 'invalid', problem: 'format' };
  return { state: 'valid', value: email };
};

/**
 * Extracts the address from the formats of mail programs and links: "Ada <ada@example.com>;",
 * "mailto:ada@example.com?subject=Hi". A text with two addresses is left unchanged.
 */
const addressIn = (text: string): string => {
  const parts = text.split(/[<>]/);
  const addresses = (parts.length === 3 ? parts : [text]).map(bare).filter((part) => part.includes('@'));
  const [address = text, ...others] = new Set(addresses);
  return others.length === 0 ? address : text;
};

/**
 * Removes a link and the punctuation around an address: an address doesn't begin with a bracket, quote or stop, and
 * ends with a letter or digit.
 */
const bare = (text: string): string => unmarked(unmarked(text).replace(/^mailto:([^?]*).*/i, '$1'));

const unmarked = (text: string): string => {
  const begun = text.replace(/^(?:[^\p{L}\p{N}@]*\s)?[\p{Ps}\p{Pe}\p{Pi}\p{Pf}<>"'`,;:.]*/u, '');
  return /^.*[\p{L}\p{N}\p{M}@]/u.exec(begun)?.[0] ?? '';
};

/** The name on the card, in any script. */
export const checkName = (input: string): Check<string, 'too_long'> => checkLine(input);

/** A line of an address: any text whose length the service accepts. */
export const checkLine = (input: string): Check<string, 'too_long'> => {
  const line = cleanWords(input);
  if (line === '') return { state: 'empty' };
  return line.length > LIMITS.addressLine
    ? { state: 'invalid', problem: 'too_long' }
    : { state: 'valid', value: line };
};
