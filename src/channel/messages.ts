/**
 * All messages between loader and frame. The frame parses what it receives with these schemas, since the page that
 * embeds it is not trusted. The loader imports only the types: its messages come over a port whose other end only our
 * origin holds, and no schema library may reach the merchant's page.
 *
 * No message of the frame has a field that could hold a card number, a security code or an expiry date. Keep it so.
 *
 * To extend: new message types and new optional fields do not raise PROTOCOL, since both sides ignore what they do not
 * know. A change of meaning does.
 */
import * as z from 'zod/mini';
import { measure } from './bounds.ts';
import { readClientSecret } from './client-secret.ts';
import { FIELD_NAMES, PLACES } from './field-names.ts';
import { CHANNEL, CLIENT_SECRET, LONGEST_SECRET, PUBLISHABLE_KEY } from './protocol.ts';

z.config({ jitless: true }); // zod would try `new Function`, which the frame's Content-Security-Policy forbids

const upTo = (length: number) => z.string().check(z.maxLength(length));

/** For optional extras, which must never stop a payment: an invalid value counts as not given. */
const lenient = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined);

/** The frame's first message, to its parent. It holds no secret, so it may go to any origin. */
export const Hello = z.object({
  channel: z.literal(CHANNEL),
  type: z.literal('hello'),
  /** All protocol versions that the frame supports. */
  protocols: z.array(z.int()).check(z.maxLength(20)),
  /** Package version and content hash of the frame's build. */
  release: upTo(100),
  /** Set if this document has said hello before and the loader requested it again. */
  again: z.optional(z.literal(true)),
});
export type Hello = z.infer<typeof Hello>;

/** Asks a frame to say hello again, because it may have done so before the loader listened. It holds no secret. */
export const HelloRequest = z.object({ channel: z.literal(CHANNEL) });
export type HelloRequest = z.infer<typeof HelloRequest>;

/** Values to fill in. Each is checked by itself, so that an invalid one does not drop the others. */
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

const fieldOption = lenient(z.enum(['auto', 'never']));

/** Which billing details the buyer is asked for. Those that are `never` are in `defaultValues`. */
export const Fields = z.object({
  billingDetails: lenient(z.object({ email: fieldOption, name: fieldOption, address: fieldOption })),
});
export type Fields = z.infer<typeof Fields>;

/**
 * Codes or names, checked later against the known ones. Anything but a list becomes an empty list, which is then
 * rejected: ignoring it would accept more than the page wanted.
 */
const Names = z.optional(z.catch(z.readonly(z.array(upTo(100)).check(z.maxLength(300))), []));

/** A BCP 47 tag, or `auto`. Checked later against the known languages. */
const Locale = upTo(35);

/** The page's color scheme, in the form that `colorSchemeOf` reads. */
const PageColorScheme = lenient(upTo(200));

/** Unchecked here: `appearance/` parses it value by value and reports what is wrong. */
const Appearance = z.unknown();

const ClientSecret = upTo(LONGEST_SECRET).check(z.regex(new RegExp(CLIENT_SECRET)));

/** The answer to `hello`, posted to exactly the frame's origin, with one port. Client secrets travel only here and over the port. */
export const Init = z.object({
  channel: z.literal(CHANNEL),
  protocol: z.int(),
  publishableKey: z.string().check(z.regex(new RegExp(PUBLISHABLE_KEY))),
  clientSecret: z.pipe(z.union([ClientSecret, z.literal(true)]), z.transform(readClientSecret)),
  /** Set if the page gave `fetchClientSecret`, so that it can be asked for a client secret. */
  fetchClientSecret: z.optional(z.literal(true)),
  /** Set if the page gave `beforePay`. Not lenient: a form that did not ask would pay what the page would refuse. */
  beforePay: z.optional(z.literal(true)),
  locale: lenient(Locale),
  colorScheme: PageColorScheme,
  /** Who shows the Pay button. */
  payButton: lenient(z.enum(['frame', 'host'])),
  appearance: z.optional(Appearance),
  defaultValues: lenient(DefaultValues),
  fields: lenient(Fields),
  // Not lenient: a form that accepted more than the page allows would be wrong.
  allowedCountries: Names,
  acceptedBrands: Names,
  /** Texts by key. Unchecked here: `i18n/` parses them one by one. */
  translations: z.optional(z.unknown()),
  readOnly: lenient(z.boolean()),
  debug: lenient(z.boolean()),
});
export type Init = z.infer<typeof Init>;

/** `init` as the loader posts it, before parsing. */
export type InitInput = z.input<typeof Init>;

