/**
 * Everything loader and frame may say to each other. The frame parses what it receives with these schemas,
 * since the page it stands in is not trusted. The loader takes only the types: it holds the other end of a
 * port that only our origin can hold, and no schema library may reach the merchant's page.
 *
 * No message of the frame has room for a card number, a security code or an expiry date. Keep it so.
 *
 * Growing: new message types and new optional fields do not raise PROTOCOL, since both sides ignore what
 * they do not know; a change of meaning does.
 */
import * as z from 'zod/mini';
import { measure } from './bounds.ts';
import { readClientSecret } from './client-secret.ts';
import { FIELD_NAMES, PLACES } from './field-names.ts';
import { CHANNEL } from './protocol.ts';

z.config({ jitless: true }); // the frame's policy forbids `new Function`, which zod would try

const upTo = (length: number) => z.string().check(z.maxLength(length));

/** For conveniences of the page's, which must never stop a payment: what does not fit is as if not given. */
const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);

/** The first word, from the frame to whoever holds it. It carries nothing, so it may go to any origin. */
export const Hello = z.object({
  channel: z.literal(CHANNEL),
  type: z.literal('hello'),
  /** Every version of the protocol the frame can speak. */
  protocols: z.array(z.int()).check(z.maxLength(20)),
  /** Package version and content hash of the frame's build. */
  release: upTo(100),
  /** Said by a document that has said it before, because somebody knocked. */
  again: z.optional(z.literal(true)),
});
export type Hello = z.infer<typeof Hello>;

/** Asks a frame that may have said hello before anybody listened to say it again. It carries nothing. */
export const HelloRequest = z.object({ channel: z.literal(CHANNEL) });
export type HelloRequest = z.infer<typeof HelloRequest>;

/** What the page would have the form begin with. Each field stands alone: one that does not fit drops no other. */
export const DefaultValues = z.object({
  billingDetails: lenient(
    z.object({
      email: lenient(upTo(254)),
      name: lenient(upTo(200)),
      address: lenient(
        z.object({
          line1: lenient(upTo(200)),
          line2: lenient(upTo(200)),
          city: lenient(upTo(200)),
          state: lenient(upTo(200)),
          postal_code: lenient(upTo(20)),
          country: lenient(upTo(2)),
        }),
      ),
    }),
  ),
});
export type DefaultValues = z.infer<typeof DefaultValues>;

const shown = lenient(z.enum(['auto', 'never']));

/** What the buyer is asked for. `never`: `defaultValues` has it. */
export const Fields = z.object({
  billingDetails: lenient(z.object({ email: shown, name: shown, address: shown })),
});
export type Fields = z.infer<typeof Fields>;

/** Codes or names. Which there are is not the channel's business. What is no list is an empty one: it was given. */
const Names = z.optional(z.catch(z.readonly(z.array(upTo(100)).check(z.maxLength(300))), []));

/** A BCP 47 tag, or `auto`; which languages there are is not the channel's business. */
const Locale = upTo(35);

/** How the page around the frame is painted, as `colorSchemeOf` reads it. */
const Painting = lenient(upTo(200));

/** Anything; `appearance/` reads it value by value and says what is wrong with which. */
const Appearance = z.unknown();

const ClientSecret = upTo(200).check(z.startsWith('lg_cs_'));

/** The answer to `hello`, posted to exactly the frame's origin and with one port. Secrets travel only here. */
export const Init = z.object({
  channel: z.literal(CHANNEL),
  protocol: z.int(),
  publishableKey: z.string().check(z.regex(/^pk_live_[A-Za-z0-9]{32}$/)),
  clientSecret: z.pipe(z.union([ClientSecret, z.literal(true)]), z.transform(readClientSecret)),
  /** Whether the page can be asked for a client secret. */
  fetchClientSecret: z.optional(z.literal(true)),
  locale: lenient(Locale),
  colorScheme: Painting,
  /** Who has the Pay button. */
  payButton: lenient(z.enum(['frame', 'host'])),
  appearance: z.optional(Appearance),
  defaultValues: lenient(DefaultValues),
  fields: lenient(Fields),
  // Not as if not given: a form that takes more than it was told to is no convenience.
  allowedCountries: Names,
  acceptedBrands: Names,
  /** Texts by key; `i18n/` reads them one by one. */
  translations: z.optional(z.unknown()),
  readOnly: lenient(z.boolean()),
  debug: lenient(z.boolean()),
});
export type Init = z.infer<typeof Init>;

