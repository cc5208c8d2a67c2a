import type { AddressFormat } from './format.ts';

/** Languages that write addresses from large to small. */
const FROM_LARGE: readonly string[] = ['ja', 'ko', 'zh'];

/** Puts the format's fields into the order that buyers with this locale use for this country. */
export const inOrderFor = (format: AddressFormat, locale: string): AddressFormat => {
  const language = locale.split('-')[0] ?? '';
  return format.latin && !FROM_LARGE.includes(language) ? { ...format, fields: format.latin } : format;
};
