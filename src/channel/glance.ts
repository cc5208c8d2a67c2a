/**
 * What an `init` says of how the form is to look and whom to ask, for the part of the frame that is there before any
 * schema (`messages.ts`) has arrived. Checked by hand and to the letter: it takes nothing that the schema refuses,
 * and the schema has the last word all the same.
 */
import { measure } from './bounds.ts';
import { type ClientSecretSource, readClientSecret } from './client-secret.ts';
import { GOVERNING, type Governing } from './governing.ts';
import type { Init } from './messages.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

/** Each as in `Init`; undefined where it is not given. */
export type Glance = {
  publishableKey: string;
  clientSecret: ClientSecretSource;
  locale: string | undefined;
  colorScheme: string | undefined;
  payButton: Init['payButton'];
  appearance: unknown;
  /** Of the default values; whether there is such a country is asked later. */
  country: string | undefined;
  /** Of `fields.billingDetails` what is never asked for. */
  unasked: readonly Governing[];
};

/** What stands in this `init`, or null where it is none that the schema would take. */
export const glance = (data: unknown): Glance | null => {
  if (measure(data) !== 'plain') return null;
  const publishableKey = textIn(data, 'publishableKey', 100);
  const clientSecret = own(data, 'clientSecret') === true || textIn(data, 'clientSecret', 200);
  const fetchClientSecret = own(data, 'fetchClientSecret');
  const payButton = own(data, 'payButton');
  if (
    own(data, 'channel') !== CHANNEL ||
    own(data, 'protocol') !== PROTOCOL ||
    !publishableKey ||
    !/^pk_live_[A-Za-z0-9]{32}$/.test(publishableKey) ||
    !clientSecret ||
    (clientSecret !== true && !clientSecret.startsWith('lg_cs_')) ||
    (fetchClientSecret !== undefined && fetchClientSecret !== true)
  )
    return null;
  const billing = own(own(data, 'defaultValues'), 'billingDetails');
  const fields = own(own(data, 'fields'), 'billingDetails');
  return {
    publishableKey,
    clientSecret: readClientSecret(clientSecret),
    colorScheme: textIn(data, 'colorScheme', 200),
    locale: textIn(data, 'locale', 35),
    payButton: payButton === 'frame' || payButton === 'host' ? payButton : undefined,
    appearance: own(data, 'appearance'),
    country: textIn(own(billing, 'address'), 'country', 2),
    unasked: GOVERNING.filter((option) => own(fields, option) === 'never'),
  };
};

/** A property of anything at all; only its own, so that a polluted prototype answers nothing. */
export const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/** A text of at most that many characters. */
const textIn = (value: unknown, key: string, longest: number): string | undefined => {
  const text = own(value, key);
  return typeof text === 'string' && text.length <= longest ? text : undefined;
};
