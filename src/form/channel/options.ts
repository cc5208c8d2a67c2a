/**
 * The table of options: how the frame reads each in `init` and `update()`. It has no schema and uses no package, since
 * the frame's first response reads it. `loader/types.ts` documents each option.
 */
import { BILLING_DETAILS, BILLING_OPTIONS, type BillingOption } from './fields.ts';

// Kinds of values. Numbers, because every buyer would download strings; any other number is a text's maximum length.

/** Checked where it is used, value by value. */
export const ANYTHING = 0;
/** True or false. */
export const FLAG = -1;
/** Codes or names, checked where the known ones are. Anything but a list of them reads as an empty list. */
export const NAMES = -2;

// These decide about the payment: a form needs them to mount, and they are fixed from then on.

/** The publishable key. */
export const KEY = -3;
/** The client secret; `true` if the form has to ask the page for it. */
export const SECRET = -4;
/** A function of the page. On the wire it is `true`, and the frame asks the page to call it. */
export const FUNCTION = -5;
/** Used only by the loader. */
export const LOCAL = -6;

const ASKED = ['auto', 'never'] as const;
const EACH_ASKED: Readonly<Record<BillingOption, typeof ASKED>> = Object.fromEntries(
  BILLING_OPTIONS.map((option): readonly unknown[] => [option, ASKED]),
);

/**
 * Every option of `mount()`: a kind, the words to choose from, or an object of such values. An invalid value counts as
 * missing, since an extra must never stop a payment, except for options that decide about it.
 */
export const OPTIONS = {
  publishableKey: KEY,
  clientSecret: SECRET,
  fetchClientSecret: FUNCTION,
  addressLookup: FUNCTION,
  beforePay: FUNCTION,
  signal: LOCAL,
  locale: 35,
  buttonType: 35, // its words are in `i18n/button-texts.ts`
  payButton: ['frame', 'host'],
  view: ['form', 'status'],
  autoAdvance: FLAG,
  appearance: ANYTHING,
  fonts: ANYTHING, // without `src`, which the page's script fetches
  defaultValues: { billingDetails: BILLING_DETAILS, sameAsShipping: FLAG },
  fields: { billingDetails: EACH_ASKED },
  allowedCountries: NAMES,
  acceptedBrands: NAMES,
  translations: ANYTHING,
  readOnly: FLAG,
  keep: FLAG,
  debug: FLAG,
} as const;

export type OptionName = keyof typeof OPTIONS;

/** Returns true for options that are copyable data and don't decide about the payment. */
export const isData = (name: OptionName): boolean => {
  const kind = OPTIONS[name];
  return typeof kind !== 'number' || kind > KEY;
};

/**
 * The options that `update()` can change, with the value each returns to when a component no longer sets it. Undefined:
 * the option then keeps its value.
 */
export const CHANGEABLE_OPTIONS = {
  locale: 'auto',
  payButton: 'frame',
  buttonType: 'pay',
  appearance: {},
  defaultValues: undefined,
  fields: {},
  allowedCountries: undefined,
  acceptedBrands: undefined,
  translations: {},
  readOnly: false,
} as const satisfies { readonly [Name in OptionName]?: unknown };