/** Options that the page changed with `update()`. */
const Update = z.object({
  type: z.literal('update'),
  // These cannot change. They are accepted so that the frame can warn the page about them.
  publishableKey: z.optional(z.unknown()),
  clientSecret: z.optional(z.unknown()),
  payButton: lenient(z.enum(['frame', 'host'])),
  /** Replaces the previous fields completely. */
  fields: lenient(Fields),
  /** Fills in what the buyer has not changed. */
  defaultValues: lenient(DefaultValues),
  locale: z.optional(Locale),
  colorScheme: PageColorScheme,
  /** Replaces the previous appearance completely. */
  appearance: z.optional(Appearance),
  /** Replaces the previous translations completely. */
  translations: z.optional(z.unknown()),
  readOnly: lenient(z.boolean()),
  allowedCountries: Names,
  acceptedBrands: Names,
});

/** Read the intent again: the merchant's server changed it. */
const Refresh = z.object({ type: z.literal('refresh') });

/** Pay: the page's own button was pressed. */
const Submit = z.object({ type: z.literal('submit') });

/** The page's answer to `SecretRequest`. Null if it has no client secret, or an invalid one. */
const SecretAnswer = z.object({
  type: z.literal('secret'),
  clientSecret: z.catch(z.nullable(ClientSecret), null),
});

const Field = z.enum(FIELD_NAMES);

/**
 * What covers a line of the frame: `none`; `fixed`, an element such as a sticky header, which stays in place while the
 * page scrolls; `over`, any other element of the page.
 */
const Cover = z.enum(['none', 'fixed', 'over']);
export type Cover = z.infer<typeof Cover>;

/** One line for each place that shows the amount. */
const MOST_LINES = 3;

/**
 * The answer to `CoversRequest`: what covers each line, in order, and where the page last saw the mouse. `covers` is
 * empty if the page could not check, because the loader's second file did not load.
 */
const CoversAnswer = z.object({
  type: z.literal('covers'),
  covers: z.catch(z.array(Cover).check(z.maxLength(MOST_LINES)), []),
  /** `screenX`, `screenY` and the age in ms; null if the mouse has not been over the page. */
  pointer: z.catch(z.nullable(z.object({ x: z.number(), y: z.number(), age: z.number() })), null),
});
export type CoversAnswer = z.infer<typeof CoversAnswer>;

/**
 * The answer to `BeforePayRequest` with the same `press`. Without `allowed` there is none: `mistake` says why. Without
 * `press`, the loader's second file did not load.
 */
const BeforePayAnswer = z.object({
  type: z.literal('beforepay'),
  press: lenient(z.int()),
  allowed: lenient(z.boolean()),
  /** A sentence for the buyer, checked before it is shown. */
  message: lenient(upTo(2000)),
  /** For the developer. */
  mistake: lenient(upTo(200)),
});
export type BeforePayAnswer = z.infer<typeof BeforePayAnswer>;

/** Focus a field, or the first that is incomplete. */
const Focus = z.object({ type: z.literal('focus'), field: z.optional(Field) });

/** Remove the focus from the form. */
const Blur = z.object({ type: z.literal('blur') });

/** Reset the form to `defaultValues`. */
const Clear = z.object({ type: z.literal('clear') });

/** Show what is wrong or missing, and post `Validation`. Nothing is paid, and the focus stays where it is. */
const ValidateRequest = z.object({ type: z.literal('validate') });

/** Post `Diagnostics`. */
const DiagnosticsRequest = z.object({
  type: z.literal('diagnostics'),
  /** Of the page's script, and so of the frame. */
  release: upTo(100),
  /** When the page's navigation began, in ms since 1970. */
  timeOrigin: z.number(),
  /** When `mount()` was called, in ms since the navigation. */
  timings: z.object({ mounted: z.number() }),
});
export type DiagnosticsRequest = z.infer<typeof DiagnosticsRequest>;

/** End the session: the form is about to be removed. */
const Destroy = z.object({ type: z.literal('destroy') });

/** Loader to frame, over the port. */
export const HostMessage = z.discriminatedUnion('type', [
  Update,
  Refresh,
  Submit,
  SecretAnswer,
  CoversAnswer,
  BeforePayAnswer,
  Focus,
  Blur,
  Clear,
  ValidateRequest,
  DiagnosticsRequest,
  Destroy,
]);
export type HostMessage = z.infer<typeof HostMessage>;

