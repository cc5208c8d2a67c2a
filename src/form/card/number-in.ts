/** Finds card numbers in a text that contains more than a number. */
import { detectBrand } from './brands.ts';
import { toAsciiDigits } from './caret.ts';
import { checkPan } from './check-pan.ts';
import { passesLuhn } from './luhn.ts';
import { LONGEST, usualLength } from './pan.ts';

/** A number, its groups as written, and the text around it. */
export type FoundNumber = { number: string; groups: readonly string[]; before: string; after: string };

/** Every run of groups of ASCII digits that together form a valid number. */
export const numbersIn = (text: string): readonly FoundNumber[] => {
  const all = [...text.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, index }));
  return all.flatMap((first, at) => {
    const found: FoundNumber[] = [];
    const groups: string[] = [];
    let number = '';
    let end = first.index;
    for (let next = at; number.length <= LONGEST; next += 1) {
      const { digits, index } = all[next] ?? { digits: '', index: -1 };
      const isBeside = number === '' || /^[ \u00a0-]$/.test(text.slice(end, index));
      if (index < end || !isBeside) break;
      groups.push(digits);
      number += digits;
      end = index + digits.length;
      if (checkPan(number).state === 'valid')
        found.push({
          number,
          groups: [...groups],
          before: text.slice(0, first.index),
          after: text.slice(end),
        });
    }
    return found;
  });
};

/** Returns true if the number has at least its brand's usual length, like nearly all numbers. */
export const isOfUsualLength = ({ number }: { number: string }): boolean =>
  detectBrand(number).some((brand) => number.length >= usualLength(brand));

/** Maximum length examined; longer texts are refused anyway. */
const LONGEST_TEXT = 2000;

/**
 * Returns true if a text meant for something else contains a card number, where password managers put one. Accepts only
 * what can hardly be anything else: of a known brand, of its usual length, with its check digit, and not in the small
 * groups or after the plus of a phone number.
 */
export const hasCardNumber = (text: string): boolean =>
  numbersIn(toAsciiDigits(text.slice(0, LONGEST_TEXT)).replace(/[\s.\p{Pd}]+/gu, ' ')).some(
    (found) =>
      isOfUsualLength(found) &&
      passesLuhn(found.number) &&
      found.groups.slice(0, -1).every(({ length }) => length > 2) &&
      !/\+[\d ]*$/.test(found.before),
  );
