/** Thirteen or more digits of any script, with no letter between them. */
const CARD_NUMBER = /\p{N}(?:[^\p{L}\p{N}]{0,4}\p{N}){12,}/gu;

/** The text without anything that looks like a card number. */
export const withoutCardNumbers = (text: string): string => text.replace(CARD_NUMBER, '…');
