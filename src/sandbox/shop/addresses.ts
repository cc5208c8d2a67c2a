/** Addresses that the shop suggests. A real shop gets them from a service, with a key that stays on its server. */
import type { CardFormSuggestion } from '@partner/card-form';

/** Street, city, state, postal code and country. */
const LINES: readonly string[] = [
  '12 Orchard Lane, Portland, OR, 97205, US',
  '12 Orchard Street, New York, NY, 10002, US',
  '120 Orchid Avenue, San Francisco, CA, 94103, US',
  '45 Orchard Road, Springfield, IL, 62704, US',
  '7 Mill Street, Portland, ME, 04101, US',
  '9 Mill Lane, London, , E1 6AN, GB',
  '3 Orchard Close, Bristol, , BS1 4QA, GB',
  'Obstgartenweg 12, Berlin, , 10115, DE',
  'Mühlenstraße 4, Hamburg, , 20095, DE',
  '8 rue du Verger, Lyon, , 69001, FR',
];

const ADDRESSES = LINES.map((text) => {
  const [line1 = '', city = '', state = '', postal_code = '', country = ''] = text.split(', ');
  return { label: text.replace(', ,', ','), address: { line1, city, state, postal_code, country } };
});

/** Returns true if each word of the query is the start of a word of the address. */
const fits = (label: string, query: string): boolean => {
  const words = label.toLowerCase().split(/[\s,]+/);
  return query
    .toLowerCase()
    .split(/[\s,]+/)
    .every((part) => words.some((word) => word.startsWith(part)));
};

/** Returns the addresses that match the typed text, those in the chosen country first. */
export const findAddresses = (query: string, country: string): readonly CardFormSuggestion[] => {
  const found = ADDRESSES.filter(({ label }) => fits(label, query));
  const isHere = ({ address }: CardFormSuggestion) => address.country === country;
  return [...found.filter(isHere), ...found.filter((one) => !isHere(one))];
};
