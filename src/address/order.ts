import type { AddressFormat } from './format.ts';

/** Languages in whose countries an address goes from large to small: its readers expect it so in each of them. */
const FROM_LARGE: readonly string[] = ['ja', 'ko', 'zh'];

/** The format with its fields in the order that a buyer with this locale writes there. */
export function inOrderFor(format: AddressFormat, locale: string): AddressFormat {
  const language = locale.split('-')[0] ?? '';
  return format.latin && !FROM_LARGE.includes(language) ? { ...format, fields: format.latin } : format;
}
