/**
 * Every card brand that the form can name, in the order of `credit-card-type`, which breaks ties between matches.
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

/** A card brand that the form can name. */
export type Brand = (typeof BRANDS)[number];

/** The usual spelling of a brand name. */
export const capitalised = (brand: Brand): string => brand.slice(0, 1).toUpperCase() + brand.slice(1);

/** The usual name of the security code. */
export const USUAL_CODE = 'CVV';
