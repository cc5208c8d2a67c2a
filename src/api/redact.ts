/**
 * Keeps card numbers out of the texts of errors (threat-model C19). An answer may repeat the card that was refused, and
 * the merchant's page gets these texts and may log them.
 *
 * Two rules. Anything that looks like a card number is cut out of every text. And a text that repeats the typed digits
 * is dropped as a whole, in whatever script and with whatever between them. Neither finds a number with other digits
 * mixed into it, or one written out in words or encoded.
 */

const DIGIT = /^\p{Nd}$/u;

/** In Unicode the ten digits of a script follow each other from zero on; several such rows may be adjacent. */
const plainDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
};

/** The text with every digit as 0 to 9, including Arabic, full-width, superscript and circled ones. */
const withPlainDigits = (text: string): string =>
  text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, plainDigit);

/** How many digits in a row may be shown: PCI DSS allows the first six and the last four. */
const MOST_SHOWN = 6;

/** The card that was typed, as far as it is known. */
export type TypedCard = { number?: string; cvc?: string };

const repeatsNumber = (plain: string, number: string): boolean => {
  const digits = plain.replace(/\D/g, '');
  for (let start = 0; start + MOST_SHOWN < number.length; start += 1) {
    if (digits.includes(number.slice(start, start + MOST_SHOWN + 1))) return true;
  }
  return false;
};

/** Whether a text repeats more than six digits in a row of the number, or contains the security code as a number. */
export const repeatsCard = (text: string, { number = '', cvc }: TypedCard): boolean => {
  const plain = withPlainDigits(text);
  return repeatsNumber(plain, number) || (plain.match(/\d+/g)?.some((figure) => figure === cvc) ?? false);
};

/** Replaces a message that repeats the card. */
const LEFT_OUT = "The service's message repeats the card that was typed, so the form left it out.";

/** The texts of an error, under the service's names. */
type Texts = { type: string; code: string; message: string };

/** The error without the texts that repeat this card; `code` replaces a code that does. */
export const withoutCard = <Said extends Texts>(error: Said, card: TypedCard, code: string): Said => {
  // Only the message is searched for the security code: three digits would also match a code such as `http_402`.
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
