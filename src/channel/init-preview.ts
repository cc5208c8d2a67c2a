/**
 * What an `init` says of how the form is to look and whom to ask, for the part of the frame that is there before any
 * schema (`messages.ts`) has arrived. Checked by hand and to the letter: it takes nothing that the schema refuses,
 * and the schema has the last word all the same.
 */

import { BILLING_OPTIONS, type BillingOption } from './billing-options.ts';
import { measure } from './bounds.ts';
import { type ClientSecretSource, readClientSecret } from './client-secret.ts';
import type { Init } from './messages.ts';
import { ownProperty } from './own-property.ts';
import { CHANNEL, PROTOCOL } from './protocol.ts';

/** Each as in `Init`; undefined where it is not given. */
export type InitPreview = {
  publishableKey: string;
  clientSecret: ClientSecretSource;
  locale: string | undefined;
  colorScheme: string | undefined;
  payButton: Init['payButton'];
  appearance: unknown;
  /** Of the default values; whether there is such a country is asked later. */
  country: string | undefined;
  /** Of `fields.billingDetails` what is never asked for. */
  neverAsked: readonly BillingOption[];
};

/** What stands in this `init`, or null where it is none that the schema would take. */
export const previewInit = (data: unknown): InitPreview | null => {
  if (measure(data) !== 'plain') return null;
  const publishableKey = textIn(data, 'publishableKey', 100);
  const clientSecret = ownProperty(data, 'clientSecret') === true || textIn(data, 'clientSecret', 200);
  const fetchClientSecret = ownProperty(data, 'fetchClientSecret');
  const payButton = ownProperty(data, 'payButton');
  if (
    ownProperty(data, 'channel') !== CHANNEL ||
    ownProperty(data, 'protocol') !== PROTOCOL ||
    !publishableKey ||
    !/^pk_live_[A-Za-z0-9]{32}$/.test(publishableKey) ||
    !clientSecret ||
    (clientSecret !== true && !clientSecret.startsWith('lg_cs_')) ||
    (fetchClientSecret !== undefined && fetchClientSecret !== true)
  )
    return null;
  const billing = ownProperty(ownProperty(data, 'defaultValues'), 'billingDetails');
  const fields = ownProperty(ownProperty(data, 'fields'), 'billingDetails');
  return {
    publishableKey,
    clientSecret: readClientSecret(clientSecret),
    colorScheme: textIn(data, 'colorScheme', 200),
    locale: textIn(data, 'locale', 35),
    payButton: payButton === 'frame' || payButton === 'host' ? payButton : undefined,
    appearance: ownProperty(data, 'appearance'),
    country: textIn(ownProperty(billing, 'address'), 'country', 2),
    neverAsked: BILLING_OPTIONS.filter((option) => ownProperty(fields, option) === 'never'),
  };
};

/** A text of at most that many characters. */
const textIn = (value: unknown, key: string, longest: number): string | undefined => {
  const text = ownProperty(value, key);
  return typeof text === 'string' && text.length <= longest ? text : undefined;
};