/** `HostMessage` before parsing, as the loader posts it: it passes answers of the page on without reading them. */
export type HostMessageInput =
  | Exclude<HostMessage, { type: 'secret' | 'covers' | 'beforepay' }>
  | ({ type: 'covers' } & Partial<CoversAnswer>)
  | ({ type: 'beforepay' } & Partial<BeforePayAnswer>)
  | { type: 'secret'; clientSecret?: string | undefined };

/** At most twelve digits, so that no card number fits: the shortest has thirteen. */
const minorUnits = z.int().check(z.nonnegative(), z.maximum(999_999_999_999));
const Currency = z.enum(['usd', 'eur']);
const text = upTo(2000);

/** An error of the service, with its own `type`, `code`, `message`, `param` and `decline_code`, or one of the form. */
export const CardFormError = z.strictObject({
  type: upTo(100),
  code: upTo(100),
  /** For the merchant's logs. The buyer reads the form's own text. */
  message: text,
  param: z.optional(z.nullable(upTo(500))),
  decline_code: z.optional(z.nullable(upTo(100))),
  /** How long the service asked to wait, in seconds. */
  retryAfter: z.optional(minorUnits),
  /** Whether the buyer was charged. `unknown` is not `no`: ask the service before offering another payment. */
  charged: z.enum(['no', 'yes', 'unknown']),
  /** What can be done about it, and by whom. */
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

/** The payment intent as the browser may see it, with the field names of the service's API. Amounts in minor units. */
export const ClientPaymentIntent = z.strictObject({
  id: upTo(200),
  object: z.literal('payment_intent'),
  /** `pending`, `processing`, `succeeded`, `canceled`, or a status that the service adds later. */
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

/** The outcome of the payment. `unknown` means that it may or may not have been paid: never charge again before asking. */
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

/** A closed list, so that nothing the buyer typed can pass as a brand. */
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

/** The buyer can type, and the first read has ended. Both are null if the buyer sees no total then. */
const Ready = z.strictObject({
  type: z.literal('ready'),
  amountTotal: z.nullable(minorUnits),
  currency: z.nullable(Currency),
});

/**
 * The form cannot load: one of its scripts could not be fetched, or was altered (`integrity`), or the release was
 * withdrawn. `file` is the altered script's address, if known, or says what to do about a withdrawn release.
 */
const LoadError = z.strictObject({
  type: z.literal('loaderror'),
  reason: z.optional(z.enum(['integrity', 'withdrawn'])),
  file: z.optional(z.string()),
});

/** Asks the page for a client secret; with `anew` for another one, because the last one can no longer be paid. */
const SecretRequest = z.strictObject({ type: z.literal('secret'), anew: z.boolean() });

/** A horizontal line in the frame: its start and length as fractions of the frame's width and height. */
const Line = z.strictObject({ left: z.number(), top: z.number(), length: z.number() });
export type Line = z.infer<typeof Line>;

/** Asks the page what covers these lines of the frame. */
const CoversRequest = z.strictObject({
  type: z.literal('covers'),
  lines: z.array(Line).check(z.maxLength(MOST_LINES)),
});

/** Asks the page's `beforePay`; `press` numbers the presses of this form. `amountTotal` in minor units. */
const BeforePayRequest = z.strictObject({
  type: z.literal('beforepay'),
  press: z.int(),
  amountTotal: minorUnits,
  currency: Currency,
});

const Place = z.enum(PLACES);

/** Names, each at most once. The card fields count as one, for the reason given at `PLACES`. */
const Places = z.readonly(z.array(Place).check(z.maxLength(PLACES.length)));

/** What the page learns about the fields and about Pay. `frame/merchant/validation.ts` says what is in which list. */
const validation = {
  complete: z.boolean(),
  invalid: Places,
  missing: Places,
  /** Whether a press on Pay now would pass the form's rules and the payment's state. */
  canPay: z.boolean(),
};

/** Whether the form is complete and what it lacks; never what was typed. */
const Change = z.strictObject({
  type: z.literal('change'),
  ...validation,
  empty: z.boolean(),
  brand: z.nullable(BrandName),
});

/** The answer to `ValidateRequest`. */
const Validation = z.strictObject({ type: z.literal('validate'), ...validation });
export type Validation = Omit<z.infer<typeof Validation>, 'type'>;

/** The focus entered or left a field; the card fields count as one. */
const Focused = z.strictObject({ type: z.literal('focus'), field: Place });
const Blurred = z.strictObject({ type: z.literal('blur'), field: Place });

/** The buyer pressed Escape. */
const Escape = z.strictObject({ type: z.literal('escape') });

/** The buyer pressed Enter in a field, and the page has the Pay button. */
const SubmitRequest = z.strictObject({ type: z.literal('submitrequest') });

/** The classes that the loader sets on the container, for the page's style sheet. */
const ContainerClass = z.enum([
  'CardForm--focus',
  'CardForm--invalid',
  'CardForm--complete',
  'CardForm--empty',
]);
export type ContainerClass = z.infer<typeof ContainerClass>;

/** What the loader needs to show the frame, posted at each change. */
const State = z.strictObject({
  type: z.literal('state'),
  /** The form's height in CSS pixels. */
  height: z.int().check(z.nonnegative(), z.maximum(4096)),
  /** All of our classes that the container has now. */
  classes: z.readonly(z.array(ContainerClass).check(z.maxLength(4))),
  /** A payment was sent, and its outcome is not known yet. */
  sent: z.boolean(),
});
export type State = z.infer<typeof State>;

/** The service asked the form to wait; `retryAfter` in seconds. */
const RateLimited = z.strictObject({ type: z.literal('ratelimited'), retryAfter: minorUnits });

/** A hint for the merchant's developer. Never contains what the buyer typed. */
const Warning = z.strictObject({ type: z.literal('warning'), about: upTo(100), hint: upTo(500) });
export type Warning = z.infer<typeof Warning>;

/** A number of events, or a time in ms: at most twelve digits, so that no card number fits. */
const count = minorUnits;

/** `diagnostics()` counts at most this many kinds of troubles. */
export const MOST_TROUBLES = 40;

/**
 * Counts by `offline`, by `protocol`, or by a route and why a request to it failed. A status has three digits. Marked as
 * pure, because the frame never parses this message: no byte of it reaches a buyer.
 */
const Troubles = /* @__PURE__ */ (() =>
  z
    .record(
      z
        .string()
        .check(
          z.regex(
            /^(offline|protocol|(retrieve|confirm|release)\.(network|timeout|malformed|no_secret|blocked_fetch|internal_csp|[2-9]\d\d))$/,
          ),
        ),
      count,
    )
    .check(z.refine((troubles) => Object.keys(troubles).length <= MOST_TROUBLES)))();

/** What happened in the form: no card data, no personal data, no secret. */
const Diagnostics = z.strictObject({
  type: z.literal('diagnostics'),
  diagnostics: z.strictObject({
    release: upTo(100),
    /** In ms since the page's navigation; left out until it has happened. */
    timings: z.strictObject({ mounted: count, typeable: z.optional(count), payable: z.optional(count) }),
    /** Refused presses, by reason. */
    presses: z.partialRecord(
      z.enum(['not_ready', 'incomplete', 'too_soon', 'moved', 'too_small', 'obscured']),
      count,
    ),
    troubles: Troubles,
    entries: z
      .array(
        z.strictObject({
          /** Milliseconds since the form was opened. */
          at: count,
          event: upTo(30),
          what: z.optional(upTo(500)),
        }),
      )
      .check(z.maxLength(99)),
  }),
});
export type Diagnostics = z.infer<typeof Diagnostics>['diagnostics'];
export type Diagnosis = Diagnostics['entries'][number];

/** The total changed. The buyer was told and must press Pay again. */
const AmountChange = z.strictObject({
  type: z.literal('amountchange'),
  previous: minorUnits,
  current: minorUnits,
  currency: Currency,
});

/** The payment was sent and its outcome is awaited. Followed by `decline`, `error`, `amountchange` or `result`. */
const Processing = z.strictObject({
  type: z.literal('processing'),
  /** True if this form sent it; false if the intent was already processing when it was first read. */
  pressed: z.boolean(),
});

/** The card was declined, nothing was charged, and the buyer may try again. */
const Decline = z.strictObject({ type: z.literal('decline'), error: CardFormError });

/** Something went wrong. The buyer was told, and the payment is not over. */
const Failure = z.strictObject({ type: z.literal('error'), error: CardFormError });

/** The outcome of the payment. */
const Settled = z.strictObject({ type: z.literal('result'), result: Result });

/** Frame to loader, over the port. A test checks that no card data fits into any field. */
export const FrameMessage = z.discriminatedUnion('type', [
  Ready,
  LoadError,
  SecretRequest,
  CoversRequest,
  BeforePayRequest,
  Change,
  Validation,
  Focused,
  Blurred,
  Escape,
  SubmitRequest,
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

/** Parses what the handshake received; null if it is not a valid `init`. */
export const readInit = (data: unknown): Init | null => {
  if (measure(data) !== 'plain') return null;
  const parsed = Init.safeParse(data);
  return parsed.success ? parsed.data : null;
};
