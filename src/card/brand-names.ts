/**
 * Every card brand the form can name, in the order of `credit-card-type`, which decides between equally good matches.
 * Numbers of other brands are accepted too, without a name.
 */
export const BRANDS = [
  'visa',
  'mastercard',
  'amex',
  'diners',
  'discover',
  'troy',
  'jcb',
  'unionpay',
  'naranja',
  'verve',
  'maestro',
  'elo',
  'mir',
  'hiper',
  'hipercard',
] as const;

/** A card brand the form can name. */
export type Brand = (typeof BRANDS)[number];
