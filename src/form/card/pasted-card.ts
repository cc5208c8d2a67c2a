import { certainBrand, detectBrand } from './brands.ts';
import { toAsciiDigits } from './caret.ts';
import { maxCvcLength } from './cvc.ts';
import { editExpiry } from './expiry.ts';
import { isOfUsualLength, numbersIn } from './number-in.ts';
import { readWrittenDate } from './written-date.ts';

/** The parts of a pasted card; a missing part is empty. `expiry` is as the field shows it. */
export type PastedCard = { number: string; expiry: string; cvc: string };

/**
 * Reads a card from a text with more than a number: "4242 4242 4242 4242 12/29 123", or the lines of a card manager.
 * Null if there is no card number, or nothing else that belongs to a card: then the field reads the text as usual.
 */
export const pastedCard = (input: string): PastedCard | null => {
  const text = toAsciiDigits(input);
  const numbers = numbersIn(text);
  const found = numbers.find(isOfUsualLength) ?? numbers[0];
  if (!found) return null;
  const { number, before, after } = found;
  const beside = `${before}\n${after}`;
  const date = dateIn(beside);
  const brand = certainBrand(detectBrand(number));
  const codes = (date ? beside.replace(date, '\n') : beside).match(/(?<![\d/.-])\d{3,4}(?![\d/.-])/g) ?? [];
  const [cvc = '', ...others] = codes.filter((code) => brand === null || code.length === maxCvcLength(brand));
  if (!date && cvc === '') return null;
  const expiry = date
    ? editExpiry({ previous: '', raw: date, caret: date.length }, readWrittenDate).value
    : '';
  return { number, expiry, cvc: others.length === 0 ? cvc : '' };
};

/** Date formats beside a card number, the clearest first. */
const DATES = [
  /(?<!\d)\d{1,2}[/.-]\d{1,2}[/.-](?:20)?\d\d(?!\d)/g,
  /(?<!\d)20\d\d[/.-]\d{1,2}(?:[/.-]\d{1,2})?(?!\d)/g,
  /(?<!\d)\d{1,2} ?[/.／–|,;-] ?(?:20)?\d\d(?!\d)/g,
  /\p{L}{3,9}\.? (?:20)?\d\d(?!\d)/gu,
  /(?<!\d)\d{1,2}\s(?:20)?\d\d(?!\d)/g,
  /(?<!\d)\d{4}(?:\d\d)?(?!\d)/g,
];

/** A date whose month exists. */
const dateIn = (text: string): string | undefined => {
  const isDate = (found: string) => /^(0[1-9]|1[0-2])(20)?\d\d$/.test(readWrittenDate(found));
  return DATES.flatMap((pattern) => text.match(pattern) ?? []).find(isDate);
};
