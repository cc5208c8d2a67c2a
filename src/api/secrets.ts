/** Thirteen or more digits of any script, without a letter between them. */
const CARD_NUMBER = /\p{N}(?:[^\p{L}\p{N}]{0,4}\p{N}){12,}/gu;

/** A secret key or a client secret of any account or payment, by its prefix. */
export const SECRETS = /(sk_live_|lg_cs_)[\w.~%-]+/gi;

/** Removes anything that looks like a card number, a secret key or a client secret. */
export const withoutSecrets = (text: string): string =>
  text.replace(SECRETS, '$1…').replace(CARD_NUMBER, '…');
