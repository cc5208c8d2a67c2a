/** Thirteen or more digits of any script, with no letter between them. */
const CARD_NUMBER = /\p{N}(?:[^\p{L}\p{N}]{0,4}\p{N}){12,}/gu;

/** A secret key or a client secret, by its prefix. */
const SECRET = /(sk_live_|lg_cs_)[\w.~%-]+/gi;

/** The text without anything that looks like a card number, a secret key or a client secret. */
export const withoutSecrets = (text: string): string => text.replace(SECRET, '$1…').replace(CARD_NUMBER, '…');