/** `init` as the loader posts it. */
export type InitInput = z.input<typeof Init>;

/** Options that changed while the form stands. */
const Update = z.object({
  type: z.literal('update'),
  // Anything: these cannot change, and a page that tries is told so.
  publishableKey: z.optional(z.unknown()),
  clientSecret: z.optional(z.unknown()),
  payButton: z.optional(z.unknown()),
  defaultValues: z.optional(z.unknown()),
  fields: z.optional(z.unknown()),
  locale: z.optional(Locale),
  colorScheme: Painting,
  /** In place of the one before, whole. */
  appearance: z.optional(Appearance),
  /** In place of those before, whole. */
  translations: z.optional(z.unknown()),
  readOnly: lenient(z.boolean()),
  allowedCountries: Names,
  acceptedBrands: Names,
});

/** The merchant's server changed the intent: look. */
const Refresh = z.object({ type: z.literal('refresh') });

/** The page's own Pay button was pressed. */
const Submit = z.object({ type: z.literal('submit') });

/** What the page answers when it was asked for a client secret. Whatever could not be used is read as null. */
const SecretAnswer = z.object({
  type: z.literal('secret'),
  clientSecret: z.catch(z.nullable(ClientSecret), null),
});

/** The fields by name: a closed list. */
const Field = z.enum(FIELD_NAMES);

/**
 * What paints over a line of the frame: nothing; something fixed, which stays where it is while the page scrolls; or
 * something that is laid over the form.
 */
const Cover = z.enum(['none', 'fixed', 'over']);
export type Cover = z.infer<typeof Cover>;

/** As many lines as are ever asked about: one of each place that shows the amount. */
const MOST_LINES = 3;

/**
 * What lies over the lines of a `look`, in their order, and where the page last saw the mouse. No `covers` where the
 * page's script could not look.
 */
const CoversAnswer = z.object({
  type: z.literal('covers'),
  covers: z.catch(z.array(Cover).check(z.maxLength(MOST_LINES)), []),
  /** `screenX` and `screenY`, and how long ago in ms; null where it never was over the page. */
  pointer: z.catch(z.nullable(z.object({ x: z.number(), y: z.number(), age: z.number() })), null),
});
export type CoversAnswer = z.infer<typeof CoversAnswer>;

/** The focus is wanted in a field, or in the first that is not done. */
const Focus = z.object({ type: z.literal('focus'), field: z.optional(Field) });

/** The focus is wanted elsewhere. */
const Blur = z.object({ type: z.literal('blur') });

/** What was typed is to be forgotten. */
const Clear = z.object({ type: z.literal('clear') });

/** What happened so far is wanted. */
const DiagnosticsRequest = z.object({ type: z.literal('diagnostics') });

/** The form is about to be removed. */
const Destroy = z.object({ type: z.literal('destroy') });

/** Loader to frame, over the port. */
export const HostMessage = z.discriminatedUnion('type', [
  Update,
  Refresh,
  Submit,
  SecretAnswer,
  CoversAnswer,
  Focus,
  Blur,
  Clear,
  DiagnosticsRequest,
  Destroy,
]);
export type HostMessage = z.infer<typeof HostMessage>;

/** As the loader says it, which reads no answer of the page's. */
export type HostMessageInput =
  | Exclude<HostMessage, { type: 'secret' | 'covers' }>
  | ({ type: 'covers' } & Partial<CoversAnswer>)
  | { type: 'secret'; clientSecret?: string | undefined };

/** Of twelve digits at most: the shortest card number has thirteen. */
const minorUnits = z.int().check(z.nonnegative(), z.maximum(999_999_999_999));
const Currency = z.enum(['usd', 'eur']);
const text = upTo(2000);

