/**
 * Keeps the card out of what an error says. Whoever answers may repeat the card that was refused; the merchant's page
 * gets these texts and logs them, and must never get a card (research 19).
 *
 * Two nets. Any text loses what looks like a card number in it, whosever it is. And a text that repeats the digits which
 * were typed is dropped as a whole, however they are written and whatever stands between them. What neither can find
 * is a card with other digits mixed into it, or one written out in words or code.
 */
import type { CardDetails } from './requests.ts';

/** Thirteen figures or more, as many as most cards have, with no letter between them. Of any script. */
const CARD_NUMBER = /\p{N}(?:[^\p{L}\p{N}]{0,4}\p{N}){12,}/gu;

/** The text without anything that looks like a card number. */
export const withoutCardNumbers = (text: string): string => text.replace(CARD_NUMBER, '…');

const DIGIT = /^\p{Nd}$/u;

/** The digits of each script stand in a row, beginning with its zero; rows may follow each other. */
const plainDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
};

/** With every digit as 0 to 9: also Arabic, full-width, raised and circled ones. */
const withPlainDigits = (text: string): string =>
  text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, plainDigit);

/** As many digits of a card number in a row as may be told: its first six, and its last four. */
const MOST_TOLD = 6;

/** What was typed, as far as it is known. */
export type TypedCard = Partial<Pick<CardDetails, 'number' | 'cvc'>>;

const repeatsNumber = (plain: string, number: string): boolean => {
  const digits = plain.replace(/\D/g, '');
  for (let start = 0; start + MOST_TOLD < number.length; start += 1) {
    if (digits.includes(number.slice(start, start + MOST_TOLD + 1))) return true;
  }
  return false;
};

/** Whether a text repeats more than six digits in a row of the number, or has the security code as a figure. */
export const repeatsCard = (text: string, { number = '', cvc }: TypedCard): boolean => {
  const plain = withPlainDigits(text);
  return repeatsNumber(plain, number) || (plain.match(/\d+/g)?.some((figure) => figure === cvc) ?? false);
};

/** What stands in place of a message that repeats the card. */
const LEFT_OUT = "The service's message repeats the card that was typed, so the form left it out.";

/** The texts of an error, as the service names them. */
type Texts = { type: string; code: string; message: string };

/** The same error without a text that repeats this card; `code` stands in place of such a code. */
export const withoutCard = <Said extends Texts>(error: Said, card: TypedCard, code: string): Said => {
  // A security code is too short to be looked for in what is no sentence: `http_402` would be one.
  const repeats = (text: unknown) =>
    typeof text === 'string' && repeatsCard(text, { number: card.number ?? '' });
  const kept = Object.entries(error).map(([name, text]) => [name, repeats(text) ? null : text]);
  return {
    ...error,
    ...Object.fromEntries(kept),
    type: repeats(error.type) ? 'api_error' : error.type,
    code: repeats(error.code) ? code : error.code,
    message: repeatsCard(error.message, card) ? LEFT_OUT : error.message,
  };
};
