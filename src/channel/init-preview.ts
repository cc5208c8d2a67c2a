/**
 * The part of `init` that the first response of the frame needs: how the form looks, and which intent to read. The
 * schemas (`messages.ts`) arrive later, so it is checked by hand. It accepts exactly what the schema accepts, which a
 * property test holds; the schema still parses the whole message afterwards.
 */

import { BILLING_OPTIONS, type BillingOption } from './billing-options.ts';
import { measure } from './bounds.ts';
import { type ClientSecretSource, readClientSecret } from './client-secret.ts';
import type { FieldName } from './field-names.ts';
import type { Init } from './messages.ts';
import { ownProperty } from './own-property.ts';
import { CHANNEL, CLIENT_SECRET, KEY_LENGTH, LONGEST_SECRET, PROTOCOL, PUBLISHABLE_KEY } from './protocol.ts';

/** The default values of the billing details, by field. */
export type Defaults = Readonly<Partial<Record<FieldName, string | undefined>>>;

/** Values as in `Init`; undefined if not given. */
export type InitPreview = {
  publishableKey: string;
  clientSecret: ClientSecretSource;
  locale: string | undefined;
  colorScheme: string | undefined;
  payButton: Init['payButton'];
  appearance: unknown;
  /** From `defaultValues`, not yet checked against anything but their lengths. */
  defaults: Defaults;
  /** The options of `fields.billingDetails` that are `never`. */
  neverAsked: readonly BillingOption[];
};

/** Reads the preview, or null if the schema would reject the message. */
export const previewInit = (data: unknown): InitPreview | null => {
  if (measure(data) !== 'plain') return null;
  const publishableKey = textIn(data, 'publishableKey', KEY_LENGTH);
  const clientSecret =
    ownProperty(data, 'clientSecret') === true || textIn(data, 'clientSecret', LONGEST_SECRET);
  const fetchClientSecret = ownProperty(data, 'fetchClientSecret');
  const payButton = ownProperty(data, 'payButton');
  if (
    ownProperty(data, 'channel') !== CHANNEL ||
    ownProperty(data, 'protocol') !== PROTOCOL ||
    !publishableKey ||
    !new RegExp(PUBLISHABLE_KEY).test(publishableKey) ||
    !clientSecret ||
    (clientSecret !== true && !new RegExp(CLIENT_SECRET).test(clientSecret)) ||
    (fetchClientSecret !== undefined && fetchClientSecret !== true)
  )
    return null;
  const billing = ownProperty(ownProperty(data, 'defaultValues'), 'billingDetails');
  const address = ownProperty(billing, 'address');
  const fields = ownProperty(ownProperty(data, 'fields'), 'billingDetails');
  return {
    publishableKey,
    clientSecret: readClientSecret(clientSecret),
    colorScheme: textIn(data, 'colorScheme', 200),
    locale: textIn(data, 'locale', 35),
    payButton: payButton === 'frame' || payButton === 'host' ? payButton : undefined,
    appearance: ownProperty(data, 'appearance'),
    defaults: {
      name: textIn(billing, 'name', 200),
      email: textIn(billing, 'email', 254),
      country: textIn(address, 'country', 2),
      line1: textIn(address, 'line1', 200),
      line2: textIn(address, 'line2', 200),
      city: textIn(address, 'city', 200),
      state: textIn(address, 'state', 200),
      postal_code: textIn(address, 'postal_code', 20),
    },
    neverAsked: BILLING_OPTIONS.filter((option) => ownProperty(fields, option) === 'never'),
  };
};

/** A string property of at most `longest` characters. */
const textIn = (value: unknown, key: string, longest: number): string | undefined => {
  const text = ownProperty(value, key);
  return typeof text === 'string' && text.length <= longest ? text : undefined;
};