/** The service's own `type, code, message, param, decline_code`, and what the form makes of them. */
export const CardFormError = z.strictObject({
  type: upTo(100),
  code: upTo(100),
  /** For the merchant's log. Not for the buyer, who reads the form's own words, and not to be compared. */
  message: text,
  param: z.optional(z.nullable(upTo(500))),
  decline_code: z.optional(z.nullable(upTo(100))),
  /** Seconds. */
  retryAfter: z.optional(minorUnits),
  /** Whether money moved. `unknown` is not `no`: ask the service before offering another payment. */
  charged: z.enum(['no', 'yes', 'unknown']),
  /** Who can do what about it. */
  recovery: z.enum([
    'fix_input',
    'use_other_card',
    'review_amount',
    'wait',
    'retry',
    'new_payment',
    'contact_merchant',
    'fix_integration',
  ]),
});
export type CardFormError = z.infer<typeof CardFormError>;

/** The payment as the browser may see it, with the service's field names. Amounts in minor units. */
export const ClientPaymentIntent = z.strictObject({
  id: upTo(200),
  object: z.literal('payment_intent'),
  /** `pending`, `processing`, `succeeded`, `canceled`, or a word that a later service may add. */
  status: upTo(100),
  currency: Currency,
  amount: minorUnits,
  fee_buyer: minorUnits,
  amount_total: minorUnits,
  confirmation_attempts: z.nullable(minorUnits),
  description: z.nullable(text),
  items: z.nullable(
    z.array(
      z.strictObject({ name: text, quantity: z.number(), unit_amount: minorUnits, amount: minorUnits }),
    ),
  ),
  shipping_amount: z.nullable(minorUnits),
  tax_amount: z.nullable(minorUnits),
  discount_amount: z.nullable(minorUnits),
  items_difference: z.nullable(z.int()),
  created: z.nullable(minorUnits),
  succeeded_at: z.nullable(minorUnits),
  last_payment_error: z.nullable(
    z.strictObject({
      type: upTo(100),
      code: upTo(100),
      message: text,
      param: z.optional(z.nullable(upTo(500))),
      decline_code: z.optional(z.nullable(upTo(100))),
    }),
  ),
});
export type ClientPaymentIntent = z.infer<typeof ClientPaymentIntent>;

/** What became of the payment. `unknown` means neither paid nor not paid: ask, never charge again. */
export const Result = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('succeeded'), paymentIntent: ClientPaymentIntent }),
  z.strictObject({ outcome: z.literal('canceled'), paymentIntent: ClientPaymentIntent }),
  z.strictObject({ outcome: z.literal('failed'), error: CardFormError }),
  z.strictObject({
    outcome: z.literal('unknown'),
    reason: z.enum(['unmounted', 'unresolved']),
    paymentIntent: z.nullable(ClientPaymentIntent),
  }),
]);
export type Result = z.infer<typeof Result>;

/** The brands by name: a closed list, so that nothing typed can pass as one. */
export const BrandName = z.enum([
  'visa',
  'mastercard',
  'amex',
  'discover',
  'diners',
  'jcb',
  'unionpay',
  'maestro',
  'mir',
  'elo',
  'hiper',
  'hipercard',
  'naranja',
  'troy',
  'verve',
]);
export type BrandName = z.infer<typeof BrandName>;

/** The buyer can type. */
const Ready = z.strictObject({ type: z.literal('ready') });

/**
 * There is nothing to see and nothing to pay with: a part of the form could not be fetched, or a script of it (`file`,
 * its address, where that is known) was not as built.
 */
const LoadError = z.strictObject({
  type: z.literal('loaderror'),
  reason: z.optional(z.literal('integrity')),
  file: z.optional(z.string()),
});

/** Asks the page for a client secret; `anew` where the one it gave last is of no use any more. */
const SecretRequest = z.strictObject({ type: z.literal('secret'), anew: z.boolean() });

/** A horizontal line of the frame: where it begins, and how long it is, as parts of the frame's width and height. */
const Line = z.strictObject({ left: z.number(), top: z.number(), length: z.number() });
export type Line = z.infer<typeof Line>;

