/**
 * The table of options: how the frame reads each in `init` and `update()`. It has no schema and uses no package, since the
 * frame's first response reads it. What each option means is said in `loader/types.ts`.
 */
import { BILLING_DETAILS, BILLING_OPTIONS, type BillingOption } from './fields.ts';

// Kinds of values. Numbers, because every buyer would download strings; any other number is a text's largest length.

/** Looked at where it is used, value by value. */
export const ANYTHING = 0;
/** True or false. */
export const FLAG = -1;
/** Codes or names, which are checked where the known ones are. Anything but such a list is an empty one. */
export const NAMES = -2;

// These decide about the payment: a form is not mounted without them, and they are fixed then.

/** The publishable key. */
export const KEY = -3;
/** The client secret; `true` if the page is asked for it. */
export const SECRET = -4;
/** A function of the page. On the wire it is `true`, and the frame asks the page to call it. */
export const FUNCTION = -5;
/** Used by the loader alone. */
export const LOCAL = -6;

const ASKED = ['auto', 'never'] as const;
const EACH_ASKED: Readonly<Record<BillingOption, typeof ASKED>> = Object.fromEntries(
  BILLING_OPTIONS.map((option): readonly unknown[] => [option, ASKED]),
);

/**
 * Every option of `mount()`: a kind, the words to choose from, or an object of such values. An invalid value counts as not
 * given, since an extra must never stop a payment, except for what decides about it.
 */
export const OPTIONS = {
  publishableKey: KEY,
  clientSecret: SECRET,
  fetchClientSecret: FUNCTION,
  addressLookup: FUNCTION,
  beforePay: FUNCTION,
  signal: LOCAL,
  locale: 35,
  buttonType: 35, // `i18n/button-texts.ts` has the words
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

/** Whether an option is data that can be copied, not one of those that decide about the payment. */
export const isData = (name: OptionName): boolean => {
  const kind = OPTIONS[name];
  return typeof kind !== 'number' || kind > KEY;
};

/**
 * The options that `update()` can change, and what each is again when a component is not given it any more. Undefined:
 * it then stays as it is.
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