/** Asks what lies over lines of the frame. */
const CoversRequest = z.strictObject({
  type: z.literal('covers'),
  lines: z.array(Line).check(z.maxLength(MOST_LINES)),
});

/** Whether the form could be sent, never what was typed. */
const Change = z.strictObject({
  type: z.literal('change'),
  complete: z.boolean(),
  empty: z.boolean(),
  brand: z.nullable(BrandName),
});

/** The fields as the page hears of them: those of the card are one. */
const Place = z.enum(PLACES);

/** The buyer came to a field, or left it. */
const Focused = z.strictObject({ type: z.literal('focus'), field: Place });
const Blurred = z.strictObject({ type: z.literal('blur'), field: Place });

/** The buyer pressed Escape. */
const Escape = z.strictObject({ type: z.literal('escape') });

/** What of the form a page's style may follow. */
const ContainerClass = z.enum([
  'CardForm--focus',
  'CardForm--invalid',
  'CardForm--complete',
  'CardForm--empty',
]);
export type ContainerClass = z.infer<typeof ContainerClass>;

/** How the form is. */
const State = z.strictObject({
  type: z.literal('state'),
  /** What the form needs, in CSS pixels. */
  height: z.int().check(z.nonnegative(), z.maximum(4096)),
  /** The container's classes: these and no others of ours. */
  classes: z.readonly(z.array(ContainerClass).check(z.maxLength(4))),
  /** A payment was sent, and its outcome is not known. */
  sent: z.boolean(),
});
export type State = z.infer<typeof State>;

/** The service asked to wait, in seconds. */
const RateLimited = z.strictObject({ type: z.literal('ratelimited'), retryAfter: minorUnits });

/** For the merchant's developer: what could be better. Never of what the buyer typed. */
const Warning = z.strictObject({ type: z.literal('warning'), about: upTo(100), hint: upTo(500) });
export type Warning = z.infer<typeof Warning>;

/** What happened so far: no card, no buyer, no secret. */
const Diagnostics = z.strictObject({
  type: z.literal('diagnostics'),
  diagnostics: z
    .array(
      z.strictObject({
        /** In ms since the form was opened. */
        at: minorUnits,
        event: upTo(30),
        what: z.optional(upTo(500)),
      }),
    )
    .check(z.maxLength(99)),
});
export type Diagnosis = z.infer<typeof Diagnostics>['diagnostics'][number];

/** The total is another than the one shown before; the buyer has been told and must press again. */
const AmountChange = z.strictObject({
  type: z.literal('amountchange'),
  previous: minorUnits,
  current: minorUnits,
  currency: Currency,
});

/** The payment was sent and its outcome is awaited. Ends with decline, error, amountchange or result. */
const Processing = z.strictObject({
  type: z.literal('processing'),
  /** By a press in this form; false where the payment was found so when it was first read. */
  pressed: z.boolean(),
});

/** This card was refused, nothing was charged, and the buyer may try again. */
const Decline = z.strictObject({ type: z.literal('decline'), error: CardFormError });

/** Something went wrong that the buyer was told of and that does not end the payment. */
const Failure = z.strictObject({ type: z.literal('error'), error: CardFormError });

/** The end. */
const Settled = z.strictObject({ type: z.literal('result'), result: Result });

/** Frame to loader, over the port. Closed: an own test holds that no card data fits. */
export const FrameMessage = z.discriminatedUnion('type', [
  Ready,
  LoadError,
  SecretRequest,
  CoversRequest,
  Change,
  Focused,
  Blurred,
  Escape,
  State,
  RateLimited,
  Warning,
  Diagnostics,
  AmountChange,
  Processing,
  Decline,
  Failure,
  Settled,
]);
export type FrameMessage = z.infer<typeof FrameMessage>;

/** The `init` in what the handshake received, or null if it is not one. */
export const readInit = (data: unknown): Init | null => {
  if (measure(data) !== 'plain') return null;
  const parsed = Init.safeParse(data);
  return parsed.success ? parsed.data : null;
};
